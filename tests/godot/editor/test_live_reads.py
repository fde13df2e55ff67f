"""What a reply says of a node of the open scene is what the node says, also where no file would hold it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.godot.editor.conftest import Workbench

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
LOUD = "@tool\nextends Node2D\n\n@export var volume: int = 3\nvar doubled: int:\n\tget: return volume * 2\n"


async def read(live: Workbench, node: str, name: str) -> Any:
    body = await live("get_property", **MAIN, nodePath=node, property=name)
    assert body["execution"]["mode"] == "live"
    return body["result"]["value"]


async def said(live: Workbench, node: str, name: str) -> Any:
    return await live.act(f"return var_to_str(root.get_node('{node}').get_indexed('{name}'))")


@pytest.fixture
async def laid_out(live: Workbench) -> AsyncIterator[Workbench]:
    """A control whose place its container decides, and a node with a script that runs in the editor."""
    (live.project / "loud.gd").write_text(LOUD, encoding="utf-8")
    await live.ask("scenewright.reload_files", paths=["res://loud.gd"])
    await live("add_node", **MAIN, nodeType="VBoxContainer", nodeName="Box", properties={"position": [40, 50]})
    for name in ("First", "Second"):
        await live("add_node", **MAIN, nodeType="Button", nodeName=name, parentNodePath="Box", properties={"text": "x"})
    await live(
        "add_node",
        **MAIN,
        nodeType="Node2D",
        nodeName="Loud",
        parentNodePath="Player",
        properties={"script": "res://loud.gd", "position": [1, 1]},
    )
    yield live
    (live.project / "loud.gd").unlink()


@pytest.mark.parametrize(
    ("node", "names"),
    [
        ("Button", ["position", "size", "global_position", "anchor_right", "theme_override_colors/font_color"]),
        ("Box/Second", ["position", "size", "global_position", "minimum_size", "text", "rotation_degrees"]),
        (
            "Player",
            ["position", "global_position", "rotation_degrees", "transform", "position:x", "visible", "z_index"],
        ),
        ("Player/Loud", ["volume", "doubled", "global_position", "global_transform"]),
        ("Button", ["count", "text"]),
        ("Mob/Eye", ["position", "global_position", "modulate"]),
    ],
)
async def test_properties_are_what_the_node_says(laid_out: Workbench, node: str, names: list[str]) -> None:
    await laid_out("set_property", **MAIN, nodePath="Player", property="position", value=[12, -40])
    await laid_out("set_property", **MAIN, nodePath="Button", property="position", value=[12, -40])
    for name in names:
        known = await laid_out.act(f"return '{name.split(':')[0]}' in root.get_node('{node}')")
        if not known:
            body = await laid_out.body("get_property", **MAIN, nodePath=node, property=name)
            assert body["error"]["code"] == "E_NOT_FOUND"
            continue
        value = await read(laid_out, node, name)
        literal = await said(laid_out, node, name)
        plain = "null" if value is None else str(value).lower()
        assert literal in (value, plain, f'"{value}"'), name


async def test_the_place_that_was_just_given_is_read(live: Workbench) -> None:
    for node in ("Button", "Player"):
        await live("set_property", **MAIN, nodePath=node, property="position", value=[12, -40])
        assert await read(live, node, "position") == "Vector2(12, -40)"
        assert await read(live, node, "global_position") == "Vector2(12, -40)"


async def test_what_a_script_of_the_editor_changes_without_a_word_is_read(live: Workbench) -> None:
    before = await live.result("get_node_properties", **MAIN, nodePath="Player")
    await live.act("root.get_node('Player').position = Vector2(77, 78)")  # no step of any history
    after = await live.result("get_node_properties", **MAIN, nodePath="Player")
    assert after["properties"] == before["properties"] | {"position": "Vector2(77, 78)"}
    tree = await live.result("get_node_tree", **MAIN, rootPath="Player", includeProperties=True, maxDepth=0)
    assert tree["nodes"][0]["properties"]["position"] == "Vector2(77, 78)"
    await live.act("root.get_node('Player').position = Vector2(1, 2)")


async def test_resources_and_nodes_that_a_node_holds_are_told_as_ever(live: Workbench) -> None:
    await live("edit_node", **MAIN, nodePath="Button", properties={"target": "../Player"})
    whole = await live.result("get_node_properties", **MAIN, nodePath="Player/Shape")
    assert whole["properties"]["shape"]["$resource"] == "RectangleShape2D"
    target = (await live.result("get_node_properties", **MAIN, nodePath="Button"))["properties"]["target"]
    assert "../Player" in str(target)


async def test_without_an_editor_nothing_is_made_up(live: Workbench) -> None:
    body = await live("get_property", scenePath="mob.tscn", nodePath="Eye", property="global_position")
    assert body["execution"]["mode"] == "files"
    assert body["result"]["value"] is None
    assert "which no file stores" in body["warnings"][0]


async def test_an_overview_shows_what_is_not_saved_and_that_an_editor_is_open(live: Workbench) -> None:
    before = await live.result("overview")
    assert before["editorsOpen"] == "godot"
    assert "unsavedInEditor" not in before["sections"]
    await live("add_node", **MAIN, nodeType="Timer", nodeName="OnlyInTheEditor")
    after = await live.result("overview", since=before["revision"], maxBytes=20_000)
    assert after["sections"]["unsavedInEditor"] == "main.tscn"
    assert "+ OnlyInTheEditor: Timer" in after["sections"]["values"]["main.tscn"]
