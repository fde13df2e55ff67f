"""Real game tasks, from an empty project, by a real client over stdio with the compact listing."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from tests.e2e.tasks import TASKS, Task
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot")]


@pytest.mark.parametrize("name", TASKS)
async def test_the_calls_build_what_was_asked_for(project: Path, name: str) -> None:
    make_project(project)
    task = TASKS[name]
    assert any(call.arguments.get("action") == "probe" for call in task.calls)
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "scenewright", "serve", "--project", str(project)],
        env={**os.environ, "GODOT_PATH": str(godot())},
    )
    async with Client(server) as client:
        await _carry_out(client, task)


async def _carry_out(client: Client, task: Task) -> None:
    for call in task.calls:
        reply = await client.call_tool(call.tool, call.arguments)
        body: dict[str, Any] = reply.structured_content or {}
        assert not reply.is_error, (call, body)
        assert not body.get("warnings"), (call.tool, body["warnings"])
        if call.arguments.get("action") == "probe":
            found = body["result"]
            assert found["passed"], json.dumps(found)
            asked = len(call.arguments["checks"])
            assert asked
            assert f"{asked} of {asked} check" in body["summary"]
