"""Open scenes and their files: whoever changes the file, nobody's work is lost without a word."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from anyio.lowlevel import checkpoint
from tests.godot.editor.conftest import Workbench, main_text

pytestmark = [pytest.mark.anyio, pytest.mark.godot, pytest.mark.xdist_group("editor")]

MAIN = {"scenePath": "main.tscn"}
DOCK = "EditorInterface.get_base_control().find_children('Scenewright', '', true, false)[0]"


async def value_of(live: Workbench, node: str, name: str) -> Any:
    """What the node itself says."""
    return await live.act(f"return var_to_str(root.get_node('{node}').get('{name}'))")


async def press(live: Workbench, button: str) -> None:
    """The person presses Stop or Start in the dock; the bridge cannot be asked whether that is done."""
    code = f"@tool\nextends RefCounted\nfunc act(_undo):\n\t{DOCK}.{button}.emit()\n"
    (live.project / "act.new").write_text(code, encoding="utf-8")
    (live.project / "act.new").replace(live.project / "act.flag")
    while (live.project / "act.flag").exists():
        await checkpoint()


async def close(live: Workbench) -> None:
    """The person closes the scene in front, as the cross on its tab does."""
    tabs = "find_children('*', 'EditorSceneTabs', true, false)[0].find_children('*', 'TabBar', true, false)[0]"
    await live.act(f"var bar = EditorInterface.get_base_control().{tabs}\nbar.tab_close_pressed.emit(bar.current_tab)")


def rewrite(project: Path, old: str, new: str, name: str = "main.tscn") -> None:
    """Another program changes a file."""
    text = (project / name).read_text(encoding="utf-8")
    assert old in text
    (project / name).write_text(text.replace(old, new), encoding="utf-8")


async def test_what_was_written_while_the_bridge_was_stopped_is_in_the_editor_after_its_start(live: Workbench) -> None:
    await live("save_scene", **MAIN)
    await press(live, "stop_wanted")
    body = await live("set_property", **MAIN, nodePath="Player", property="position", value=[70, 80])
    assert body["execution"]["mode"] == "files"
    await press(live, "start_wanted")
    while not (await live.result("editor_status"))["connected"]:
        continue
    await live("add_node", **MAIN, nodeType="Node2D", nodeName="New")
    assert await value_of(live, "Player", "position") == "Vector2(70, 80)"
    await live("save_scene", **MAIN)
    assert "position = Vector2(70, 80)" in main_text(live.project)
    assert 'name="New"' in main_text(live.project)


async def test_a_clean_scene_that_another_program_changes_is_loaded_before_it_is_edited(live: Workbench) -> None:
    rewrite(live.project, "Vector2(1, 2)", "Vector2(9, 2)")
    body = await live("set_property", **MAIN, nodePath="Player", property="rotation", value=0.5)
    assert body["execution"]["mode"] == "live"
    assert any("changed on disk and is reloaded" in warning for warning in body["warnings"])
    assert await value_of(live, "Player", "position") == "Vector2(9, 2)"
    assert (await live.result("get_property", **MAIN, nodePath="Player", property="position"))[
        "value"
    ] == "Vector2(9, 2)"


async def test_a_clean_scene_is_loaded_anew_though_nobody_calls(live: Workbench) -> None:
    rewrite(live.project, "Vector2(1, 2)", "Vector2(9, 3)")
    answer = live.project / "answer.txt"
    while True:  # the person looks, which is no call
        answer.write_text("")
        await live.person("question", "str(editor.get_edited_scene_root().get_node('Player').position)")
        if json.loads(answer.read_text()) == "(9.0, 3.0)":
            return


async def test_a_change_in_the_same_second_and_of_the_same_length_is_noticed(live: Workbench) -> None:
    for number in range(3, 9):
        rewrite(live.project, f"Vector2(1, {number - 1})", f"Vector2(1, {number})")
        read = await live.result("get_property", **MAIN, nodePath="Player", property="position")
        assert read["value"] == f"Vector2(1, {number})"


def rewrite_with_its_time(project: Path, old: str, new: str) -> None:
    """Another program changes a file and gives it its old time, as one that restores a backup may."""
    file = project / "main.tscn"
    os.utime(file, (1_700_000_000, 1_700_000_000))
    rewrite(project, old, new)
    os.utime(file, (1_700_000_000, 1_700_000_000))


async def test_a_change_behind_the_same_time_is_noticed_by_its_length(live: Workbench) -> None:
    os.utime(live.project / "main.tscn", (1_700_000_000, 1_700_000_000))
    await live("get_node_tree", **MAIN)
    rewrite_with_its_time(live.project, "Vector2(1, 2)", "Vector2(11, 22)")
    read = await live.result("get_property", **MAIN, nodePath="Player", property="position")
    assert read["value"] == "Vector2(11, 22)"


async def test_a_change_behind_the_same_time_and_length_is_not_saved_over(live: Workbench) -> None:
    os.utime(live.project / "main.tscn", (1_700_000_000, 1_700_000_000))
    await live("get_node_tree", **MAIN)
    await live.move("Button", 5, 5)
    rewrite_with_its_time(live.project, "Vector2(1, 2)", "Vector2(1, 9)")
    theirs = main_text(live.project)
    refused = await live.body("save_scene", **MAIN)
    assert "changed on disk since it was opened here" in refused["error"]["message"]
    assert main_text(live.project) == theirs
    await live.act("EditorInterface.save_scene_as('res://main.tscn', false)")
    (said,) = [each for each in (await live("get_node_tree", **MAIN))["warnings"] if "saved over" in each]
    assert Path(said.rpartition("kept in ")[2].removesuffix(".")).read_text(encoding="utf-8") == theirs


async def test_a_scene_with_changes_on_both_sides_is_not_edited_and_says_what_to_do(live: Workbench) -> None:
    await live.move("Button", 5, 5)
    rewrite(live.project, "Vector2(1, 2)", "Vector2(9, 4)")
    disk, text = main_text(live.project), await live.text()
    for tool, arguments in (
        ("set_property", {"nodePath": "Player", "property": "rotation", "value": 1}),
        ("add_node", {"nodeType": "Node2D", "nodeName": "New"}),
    ):
        refused = await live.body(tool, **MAIN, **arguments)
        assert not refused["ok"]
        assert "changed on disk and has unsaved changes" in refused["error"]["message"]
        assert "Save it under another name, or reload it" in refused["error"]["message"]
    direct = await live.body(
        "godot_run_action", action="set_property", params={"node_path": "Player", "property": "rotation", "value": 1}
    )
    assert "changed on disk and has unsaved changes" in direct["error"]["message"]
    read = await live("get_node_properties", **MAIN, nodePath="Player")
    assert "This is what the editor has." in " ".join(read["warnings"])
    assert (await live.text(), main_text(live.project)) == (text, disk)
    await live.ask("scenewright.undo")
    await live("set_property", **MAIN, nodePath="Player", property="rotation", value=1)
    assert await value_of(live, "Player", "position") == "Vector2(9, 4)"


async def test_a_save_over_a_changed_file_is_told_and_what_it_held_is_kept(live: Workbench) -> None:
    await live.move("Button", 5, 5)
    rewrite(live.project, "Vector2(1, 2)", "Vector2(9, 5)")
    theirs = main_text(live.project)
    await live.act("EditorInterface.save_scene_as('res://main.tscn', false)")
    body = await live("get_node_tree", **MAIN)
    (said,) = [warning for warning in body["warnings"] if "saved over" in warning]
    kept = said.rpartition("kept in ")[2].removesuffix(".").removeprefix("res://")
    assert (live.project / kept).read_text(encoding="utf-8") == theirs
    assert (live.project / kept).stat().st_mode & 0o077 == 0


async def test_a_scene_inside_others_that_changes_on_disk_changes_in_them(live: Workbench) -> None:
    rewrite(live.project, "Vector2(3, 4)", "Vector2(30, 4)", "mob.tscn")
    read = await live.result("get_property", **MAIN, nodePath="Mob/Eye", property="position")
    assert read["value"] == "Vector2(30, 4)"
    assert await value_of(live, "Mob/Eye", "position") == "Vector2(30, 4)"


async def test_the_values_of_a_script_that_changes_on_disk_are_its_new_ones(live: Workbench) -> None:
    rewrite(live.project, "var count: int = 1", "var count: int = 41\n@export var more: String = 'x'", "button.gd")
    read = await live.result("get_property", **MAIN, nodePath="Button", property="count")
    assert read["value"] == 41
    assert (await live.result("get_property", **MAIN, nodePath="Button", property="more"))["value"] == "x"


async def test_a_scene_in_another_tab_is_brought_up_to_date_there(live: Workbench) -> None:
    await live.ask("scenewright.open_scene", scene_path="res://mob.tscn")
    await live.ask("scenewright.open_scene", scene_path="res://main.tscn")
    rewrite(live.project, "Vector2(3, 4)", "Vector2(31, 4)", "mob.tscn")
    await live("edit_node", scenePath="mob.tscn", nodePath="Eye", properties={"rotation": 1.5})
    assert await value_of(live, "Eye", "position") == "Vector2(31, 4)"
    await live("history", action="undo")
    await close(live)
    assert await value_of(live, "Mob/Eye", "position") == "Vector2(31, 4)"


async def test_a_scene_whose_file_is_gone_is_not_edited(live: Workbench) -> None:
    (live.project / "main.tscn").unlink()
    refused = await live.body("set_property", **MAIN, nodePath="Player", property="rotation", value=1)
    assert "The file of res://main.tscn is gone" in refused["error"]["message"]
    read = await live("get_property", **MAIN, nodePath="Player", property="position")
    assert read["result"]["value"] == "Vector2(1, 2)"


async def test_a_file_that_is_no_scene_any_more_leaves_the_open_one_alone(live: Workbench) -> None:
    await live.move("Player", 6, 7)
    (live.project / "main.tscn").write_text("<<<<<<< HEAD\n", encoding="utf-8")
    refused = await live.body("set_property", **MAIN, nodePath="Player", property="rotation", value=1)
    assert "changed on disk and has unsaved changes" in refused["error"]["message"]
    await live.ask("scenewright.undo")
    refused = await live.body("set_property", **MAIN, nodePath="Player", property="rotation", value=1)
    assert "can no longer be loaded" in refused["error"]["message"]
    assert await value_of(live, "Player", "position") == "Vector2(1, 2)"


async def test_a_reload_leaves_a_selected_instance_selected(live: Workbench) -> None:
    await live("select_nodes", nodePath="Mob")
    rewrite(live.project, "Vector2(1, 2)", "Vector2(9, 6)")
    await live("get_node_tree", **MAIN)
    assert (await live.ask("get_selected_nodes"))["selection_count"] == 1
