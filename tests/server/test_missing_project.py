"""A server without its project stays up, says what is wrong in every reply, and takes the project once it is there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client import Client

from scenewright.app import make_runtime
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime
from scenewright.server import protocol
from scenewright.server.instructions import instructions
from scenewright.server.protocol import McpServer

pytestmark = pytest.mark.anyio

WAIT = 20.0
Make = Callable[..., Runtime]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[Runtime] = []

    def make_one(**settings: Any) -> Runtime:
        made.append(make_runtime(Config(waits_for_project=True, rate_limit=None, **settings)))
        return made[-1]

    yield make_one
    for runtime in made:
        runtime.close()


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "ENGINE_CHECK_SECONDS", 0.05)


async def test_every_reply_says_what_is_wrong_with_the_named_project(make: Make, tmp_path: Path) -> None:
    runtime = make(project=tmp_path / "gone")
    assert str(tmp_path / "gone") in instructions(runtime)
    async with Client(McpServer(runtime).server) as client:
        searched = await client.call_tool("tool_search", {"query": "undo"})
        assert searched.is_error is False
        assert str(tmp_path / "gone") in searched.structured_content["warnings"][0]
        refused = await client.call_tool("read_file", {"path": "a.txt"})
        assert refused.is_error is True
        assert str(tmp_path / "gone") in refused.structured_content["error"]["message"]


async def test_the_project_is_taken_and_told_once_it_is_there(make: Make, tmp_path: Path, often: None) -> None:
    gone = tmp_path / "gone"
    heard = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            heard.set()

    server = McpServer(make(project=gone)).server
    async with Client(server, mode="legacy", message_handler=on_message) as client:
        assert "godot_scene_manager" not in {tool.name for tool in (await client.list_tools()).tools}
        assert (await client.call_tool("overview", {})).is_error is True
        gone.mkdir()
        (gone / "project.godot").write_text("config_version=5\n")
        with anyio.fail_after(WAIT):
            await heard.wait()
        assert "godot_scene_manager" in {tool.name for tool in (await client.list_tools()).tools}
        assert (await client.call_tool("get_project_info", {})).is_error is False


async def test_the_first_call_after_the_project_came_finds_it(make: Make, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    async with Client(McpServer(make(project=gone)).server) as client:
        assert (await client.call_tool("overview", {})).is_error is True
        gone.mkdir()
        (gone / "project.godot").write_text("config_version=5\n")
        reply = await client.call_tool("overview", {})
        assert reply.is_error is False
        assert "warnings" not in reply.structured_content


async def test_in_an_empty_folder_a_project_is_made_and_the_listing_follows_at_once(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runtime = make()
    assert "create_project" in instructions(runtime)
    heard = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            heard.set()

    async with Client(McpServer(runtime).server, mode="legacy", message_handler=on_message) as client:
        assert "create_project" in {tool.name for tool in (await client.list_tools()).tools}
        refused = await client.call_tool("overview", {})
        assert "create_project makes one here" in refused.structured_content["error"]["suggestedFix"]
        made = await client.call_tool("create_project", {"name": "Maze"})
        assert made.is_error is False, made.structured_content
        _, _, further = made.structured_content["summary"].partition("meta_tool_manager tool_help ")
        helped = await client.call_tool("meta_tool_manager", {"action": "tool_help", **json.loads(further)})
        assert helped.structured_content["ok"], helped.structured_content
        assert "apply_scene(" in str(helped.structured_content)
        with anyio.fail_after(WAIT):
            await heard.wait()
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "godot_scene_manager" in names
        assert "create_project" not in names
        assert (await client.call_tool("get_project_info", {})).is_error is False


async def test_a_project_can_be_begun_and_filled_in_one_batch(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    heard = anyio.Event()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            heard.set()

    parts = [
        {"tool": "create_project", "args": {"name": "Maze"}},
        {"tool": "add_node", "args": {"scenePath": "main.tscn", "nodeType": "Timer", "nodeName": "Clock"}},
    ]
    async with Client(McpServer(make()).server, mode="legacy", message_handler=on_message) as client:
        made = await client.call_tool("batch_operations", {"operations": parts})
        assert made.structured_content["summary"] == "2 of 2 calls succeeded.", made.structured_content
        with anyio.fail_after(WAIT):
            await heard.wait()
    assert "Clock" in (tmp_path / "main.tscn").read_text()


async def test_of_several_projects_below_one_is_chosen_with_each_call(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "project.godot").write_text("config_version=5\n")
    monkeypatch.chdir(tmp_path)
    runtime = make()
    assert str(tmp_path / "a") in instructions(runtime)
    async with Client(McpServer(runtime).server) as client:
        assert "godot_scene_manager" in {tool.name for tool in (await client.list_tools()).tools}
        refused = await client.call_tool("get_project_info", {})
        assert str(tmp_path / "b") in refused.structured_content["error"]["suggestedFix"]
        assert (await client.call_tool("get_project_info", {"projectPath": str(tmp_path / "b")})).is_error is False
        state = runtime.state_for(str(tmp_path / "b"))
        assert state.named is False  # its code is run only where a person says so
