"""The everyday tools on a scene that is open in a real editor: made there, undoable there, nothing on disk."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from tests.godot.editor.conftest import Workbench, main_text

from scenewright.core.faults import Conflict
from scenewright.godot.editor.live.stage import GodotStage

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
CALLS: list[tuple[str, Mapping[str, Any]]] = [
    ("edit_node", {"nodePath": "Player", "properties": {"position": [7, 8], "visible": False}}),
    ("edit_node", {"nodePath": "Player", "properties": {}, "reset": ["position"]}),
    (
        "edit_node",
        {"nodePath": "Player/Shape", "properties": {"shape": {"$resource": "CircleShape2D", "props": {"radius": 4}}}},
    ),
    ("edit_node", {"nodePath": "Mob", "properties": {"position": [9, 9]}}),
    (
        "add_node",
        {
            "nodeType": "Sprite2D",
            "nodeName": "New",
            "parentNodePath": "Player",
            "before": "Shape",
            "properties": {"modulate": "#00ff00"},
            "groups": ["g"],
        },
    ),
    ("instance_scene", {"instancePath": "mob.tscn", "nodeName": "Mob2", "properties": {"position": [1, 1]}}),
    ("rename_node", {"nodePath": "Player", "newName": "Hero"}),
    ("move_node", {"nodePath": "Player/Sprite", "newParentPath": ".", "before": "Player"}),
    ("duplicate_node", {"nodePath": "Player"}),
    ("remove_node", {"nodePath": "Player"}),
    ("attach_script", {"nodePath": "Player", "scriptPath": "player.gd"}),
    ("edit_node", {"nodePath": "Open/Eye", "properties": {"position": [6, 6]}}),
    ("edit_node", {"nodePath": "Open/Eye", "properties": {}, "reset": ["modulate"]}),
    ("edit_node", {"nodePath": "Button", "properties": {"target": "../Player", "count": 5}}),
    ("detach_script", {"nodePath": "Button"}),
    ("manage_groups", {"nodePath": "Player/Sprite", "action": "set", "groups": ["a", "b"]}),
    (
        "disconnect_signal",
        {"fromNodePath": "Button", "signal": "pressed", "toNodePath": "Player", "method": "queue_free"},
    ),
    ("move_node", {"nodePath": "Button", "before": "Player"}),
    (
        "apply_scene",
        {
            "mode": "apply",
            "tree": {
                "name": "Main",
                "children": [
                    {
                        "name": "Group",
                        "type": "Node2D",
                        "children": [
                            {"name": "Hero", "was": "Player", "properties": {"rotation": 0.5}},
                            {"name": "Friend", "type": "Sprite2D"},
                        ],
                    },
                ],
            },
            "connections": [
                {"source": "Button", "signal": "toggled", "target": "Group/Hero", "method": "hide", "unbinds": 1}
            ],
        },
    ),
    ("connect_signal", {"fromNodePath": "Button", "signal": "pressed", "toNodePath": "Main", "method": "hide"}),
    ("apply_scene", {"mode": "apply", "tree": {"name": "Main", "children": [{"name": "Player", "type": "Area2D"}]}}),
    (
        "apply_scene",
        {
            "mode": "apply",
            "tree": {
                "name": "Main",
                "children": [
                    {"name": "Player", "type": "StaticBody2D", "children": [{"name": "Sprite", "type": "Node2D"}]},
                    {"name": "Button", "properties": {"target": "../Player/Sprite"}},
                ],
            },
        },
    ),
    (
        "apply_scene",
        {
            "mode": "apply",
            "tree": {"name": "Main", "children": [{"name": "Open", "children": [{"name": "More", "type": "Node2D"}]}]},
        },
    ),
    ("apply_scene", {"mode": "apply", "tree": {"name": "Main", "type": "StaticBody2D"}}),
    (
        "apply_scene",
        {
            "mode": "apply",
            "tree": {
                "name": "World",
                "type": "Area2D",
                "script": "holder.gd",
                "properties": {"held": "Group/Hero", "priority": 3},
                "groups": ["worlds"],
                "children": [
                    {"name": "Button", "properties": {"text": "Come", "target": "../Group"}},
                    {"name": "Group", "type": "Node2D", "children": [{"name": "Hero", "was": "Player"}]},
                ],
            },
            "connections": [
                {"source": ".", "signal": "area_entered", "target": "Group/Hero", "method": "hide", "unbinds": 1},
                {"source": "Button", "signal": "toggled", "target": ".", "method": "hide", "unbinds": 1},
            ],
        },
    ),
    (
        "add_node",
        {
            "nodeType": "Button",
            "nodeName": "Second",
            "properties": {"script": "res://button.gd", "target": "../Player"},
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[f"{tool}-{i}" for i, (tool, _) in enumerate(CALLS)])
async def test_an_edit_of_an_open_scene_is_one_undo_step_of_the_editor_and_means_what_the_file_would(
    live: Workbench, tool: str, arguments: Mapping[str, Any]
) -> None:
    before, disk = await live.text(), main_text(live.project)
    body = await live(tool, **MAIN, **arguments)
    assert body["execution"]["mode"] == "live"
    assert main_text(live.project) == disk
    after = await live.text()
    assert after != before
    shown = await live.result("history", action="show", entry=body["execution"]["historyEntry"])
    await _means_the_same(live, shown, after)
    undone = await live("history", action="undo")
    assert undone["execution"]["mode"] == "live"
    assert await live.text() == before
    await live("history", action="undo", entry=undone["execution"]["historyEntry"])
    assert await live.text() == after


async def _means_the_same(live: Workbench, shown: dict[str, Any], after: str) -> None:
    """What the history says was written is what the editor now has, whatever ids it gave."""
    from scenewright.godot.documents.document import Document
    from scenewright.godot.documents.scene import Scene
    from scenewright.godot.scenes.comparison import compare

    journal = live.caller.runtime.state.journal
    entry = journal.entry(shown["entry"]["entry"])
    intended = journal.content(entry.files[0].after)
    assert intended is not None
    differences = compare(Scene(Document.parse(intended, "a.tscn")), Scene(Document.parse(after, "b.tscn")))
    empty = [found for found in differences if found.kind == "removed" and not found.before]  # overrides of nothing
    empty += [
        found for found in differences if found.before == found.after
    ]  # 0, where an older engine starts with an int
    assert [found for found in differences if found.kind not in ("uid", "resource") and found not in empty] == []


async def test_what_holds_a_node_holds_the_one_that_takes_its_place(live: Workbench) -> None:
    await live("edit_node", **MAIN, nodePath="Button", properties={"target": "../Player"})
    await live(
        "apply_scene", **MAIN, mode="apply", tree={"name": "Main", "children": [{"name": "Player", "type": "Area2D"}]}
    )
    text = await live.text()
    assert 'target = NodePath("../Player")' in text
    assert '[connection signal="pressed" from="Button" to="Player" method="queue_free"]' in text


async def test_a_scene_whose_root_got_another_class_is_edited_undone_and_saved_as_ever(live: Workbench) -> None:
    before = await live.text()
    await live("select_nodes", nodePath=".")
    await live("apply_scene", **MAIN, mode="apply", tree={"name": "Main", "type": "Area2D"})
    await live("edit_node", **MAIN, nodePath=".", properties={"priority": 4})
    assert (await live.result("get_editor_state"))["currentScene"] == "res://main.tscn"
    assert (await live.result("godot_get_node", node_path="."))["node_type"] == "Area2D"
    assert (await live.result("editor_undo", count=2))["done"][1].endswith("main.tscn.")
    assert await live.text() == before
    assert len((await live.result("editor_redo", count=2))["done"]) == 2
    await live("save_scene", **MAIN)
    assert '[node name="Main" type="Area2D"' in main_text(live.project)
    await live.result("editor_undo", count=2)
    (live.project / "main.tscn").write_text(main_text(live.project) + "\n", encoding="utf-8")
    refused = await live.body("save_scene", **MAIN)
    assert "changed on disk" in refused["error"]["message"]


async def test_reads_see_what_is_not_saved_yet(live: Workbench) -> None:
    await live("add_node", **MAIN, nodeType="Timer", nodeName="Clock", properties={"wait_time": 2.5})
    body = await live("get_node_properties", **MAIN, nodePath="Clock")
    assert body["result"]["properties"]["wait_time"] == 2.5
    assert body["execution"]["mode"] == "live"


async def test_a_scene_that_is_not_open_is_a_file_and_the_reply_says_so(live: Workbench) -> None:
    body = await live("edit_node", scenePath="mob.tscn", nodePath="Eye", properties={"position": [5, 5]})
    assert body["execution"]["mode"] == "files"
    assert "Vector2(5, 5)" in (live.project / "mob.tscn").read_text()


async def test_a_dry_run_changes_neither_the_editor_nor_the_file(live: Workbench) -> None:
    before = await live.text()
    body = await live("remove_node", **MAIN, nodePath="Player", dryRun=True)
    assert body["execution"]["mode"] == "live"
    assert body["execution"]["dryRun"] is True
    assert await live.text() == before


async def test_a_write_to_a_scene_with_unsaved_changes_is_refused(live: Workbench) -> None:
    await live("edit_node", **MAIN, nodePath="Player", properties={"position": [7, 8]})
    disk = main_text(live.project)
    body = await live.body("write_file", path="main.tscn", content=disk + "\n", overwrite=True)
    assert "unsaved changes" in body["error"]["message"]
    assert main_text(live.project) == disk


async def test_a_write_to_a_saved_scene_is_taken_in_by_the_editor(live: Workbench) -> None:
    content = main_text(live.project).replace('text = "Go"', 'text = "Come"')
    body = await live("write_file", path="main.tscn", content=content, overwrite=True)
    assert body["execution"]["mode"] == "files"
    assert 'text = "Come"' in await live.text()


@pytest.mark.parametrize("selected", [["Mob"], ["Player/Sprite", "Open/Eye"], ["."]], ids=str)
async def test_what_is_selected_stays_so_when_a_file_is_taken_in(live: Workbench, selected: list[str]) -> None:
    await live("select_nodes", **({"nodePaths": selected} if selected[1:] else {"nodePath": selected[0]}))
    before = (await live.result("godot_get_selected"))["nodes"]
    assert len(before) == len(selected)
    content = main_text(live.project).replace('text = "Go"', 'text = "Come"')
    await live("write_file", path="main.tscn", content=content, overwrite=True)
    assert 'text = "Come"' in await live.text()
    after = (await live.result("godot_get_selected"))["nodes"]
    assert sorted(node["path"] for node in after) == sorted(node["path"] for node in before)


async def test_undo_is_refused_when_the_person_has_edited_since(live: Workbench) -> None:
    await live("edit_node", **MAIN, nodePath="Player", properties={"position": [7, 8]})
    await live.ask("scenewright.set_properties", node_path="Player", properties={"rotation": 1.0})
    body = await live.body("history", action="undo")
    assert "edited after" in body["error"]["message"]
    assert "rotation = 1.0" in await live.text()


async def test_a_batch_is_one_undo_step_over_all_its_parts(live: Workbench) -> None:
    before = await live.text()
    operations = [
        {"tool": "add_node", "args": {**MAIN, "nodeType": "Node2D", "nodeName": name}} for name in ("One", "Two")
    ]
    body = await live("batch_operations", operations=operations, atomic=True)
    assert body["execution"]["mode"] == "live"
    assert "Two" in await live.text()
    done = (await live.ask("scenewright.undo"))["done"]
    assert len(done) == 1
    assert await live.text() == before


async def test_a_scene_gets_a_script_that_comes_with_it(live: Workbench) -> None:
    before = await live.text()
    steps = [
        {"tool": "write_script", "args": {"scriptPath": "fresh.gd", "content": "extends Button\n"}},
        {"tool": "attach_script", "args": {**MAIN, "nodePath": "Button", "scriptPath": "fresh.gd"}},
    ]
    body = await live("batch_operations", atomic=True, operations=steps)
    assert 'path="res://fresh.gd"' in await live.text()
    undone = await live("history", action="undo", entry=body["execution"]["historyEntry"])
    assert await live.text() == before
    assert not (live.project / "fresh.gd").exists()
    await live("history", action="undo", entry=undone["execution"]["historyEntry"])
    assert 'path="res://fresh.gd"' in await live.text()
    await live("history", action="undo")


async def test_a_file_that_comes_with_a_refused_edit_goes_again(
    live: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> None:
        raise Conflict("The person was faster.")

    monkeypatch.setattr(GodotStage, "apply", refused)
    steps = [
        {"tool": "write_script", "args": {"scriptPath": "fresh.gd", "content": "extends Button\n"}},
        {"tool": "attach_script", "args": {**MAIN, "nodePath": "Button", "scriptPath": "fresh.gd"}},
    ]
    before = await live.result("history", action="list", limit=1)
    body = await live.body("batch_operations", atomic=True, operations=steps)
    assert body["error"]["message"] == "The person was faster."
    assert not (live.project / "fresh.gd").exists()
    assert await live.result("history", action="list", limit=1) == before


async def test_a_batch_whose_part_fails_leaves_the_open_scene_alone(live: Workbench) -> None:
    before = await live.text()
    operations = [
        {"tool": "add_node", "args": {**MAIN, "nodeType": "Node2D", "nodeName": "One"}},
        {"tool": "remove_node", "args": {**MAIN, "nodePath": "Nowhere"}},
    ]
    body = await live.body("batch_operations", operations=operations, atomic=True)
    assert not body["ok"]
    assert await live.text() == before


async def test_two_nodes_keep_sharing_one_resource(live: Workbench) -> None:
    await live("duplicate_node", **MAIN, nodePath="Player/Shape", newName="Shape2")
    text = await live.text()
    assert text.count("[sub_resource") == 1


async def test_saving_is_left_to_the_editor(live: Workbench) -> None:
    await live("edit_node", **MAIN, nodePath="Player", properties={"position": [7, 8]})
    body = await live("save_scene", **MAIN)
    assert body["execution"]["mode"] == "live"
    assert "Vector2(7, 8)" in main_text(live.project)


async def test_a_change_made_on_files_is_taken_back_on_files_and_the_editor_follows(live: Workbench) -> None:
    content = main_text(live.project).replace('text = "Go"', 'text = "Come"')
    await live("write_file", path="main.tscn", content=content, overwrite=True)
    undone = await live("history", action="undo")
    assert undone["execution"]["mode"] == "files"
    assert 'text = "Go"' in await live.text()


async def test_several_edits_of_an_editor_are_taken_back_at_once_and_made_again(live: Workbench) -> None:
    before = await live.text()
    first = (await live("add_node", **MAIN, nodeType="Node2D", nodeName="One"))["execution"]["historyEntry"]
    await live("write_file", path="notes.txt", content="between")
    await live("add_node", **MAIN, nodeType="Node2D", nodeName="Two")
    await live("history", action="undo")
    await live("edit_node", **MAIN, nodePath="One", properties={"position": [3, 4]})
    after = await live.text()
    undone = await live("history", action="undo_to", entry=first - 1)
    assert undone["execution"]["mode"] == "live"
    assert await live.text() == before
    assert not (live.project / "notes.txt").exists()
    await live("history", action="undo", entry=undone["execution"]["historyEntry"])
    assert await live.text() == after
    assert (live.project / "notes.txt").read_text() == "between"
    await live("history", action="undo_to", entry=first - 1)
    assert await live.text() == before


async def test_what_cannot_be_taken_back_whole_is_left_as_it_is(live: Workbench) -> None:
    first = (await live("add_node", **MAIN, nodeType="Node2D", nodeName="One"))["execution"]["historyEntry"]
    await live.ask("scenewright.set_property", node_path="One", property="visible", value=False)
    await live("add_node", **MAIN, nodeType="Node2D", nodeName="Two")
    text = await live.text()
    body = await live.body("history", action="undo_to", entry=first - 1)
    assert body["error"]["code"] == "E_CONFLICT" or "edited" in body["error"]["message"]
    assert await live.text() == text


async def test_what_was_written_on_disk_and_edited_in_the_editor_is_taken_back_in_parts(live: Workbench) -> None:
    disk = main_text(live.project)
    written = await live("write_file", path="main.tscn", content=disk.replace("Go", "Come"), overwrite=True)
    entry = written["execution"]["historyEntry"]
    await live("add_node", **MAIN, nodeType="Node2D", nodeName="One")
    text = await live.text()
    body = await live.body("history", action="undo_to", entry=entry - 1)
    assert f"undo_to {entry}" in body["error"]["suggestedFix"]
    assert await live.text() == text
    await live("history", action="undo_to", entry=entry)
    await live("history", action="undo_to", entry=entry - 1)
    assert main_text(live.project) == disk
    assert 'text = "Go"' in await live.text()


async def test_a_refused_write_beside_an_edit_takes_the_edit_back(
    live: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await live.text()
    locked = live.project / "locked.txt"
    locked.write_text("mine")
    operations = [
        {"tool": "add_node", "args": {**MAIN, "nodeType": "Node2D", "nodeName": "One"}},
        {"tool": "write_file", "args": {"path": "locked.txt", "content": "theirs", "overwrite": True}},
    ]
    monkeypatch.setattr(live.caller.runtime.state.journal, "commit", _denied)
    body = await live.body("batch_operations", operations=operations, atomic=True)
    assert not body["ok"]
    assert await live.text() == before
    locked.unlink()


def _denied(*arguments: object, **options: object) -> None:
    from scenewright.core.faults import Denied

    raise Denied("The disk said no.")


async def test_a_script_that_comes_back_has_its_values_again(live: Workbench) -> None:
    await live("edit_node", **MAIN, nodePath="Button", properties={"count": 7})
    before = await live.text()
    assert "count = 7" in before
    await live("detach_script", **MAIN, nodePath="Button")
    assert "count" not in await live.text()
    await live("history", action="undo")
    assert await live.text() == before


async def test_baked_light_is_set_up_in_the_open_scene(live: Workbench) -> None:
    before, disk = await live.text(), main_text(live.project)
    await live.ask("scenewright.set_properties", node_path="Player", properties={"position": [5, 6]})
    made = await live("setup_lightmapper", **MAIN, quality="high")
    assert made["execution"]["mode"] == "live"
    assert 'type="LightmapGI"' in await live.text()
    assert main_text(live.project) == disk
    await live("history", action="undo")
    await live.ask("scenewright.undo")
    assert await live.text() == before


async def test_tiles_of_an_open_scene_are_painted_in_the_editor(live: Workbench) -> None:
    before, disk = await live.text(), main_text(live.project)
    await live("add_node", **MAIN, nodeType="TileMapLayer", nodeName="Ground")
    tiles = [{"position": [0, 0], "sourceId": 0, "atlasCoords": [0, 0]}]
    painted = await live("paint_tiles", **MAIN, tilemapNodePath="Ground", tiles=tiles)
    assert painted["execution"]["mode"] == "live"
    assert "tile_map_data" in await live.text()
    assert main_text(live.project) == disk
    await live("history", action="undo")
    await live("history", action="undo")
    assert await live.text() == before


@pytest.mark.parametrize(("old", "new"), [("button.gd", "knob.gd"), ("mob.tscn", "goblin.tscn")])
async def test_a_batch_edits_an_open_scene_and_moves_what_it_uses(live: Workbench, old: str, new: str) -> None:
    await live("edit_node", scenePath="main.tscn", nodePath="Button", properties={"count": 7, "target": "../Mob"})
    await live("save_scene", scenePath="main.tscn")
    before, start = await live.text(), (await live.ask("ping"))["timestamp"]
    moved = {"position": [5, 6]}
    calls = [
        {"tool": "edit_node", "args": {"scenePath": "main.tscn", "nodePath": "Player", "properties": moved}},
        {"tool": "move_file", "args": {"path": old, "newPath": new}},
    ]
    done = await live("batch_operations", operations=calls, atomic=True)
    after = await live.text()
    assert f'path="res://{new}"' in after
    assert f'path="res://{old}"' not in after
    kept = {'target = NodePath("../Mob")', "count = 7", "modulate = Color(0, 0, 1, 1)"}
    assert {"position = Vector2(5, 6)", *kept} <= set(after.splitlines())
    assert (await live.ask("get_errors", since=start))["errors"] == []
    await live("history", action="undo", entry=done["execution"]["historyEntry"])
    assert _without_ids(await live.text()) == _without_ids(before)


def _without_ids(text: str) -> str:
    """The engine gives a file that moves another id in the scene's text."""
    return re.sub(r' id="[^"]*"|ExtResource\("[^"]*"\)', "", text)
