"""Scenes in several tabs of a real editor: what the person has in front stays there unless it is edited elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.godot.editor.conftest import Workbench

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

HEIR = """[gd_scene format=3 uid="uid://blive0heir001"]

[ext_resource type="PackedScene" path="res://main.tscn" id="1"]

[node name="Main" instance=ExtResource("1")]
"""
MAIN, MOB = "res://main.tscn", "res://mob.tscn"


async def front(bench: Workbench) -> str:
    return str((await bench.ask("scenewright.get_state"))["current_scene"])


async def tabs(bench: Workbench) -> dict[str, bool]:
    """The open scenes, and whether they have unsaved changes."""
    return {row["path"]: row["unsaved"] for row in (await bench.ask("scenewright.get_state"))["scenes"]}


@pytest.fixture
async def both(live: Workbench) -> AsyncIterator[Workbench]:
    """main.tscn in front, and mob.tscn, which it instances twice, in another tab with unsaved changes of the person."""
    await live.ask("scenewright.open_scene", scene_path=MOB)
    await live.ask("scenewright.set_properties", node_path="Eye", properties={"position": "Vector2(8, 8)"})
    await live.ask("scenewright.open_scene", scene_path=MAIN)
    yield live
    if (await tabs(live)).get(MOB):
        await live.ask("scenewright.undo", scene=MOB)
        await live.ask("scenewright.save_scene", scene=MOB)


async def test_a_scene_is_edited_while_one_inside_it_has_unsaved_changes_in_another_tab(both: Workbench) -> None:
    body = await both("edit_node", scenePath="main.tscn", nodePath="Open/Eye", properties={"rotation": 1.5})
    assert body["execution"]["mode"] == "live"
    assert "rotation = 1.5" in await both.text()
    assert await front(both) == MAIN
    assert (await tabs(both))[MOB] is True


async def test_a_scene_is_edited_after_one_inside_it_was_saved_in_another_tab(both: Workbench) -> None:
    await both.ask("scenewright.save_scene", scene=MOB)
    await both("edit_node", scenePath="main.tscn", nodePath="Open/Eye", properties={"rotation": 1.5})
    assert "rotation = 1.5" in await both.text()
    assert await front(both) == MAIN


@pytest.mark.since_godot(4, 5)  # which shows the scenes of other tabs
async def test_what_is_unsaved_in_another_tab_is_read_and_stays_there(both: Workbench) -> None:
    node = await both.result("get_node_properties", scenePath="mob.tscn", nodePath="Eye")
    assert node["properties"]["position"] == "Vector2(8, 8)"
    assert await front(both) == MAIN


async def test_an_edit_of_a_scene_in_another_tab_keeps_what_the_person_did_there(both: Workbench) -> None:
    body = await both("edit_node", scenePath="mob.tscn", nodePath="Eye", properties={"rotation": 1.5})
    assert body["execution"]["mode"] == "live"
    text = (await both.ask("scenewright.scene_text", scene=MOB))["text"]
    assert "position = Vector2(8, 8)" in text
    assert "rotation = 1.5" in text
    assert await front(both) == MOB
    await both("history", action="undo")


async def test_a_saved_scene_in_another_tab_is_edited_there_and_not_on_the_disk(live: Workbench) -> None:
    await live.ask("scenewright.open_scene", scene_path=MOB)
    await live.ask("scenewright.open_scene", scene_path=MAIN)
    on_disk = (live.project / "mob.tscn").read_text(encoding="utf-8")
    body = await live("edit_node", scenePath="mob.tscn", nodePath="Eye", properties={"rotation": 1.5})
    assert body["execution"]["mode"] == "live"
    assert (live.project / "mob.tscn").read_text(encoding="utf-8") == on_disk
    assert "rotation = 1.5" in (await live.ask("scenewright.scene_text", scene=MOB))["text"]
    await live("history", action="undo")
    assert (await tabs(live))[MOB] is False


async def test_a_scene_that_is_renamed_is_open_under_its_new_name_and_back(live: Workbench) -> None:
    (live.project / "heir.tscn").write_text(HEIR, encoding="utf-8")
    await live.ask("scenewright.reload_files", paths=["res://heir.tscn"])
    await live.ask("scenewright.open_scene", scene_path="res://heir.tscn")
    await live("rename_scene", scenePath="heir.tscn", newPath="child.tscn")
    assert await front(live) == "res://child.tscn"
    assert "res://heir.tscn" not in await tabs(live)
    await live("history", action="undo")
    assert await front(live) == "res://heir.tscn"
    await live("delete_scene", scenePath="heir.tscn", force=True)
    assert not {"res://heir.tscn", "res://child.tscn"} & (await tabs(live)).keys()
    await live("history", action="undo")
    assert (live.project / "heir.tscn").read_text(encoding="utf-8") == HEIR
    (live.project / "heir.tscn").unlink()
    await live.ask("scenewright.reload_files", paths=["res://heir.tscn"])


async def test_moving_what_an_open_scene_uses_mends_the_scene_and_its_file(live: Workbench) -> None:
    moved = await live.result("move_file", path="button.gd", newPath="knob.gd")
    assert [row["path"] for row in moved["references"]] == [MAIN]
    assert 'path="res://knob.gd"' in (live.project / "main.tscn").read_text(encoding="utf-8")
    assert 'path="res://knob.gd"' in await live.text()
    assert (await tabs(live))[MAIN] is False
    await live("history", action="undo")
    assert 'path="res://button.gd"' in await live.text()


async def test_the_open_editor_brings_its_caches_up_to_date_with_a_move(live: Workbench) -> None:
    cache = live.project / ".godot" / "uid_cache.bin"
    assert b"res://mob.tscn" in cache.read_bytes()
    moved = await live("move_file", path="mob.tscn", newPath="goblin.tscn")
    assert "warnings" not in moved, moved["warnings"]
    assert b"res://goblin.tscn" in cache.read_bytes()  # the engine appends: what comes last counts
    await live("history", action="undo")


async def test_nothing_that_a_scene_with_unsaved_changes_uses_is_moved(live: Workbench) -> None:
    await live.ask("scenewright.set_properties", node_path="Player", properties={"position": "Vector2(5, 5)"})
    body = await live.body("move_file", path="button.gd", newPath="knob.gd")
    assert "main.tscn' is open in the editor with unsaved changes" in body["error"]["message"]
    assert (live.project / "button.gd").exists()
