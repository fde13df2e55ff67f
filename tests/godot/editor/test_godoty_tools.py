"""The tools of the Godoty protocol against a real editor, through the pipeline and over a real MCP client."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import anyio
import pytest
from mcp.client import Client
from tests.e2e.tools import godot
from tests.godot.editor.conftest import Workbench

from scenewright.server.protocol import McpServer

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]
ERAS = pytest.mark.parametrize("era", ["2026-07-28", "legacy"])


async def test_connecting_tells_what_is_open(live: Workbench) -> None:
    result = await live.result("godot_connect")
    assert result["chosen"] == live.editor.editor.port
    assert result["state"]["current_scene"] == "res://main.tscn"


async def test_the_edited_scene_comes_as_an_outline(live: Workbench) -> None:
    result = await live.result("godot_get_scene")
    assert result["tree"].splitlines()[:4] == [
        "Main: Node2D",
        "  Player: CharacterBody2D",
        "    Shape: CollisionShape2D",
        "    Sprite: Sprite2D",
    ]


async def test_the_outline_shows_what_the_scene_dock_shows(live: Workbench) -> None:
    lines = (await live.result("godot_get_scene"))["tree"].splitlines()
    mob = lines.index("  Mob: Node2D (mob.tscn, +1 inside)")
    assert lines[mob + 1 : mob + 3] == ["  Open: Node2D (mob.tscn)", "    Eye: Sprite2D"]
    whole = (await live.result("godot_get_scene", expand=True))["tree"].splitlines()
    assert whole[mob : mob + 2] == ["  Mob: Node2D (mob.tscn)", "    Eye: Sprite2D"]
    rows = (await live.result("godot_get_scene", include_properties=True))["nodes"]
    assert [row["name"] for row in rows].count("Eye") == 1
    assert next(row for row in rows if row["name"] == "Mob")["hidden_nodes"] == 1


async def test_an_instance_is_made_editable_in_the_editor_and_back(live: Workbench) -> None:
    is_open = "editor.get_edited_scene_root().is_editable_instance(editor.get_edited_scene_root().get_node('Mob'))"
    inner = {"scenePath": "main.tscn", "nodePath": "Mob/Eye", "properties": {"position": [9, 9]}}
    assert "editableChildren" in (await live.body("edit_node", **inner))["error"]["suggestedFix"]
    marked = await live("edit_node", scenePath="main.tscn", nodePath="Mob", editableChildren=True)
    assert marked["execution"]["mode"] == "live"
    assert await live.seen(is_open) is True
    await live("edit_node", **inner)
    assert '[editable path="Mob"]' in await live.text()
    assert "position = Vector2(9, 9)" in await live.text()
    await live.ask("scenewright.undo", count=2)
    assert await live.seen(is_open) is False


async def test_a_big_scene_comes_in_pages_as_json(live: Workbench) -> None:
    pages, cursor = [], None
    while True:
        more: dict[str, str] = {"cursor": cursor} if cursor else {}
        result = await live.result("godot_get_scene", format="json", limit=3, **more)
        pages.append([row["name"] for row in result["nodes"]])
        if (cursor := result.get("next_cursor")) is None:
            break
    assert [name for page in pages for name in page][:4] == ["Main", "Player", "Shape", "Sprite"]
    assert max(map(len, pages)) == 3


async def test_a_scene_that_has_not_changed_is_not_sent_again(live: Workbench) -> None:
    revision = (await live.result("godot_get_scene"))["revision"]
    assert (await live.result("godot_get_scene", since=revision))["unchanged"] is True


async def test_one_property_is_read_as_it_is_now(live: Workbench) -> None:
    await live.ask("scenewright.set_properties", node_path="Player", properties={"position": [5, 6]})
    result = await live.result("godot_get_node", node_path="/root/Main/Player", property_filter=["position"])
    assert result["properties"] == {"position": "Vector2(5, 6)"}


async def test_a_node_comes_with_its_children_on_request(live: Workbench) -> None:
    result = await live.result("godot_get_node", node_path="Player", include_children=True)
    assert [child["name"] for child in result["children"]] == ["Shape", "Sprite"]


async def test_a_node_that_is_not_there_is_said_with_those_that_are_called_alike(live: Workbench) -> None:
    body = await live.body("godot_get_node", node_path="/root/Main/Playr")
    assert body["error"]["code"] == "E_NOT_FOUND"
    assert "/root/Main/Player" in body["error"]["details"]["similar_paths"]


async def test_a_batch_of_edits_is_one_undo_step(live: Workbench) -> None:
    before = await live.text()
    steps = [
        {"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": f"N{i}"}} for i in range(5)
    ]
    result = await live.result("godot_editor_batch", steps=steps)
    assert len(result["results"]) == 5
    assert len((await live.ask("scenewright.undo"))["done"]) == 1
    assert await live.text() == before


async def test_a_batch_repeated_with_its_key_is_done_once(live: Workbench) -> None:
    steps = [{"method": "add_node", "params": {"parent_path": ".", "type": "Node2D", "name": "Once"}}]
    key = str(uuid4())
    first = await live.result("godot_editor_batch", steps=steps, idempotencyKey=key)
    second = await live.result("godot_editor_batch", steps=steps, idempotencyKey=key)
    assert first == second
    assert (await live.text()).count('name="Once') == 1


@ERAS
async def test_a_real_client_reads_the_scene_and_its_resources(live: Workbench, era: str) -> None:
    async with Client(McpServer(live.caller.runtime).server, mode=era) as client:
        called = await client.call_tool("godot_get_node", {"node_path": "Player", "property_filter": ["position"]})
        assert called.structured_content is not None
        assert called.structured_content["result"]["properties"] == {"position": "Vector2(1, 2)"}
        state = await client.read_resource("godot://editor/state")
        assert "res://main.tscn" in state.contents[0].text  # type: ignore[union-attr]
        tree = await client.read_resource("godot://editor/scene_tree")
        assert "Player: CharacterBody2D" in tree.contents[0].text  # type: ignore[union-attr]


async def test_a_subscriber_is_told_when_the_scene_is_edited(live: Workbench) -> None:
    heard: list[str] = []
    news = anyio.Event()

    def listen(uri: str) -> None:
        heard.append(uri)
        if uri == "godot://editor/scene_tree":
            news.set()

    live.caller.runtime.on_change.append(listen)
    await live.ask("scenewright.set_properties", node_path="Player", properties={"rotation": 0.5})
    with anyio.fail_after(20):
        await news.wait()
    assert "godot://editor/state" in heard


async def test_control_characters_arrive_as_strict_json(live: Workbench) -> None:
    from websockets.asyncio.client import connect

    odd = "a\x1bb\x01\x0b c:\\v \\\x0b"
    await live.ask("scenewright.set_properties", node_path="Button", properties={"text": odd})
    link = live.editor.editor
    async with connect(link.url) as socket:
        await socket.recv()
        await socket.send(json.dumps({"jsonrpc": "2.0", "method": "godoty.ready", "params": {"token": link.token()}}))
        request = {"jsonrpc": "2.0", "id": 1, "method": "get_node_properties", "params": {"node_path": "Button"}}
        await socket.send(json.dumps(request))
        answer = json.loads(await socket.recv())
    assert answer["result"]["properties"]["text"]["value"] == odd


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("validate_scene", {"scenePath": "main.tscn"}),
        ("probe_scene", {"scenePath": "main.tscn", "steps": 1}),
        ("get_script_errors", {}),
        ("smoke_test", {"waitMs": 100}),
    ],
)
async def test_what_runs_on_the_files_says_what_is_not_saved(
    live: Workbench, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, Any]
) -> None:
    monkeypatch.setenv("GODOT_PATH", godot())
    assert not any("not saved" in said for said in (await live(tool, **arguments)).get("warnings", []))
    await live("edit_node", scenePath="main.tscn", nodePath="Player", properties={"position": [7, 8]})
    assert any("res://main.tscn" in said for said in (await live(tool, **arguments))["warnings"])
