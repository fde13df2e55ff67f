"""A real client on a small Unity project, with no Unity anywhere."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp import StdioServerParameters
from mcp.client import Client

pytestmark = pytest.mark.anyio

GAME = Path(__file__).parents[1] / "unity" / "fixtures" / "game"
MAIN = "Assets/Scenes/Main.unity"


@pytest.mark.parametrize("era", ["legacy", "auto"], ids=["2025-11-25", "2026-07-28"])
async def test_looking_changing_and_undoing(era: str, tmp_path: Path) -> None:
    project = Path(shutil.copytree(GAME, tmp_path / "game"))
    before = (project / MAIN).read_bytes()
    arguments = ["-m", "scenewright", "serve", "--project", str(project)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server, mode=era) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"scene_hierarchy_dump", "project_references_missing", "unity_edit_manager"} <= names
        dump = await client.call_tool("scene_hierarchy_dump", {"scenePath": MAIN})
        assert [root["name"] for root in dump.structured_content["rootObjects"]][:2] == ["Main Camera", "Player"]
        described = await client.call_tool("mcp_tool_describe", {"toolId": "scene.hierarchy.dump"})
        assert described.structured_content["tool"]["examples"]

        selection = await client.call_tool("editor_selection_info", {})
        assert selection.is_error
        assert isinstance(selection.content[0], types.TextContent)
        assert json.loads(selection.content[0].text)["error"]["code"] == "E_NOT_CONNECTED"

        edit = {"action": "object.rename", "scenePath": MAIN, "gameObjectPath": "Player", "newName": "Hero"}
        renamed = await client.call_tool("unity_edit_manager", edit)
        assert "'Hero'" in renamed.structured_content["summary"]
        (entry,) = renamed.structured_content["execution"]["diff"]["entries"]
        assert entry.startswith(f"modified {MAIN}\n")
        assert (project / MAIN).read_bytes() == before.replace(b"m_Name: Player\n", b"m_Name: Hero\n")
        await client.call_tool("history", {"action": "undo"})
    assert (project / MAIN).read_bytes() == before
