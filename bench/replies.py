"""How many bytes a model reads over a day's work: the demo, the eight game tasks, a day's calls, the declared examples.

    python -m bench.replies            a table, by kind of call
    python -m bench.replies FILE       and each call with its reply, as JSON; two such files can be compared

A real server is asked over stdio, in its default toolset. Most hosts show a model either a reply's text or its
structured content, so what counts is the larger of the two; pictures are not counted. With GODOT_PATH set, an engine
compiles, probes and pictures what the demo and the tasks build; what needs one is left out otherwise.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.e2e.tasks import TASKS

from bench.day_of_work import CALLS
from bench.wire import Server
from scenewright.app import catalogues
from scenewright.cli.demo.game import chapters

ROOT = Path(__file__).parents[1]
_START = 'config_version=5\n\n[application]\nconfig/name="Game"\n'
_NEEDS_ENGINE = {"probe", "picture", "scan", "smoke_test", "screenshot", "export.project", "reimport"}
Call = tuple[str, dict[str, Any]]
Row = dict[str, Any]


def main() -> int:
    rows = list(_measure())
    by_kind: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        counts = by_kind[f"{row['part']}: {row['kind']}"]
        counts[0] += 1
        counts[1] += row["bytes"]
    for kind, (count, size) in sorted(by_kind.items()):
        print(f"{kind:32} {count:5} calls {size:9,} bytes")
    print(f"{'all':32} {len(rows):5} calls {sum(row['bytes'] for row in rows):9,} bytes")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def _measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="scenewright-replies-") as folder:
        home = Path(folder)
        os.environ["SCENEWRIGHT_HOME"], os.environ["ALLOW_DANGEROUS_OPS"] = str(home / "state"), "true"
        yield from _ask(home / "demo", "demo and day", [*_demo(), *CALLS])
        for name, task in TASKS.items():
            yield from _ask(home / name, "game tasks", [(call.tool, call.arguments) for call in task.calls])
        os.environ["GODOT_PATH"] = ""
        for engine in ("godot", "unity"):
            shutil.copytree(ROOT / f"tests/{engine}/fixtures/game", home / engine)
            yield from _ask(home / engine, "examples", _examples(engine), "--engine", engine)
        (home / "roblox").mkdir()
        tree = '{"name": "game", "tree": {"$className": "DataModel"}}\n'
        (home / "roblox/default.project.json").write_text(tree, encoding="utf-8")
        yield from _ask(home / "roblox", "examples", _examples("roblox"), "--engine", "roblox")


def _demo() -> list[Call]:
    return [call for chapter in chapters() for call in chapter.calls]


def _examples(engine: str) -> list[Call]:
    parts = [part for part in catalogues() if part.engine is not None and part.engine.name == engine]
    operations = [
        each for part in parts for each in part.operations if each.executes == "never" and not each.requires_bridge
    ]
    return [(each.flat_name, example.input) for each in operations for example in each.examples]


def _ask(project: Path, part: str, calls: list[Call], *options: str) -> Iterator[Row]:
    if not project.exists():
        project.mkdir()
        (project / "project.godot").write_text(_START, encoding="utf-8")
    command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project), *options]
    with Server(command, project) as server:
        for tool, arguments in calls:
            if not os.environ.get("GODOT_PATH") and arguments.get("action") in _NEEDS_ENGINE:
                continue
            reply = _reply(server, tool, arguments)
            told = {"part": part, "kind": _kind(tool, arguments, reply), "tool": tool, "arguments": arguments}
            yield told | {"bytes": _bytes_read(reply), "reply": reply}


def _reply(server: Server, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    message = server.ask("tools/call", {"name": tool, "arguments": arguments})
    reply: dict[str, Any] = message.get("result", message)
    return reply


def _bytes_read(reply: dict[str, Any]) -> int:
    if "error" in reply and "content" not in reply:
        return len(json.dumps(reply["error"]).encode())
    texts = sum(len(block["text"].encode()) for block in reply["content"] if block["type"] == "text")
    structured = reply.get("structuredContent")
    packed = json.dumps(structured, ensure_ascii=False, separators=(",", ":")) if structured is not None else ""
    return max(texts, len(packed.encode()))


def _kind(tool: str, arguments: dict[str, Any], reply: dict[str, Any]) -> str:
    body = reply.get("structuredContent") or {}
    if reply.get("isError") or "content" not in reply:
        return "refused"
    if arguments.get("action") in ("probe", "picture", "validate", "validate_project", "smoke_test", "script.check"):
        return "check"
    if tool == "batch_operations":
        return "batch"
    is_write = (body.get("execution") or {}).get("historyEntry") or body.get("diff") or "historyEntry" in body
    return "write" if is_write or arguments.get("dryRun") else "read"


if __name__ == "__main__":
    sys.exit(main())
