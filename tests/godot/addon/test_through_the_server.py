"""A session with the editor on a screen through a real MCP client: pictures, a game, its errors."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from tests.godot.addon.editor import Editor

from scenewright.app import make_runtime
from scenewright.core.config import Config
from scenewright.server.protocol import McpServer

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("godot-screen")]
PNG, JPEG = b"\x89PNG", b"\xff\xd8\xff"


@pytest.fixture
async def client(screen_editor: Editor) -> AsyncIterator[Client]:
    runtime = make_runtime(Config(project=screen_editor.project, rate_limit=None))
    async with Client(McpServer(runtime).server, mode="legacy") as client:
        yield client
    runtime.close()


async def call(client: Client, tool: str, **arguments: Any) -> tuple[dict[str, Any], list[bytes]]:
    """The result, and the pictures beside it."""
    reply = await client.call_tool(tool, arguments)
    assert reply.structured_content is not None
    assert reply.structured_content["ok"], reply.structured_content
    images = [base64.b64decode(part.data) for part in reply.content if part.type == "image"]
    result: dict[str, Any] = reply.structured_content.get("result", {})
    return result, images


async def test_a_picture_of_the_view_is_small_unless_asked_otherwise(client: Client) -> None:
    result, (image,) = await call(client, "godot_capture_viewport")
    assert image.startswith(JPEG)
    assert max(result["pictures"][0]["width"], result["pictures"][0]["height"]) <= 900
    result, images = await call(client, "godot_capture_viewport", viewport_type="both", format="png", max_width=200)
    assert [picture["viewport_type"] for picture in result["pictures"]] == ["2d", "3d"]
    assert all(image.startswith(PNG) for image in images)
    assert all(picture["width"] <= 200 for picture in result["pictures"])


async def test_a_picture_is_as_low_as_it_must_be(client: Client) -> None:
    result, _ = await call(client, "godot_capture_viewport", viewport_type="2d", max_height=60)
    assert result["pictures"][0]["height"] == 60
    assert result["pictures"][0]["width"] > 60


async def test_the_view_that_is_asked_for_is_kept(client: Client, screen_editor: Editor) -> None:
    await call(client, "open_scene", scenePath="main.tscn")
    kept = {}
    for view in ("2d", "3d"):
        await call(client, "save_viewport_picture", savePath=f"{view}.png", viewport=view)
        kept[view] = _colors(screen_editor.project / f"{view}.png")
        await call(client, "history", action="undo")
    red, green = (255, 0, 0), (0, 255, 0)  # the panel of the 2D view, and the box of the 3D view
    assert red in kept["2d"]
    assert green in kept["3d"]
    assert green not in kept["2d"]


def _colors(picture: Path) -> set[Any]:
    from PIL import Image

    with Image.open(picture) as image:
        return {color for _, color in image.convert("RGB").getcolors(1 << 24) or ()}


async def test_the_view_and_its_longest_side_have_the_names_of_other_servers_too(client: Client) -> None:
    result, (image,) = await call(client, "capture_editor_viewport", viewport="2d", maxSize=120, format="png")
    (picture,) = result["pictures"]
    assert (picture["viewport_type"], max(picture["width"], picture["height"])) == ("2d", 120)
    assert image.startswith(PNG)
    result, _ = await call(client, "capture_editor_viewport", viewport="2d", viewport_type="2d", max_size=1000)
    assert result["pictures"][0]["viewport_type"] == "2d"
    both = await client.call_tool("godot_capture_viewport", {"viewport": "2d", "viewport_type": "3d"})
    assert both.structured_content is not None
    assert both.structured_content["error"]["code"] == "E_SCHEMA_VALIDATION"


async def test_a_picture_of_the_view_is_kept_in_a_file_and_that_is_undone(
    client: Client, screen_editor: Editor
) -> None:
    refused = await client.call_tool("godot_capture_viewport", {"savePath": "shots/a.png"})
    assert refused.structured_content is not None
    assert "save_viewport_picture" in str(refused.structured_content["error"])
    for name, start in (("a.png", PNG), ("b.jpg", JPEG)):
        file = screen_editor.project / "shots" / name
        saved = {"savePath": f"shots/{name}", "viewport": "2d", "maxSize": 100}
        result, _ = await call(client, "godot_editor_view_manager", action="save_viewport", **saved)
        assert (result["saved"], max(result["width"], result["height"])) == (f"res://shots/{name}", 100)
        assert file.read_bytes().startswith(start)
        await call(client, "history", action="undo")
        assert not file.exists()
    wrong = await client.call_tool("save_viewport_picture", {"savePath": "shots/a.txt"})
    assert wrong.structured_content is not None
    assert wrong.structured_content["error"]["code"] == "E_SCHEMA_VALIDATION"


async def test_a_game_is_run_seen_and_stopped(client: Client) -> None:
    before = await client.call_tool("godot_capture_game", {})
    assert before.structured_content is not None
    assert before.structured_content["error"]["code"] == "E_NOT_CONNECTED"
    await call(client, "godot_run_action", action="run_main_scene")
    try:
        result, (image,) = await call(client, "godot_capture_game")
        assert image.startswith(JPEG)
        assert result["scene_path"] == "res://main.tscn"
        result, (image,) = await call(client, "godot_capture_game", max_width=64, format="png")
        assert image.startswith(PNG)
        assert result["pictures"][0]["width"] == 64
        result, _ = await call(client, "godot_capture_game", max_height=48)
        assert result["pictures"][0]["height"] == 48
        with anyio.fail_after(30):
            while not await _has_failed(client, "main.gd"):  # beside what the screen's driver may say
                await anyio.sleep(0.05)
        log, _ = await call(client, "godot_get_editor_log", filter="the game is up")
        assert log["logs"]
    finally:
        await call(client, "godot_run_action", action="stop_scene")


async def _has_failed(client: Client, script: str) -> bool:
    errors, _ = await call(client, "godot_get_errors", severity="error")
    return any(script in error["source"]["script"] for error in errors["errors"])


async def test_selecting_a_node_shows_in_the_selection(client: Client) -> None:
    await call(client, "godot_run_action", action="select_node", params={"node_path": "/root/Main/Player"})
    selected, _ = await call(client, "godot_get_selected")
    assert [node["path"] for node in selected["nodes"]] == ["/root/Main/Player"]
