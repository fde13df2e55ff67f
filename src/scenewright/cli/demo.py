"""`scenewright demo`: a real MCP client and a real server, over stdio, on a project that is thrown away afterwards."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["EXAMPLES", "add_arguments", "run"]

EXAMPLES = """\
examples:
  scenewright demo
"""
_SCRIPT = "extends CharacterBody2D\n\nvar speed = 200\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run(options: argparse.Namespace) -> int:
    import anyio

    del options
    with tempfile.TemporaryDirectory(prefix="scenewright-demo-") as folder:
        project = Path(folder)
        (project / "project.godot").write_text('config_version=5\n\n[application]\nconfig/name="Demo"\n')
        (project / "player.gd").write_text(_SCRIPT)
        anyio.run(_demo, project)
    print("\nDone: every reply was what it should be, and the project is as it was.")
    return 0


async def _demo(project: Path) -> None:
    from mcp import StdioServerParameters
    from mcp.client import Client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "scenewright", "serve", "--project", str(project)]
    )
    async with Client(server) as client:
        show = _Show(client)
        await show.listing()
        await show.call("core_ping", {})
        await show.call("meta_tool_manager", {"action": "tool_search", "query": "undo a change", "limit": 1})

        print("\n# A mistake comes back with the right way to say it.")
        await show.call("project_file_manager", {"action": "edit", "path": "player.gd", "find": "speed"}, fails=True)

        print("\n# A dry run shows the change and writes nothing; then it is made.")
        edit = {"action": "edit", "path": "player.gd", "find": "speed = 200", "replace": "speed = 300"}
        await show.call("project_file_manager", edit | {"dryRun": True})
        _expect((project / "player.gd").read_text() == _SCRIPT, "a dry run writes nothing")
        await show.call("project_file_manager", edit)
        _expect("speed = 300" in (project / "player.gd").read_text(), "the edit is on disk")

        print("\n# A scene, made without the editor; values by their declared types.")
        scene = {"scenePath": "level.tscn"}
        await show.call("godot_scene_manager", {"action": "create_scene", **scene, "rootNodeType": "Node2D"})
        wall = {"$resource": "RectangleShape2D", "props": {"size": [64, 16]}}
        shape = {"nodeType": "CollisionShape2D", "nodeName": "Wall", "properties": {"position": [8, 4], "shape": wall}}
        await show.call("godot_scene_manager", {"action": "create", **scene, **shape})
        wrong = {"nodePath": "Wall", "properties": {"positon": [0, 0]}}
        await show.call("godot_scene_manager", {"action": "update", **scene, **wrong}, fails=True)

        print("\n# What destroys something is refused until a person agrees; nothing gets out of the project.")
        await show.call("project_file_manager", {"action": "delete", "path": "player.gd"}, fails=True)
        await show.call("project_file_manager", {"action": "read", "path": "../../etc/passwd"}, fails=True)

        print("\n# Every change can be taken back, byte for byte.")
        await show.call("history", {"action": "undo_to", "entry": 0})
        _expect((project / "player.gd").read_text() == _SCRIPT, "the undo restored the script")
        _expect(not (project / "level.tscn").exists(), "the undo removed the scene")


class _Show:
    """Calls and prints, as a transcript."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def listing(self) -> None:
        tools = (await self._client.list_tools()).tools
        size = len(json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]))
        print(f"> tools/list\n  {len(tools)} tools in {size:,} bytes: {', '.join(tool.name for tool in tools)}")

    async def call(self, tool: str, arguments: dict[str, Any], *, fails: bool = False) -> None:
        print(f"> {tool} {json.dumps(arguments)}")
        result = await self._client.call_tool(tool, arguments)
        _expect(result.is_error is fails, f"{tool} should {'fail' if fails else 'succeed'}")
        for line in _lines(result.structured_content):
            print(f"  {line}")


def _lines(body: dict[str, Any]) -> list[str]:
    error = body.get("error")
    if error:
        return [f"✗ {error['code']}: {error['message']}", *([error["suggestedFix"]] if "suggestedFix" in error else [])]
    lines = [f"✓ {body['summary']}"] if "summary" in body else [json.dumps(body.get("output", body))]
    for entry in body.get("execution", {}).get("diff", {}).get("entries", []):
        lines += entry.split("\n")
    lines += [f"{hit['tool']}: {hit['call']}" for hit in (body.get("result") or {}).get("hits", [])]
    return lines


def _expect(holds: bool, what: str) -> None:  # noqa: FBT001
    if not holds:
        raise SystemExit(f"The demo failed: {what}.")
