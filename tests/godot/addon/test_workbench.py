"""The rest of what a person does at the editor: screens, scripts, panels, the log, saving everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.godot.addon.editor import Editor, running_editor
from tests.godot.addon.plain import PlainClient, Refused
from tests.godot.addon.project import FILES, make_project

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

PLAYER = "res://player.gd"
FIELD = "EditorInterface.get_script_editor().get_current_editor().get_base_editor()"


def test_a_script_is_brought_to_the_front_at_a_line(headless_editor: Editor, client: PlainClient) -> None:
    answer = client.call("scenewright.edit_script", path=PLAYER, line=6, column=2)
    assert {"path": PLAYER, "current": True, "unsaved": False} in answer["scripts"]
    assert headless_editor.ask(f'{FIELD}.call("get_caret_line")') == 5
    assert headless_editor.ask(f'{FIELD}.call("get_caret_column")') == 1
    assert client.call("scenewright.get_open_scripts")["scripts"] == answer["scripts"]


def test_a_script_with_text_that_is_not_saved_is_told_and_left_alone(
    headless_editor: Editor, client: PlainClient
) -> None:
    file = headless_editor.project / "player.gd"
    saved = file.read_text(encoding="utf-8")
    client.call("scenewright.edit_script", path=PLAYER)
    headless_editor.act(f'{FIELD}.call("insert_text_at_caret", "# mine\\n")')
    try:
        assert client.call("scenewright.get_state")["unsaved_scripts"] == [PLAYER]
        file.write_text(saved + "# theirs\n", encoding="utf-8")
        client.call("scenewright.reload_files", paths=[PLAYER])
        assert "# mine" in headless_editor.ask(f'{FIELD}.get("text")')
    finally:
        file.write_text(saved, encoding="utf-8")
        headless_editor.act(f'{FIELD}.call("undo")\n{FIELD}.call("tag_saved_version")')


def test_an_open_script_shows_what_its_file_holds_now(headless_editor: Editor, client: PlainClient) -> None:
    file = headless_editor.project / "player.gd"
    saved = file.read_text(encoding="utf-8")
    client.call("scenewright.edit_script", path=PLAYER)
    try:
        file.write_text(saved + "# theirs\n", encoding="utf-8")
        client.call("scenewright.reload_files", paths=[PLAYER])
        assert headless_editor.ask(f'{FIELD}.get("text")').endswith("# theirs\n")
        assert client.call("scenewright.get_state")["unsaved_scripts"] == []
    finally:
        file.write_text(saved, encoding="utf-8")
        client.call("scenewright.reload_files", paths=[PLAYER])


def test_a_breakpoint_is_set_and_taken_away(headless_editor: Editor, client: PlainClient) -> None:
    answer = client.call("scenewright.set_breakpoint", path=PLAYER, line=11)
    assert answer["breakpoints"] == [11]
    assert headless_editor.ask(f'{FIELD}.call("get_breakpointed_lines")') == [10]
    assert client.call("scenewright.set_breakpoint", path=PLAYER, line=11, enabled=False)["breakpoints"] == []


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("scenewright.edit_script", {"path": "res://none.gd"}, -32006),
        ("scenewright.edit_script", {"path": "res://main.tscn"}, -32006),
        ("scenewright.edit_script", {}, -32602),
        ("scenewright.set_breakpoint", {"path": PLAYER}, -32602),
        ("scenewright.set_breakpoint", {"path": PLAYER, "line": 5000}, -32602),
        ("scenewright.set_screen", {"screen": "4D"}, -32602),
        ("scenewright.read_panel", {"path": "Nowhere"}, -32006),
        ("scenewright.find_panels", {}, -32602),
        ("scenewright.get_log", {"pattern": "("}, -32602),
        ("scenewright.inspect", {}, -32602),
        ("scenewright.inspect", {"class_name": "Node", "node_path": "."}, -32602),
        ("scenewright.inspect", {"class_name": "Nod"}, -32001),
        ("scenewright.inspect", {"node_path": "Nobody"}, -32000),
        ("scenewright.inspect", {"instance_id": "1"}, -32000),
    ],
)
def test_what_does_not_fit_is_refused(client: PlainClient, method: str, params: dict[str, object], code: int) -> None:
    with pytest.raises(Refused) as refused:
        client.call(method, **params)
    assert refused.value.code == code


def test_the_main_screen_is_switched(headless_editor: Editor, client: PlainClient) -> None:
    shown = (
        'EditorInterface.get_editor_main_screen().find_children("*", "{}", true, false)[0].call("is_visible_in_tree")'
    )
    assert client.call("scenewright.set_screen", screen="script")["screen"] == "Script"
    assert headless_editor.ask(shown.format("ScriptEditor")) is True
    assert client.call("scenewright.set_screen", screen="2D")["screen"] == "2D"
    assert headless_editor.ask(shown.format("CanvasItemEditor")) is True
    assert headless_editor.ask(shown.format("ScriptEditor")) is False


def test_a_panel_is_found_and_read(client: PlainClient) -> None:
    found = client.call("scenewright.find_panels", query="SceneTreeDock", hidden=True)["panels"]
    assert found[0]["type"] == "SceneTreeDock"
    text = client.call("scenewright.read_panel", path=found[0]["path"])["text"]
    assert "Player" in text
    assert client.call("scenewright.read_panel", path="SceneTreeDock")["text"] == text
    short = client.call("scenewright.read_panel", path="SceneTreeDock", max_bytes=5)
    assert (short["text"], short["truncated"]) == (text[:5], True)


def test_of_the_panels_only_so_many_and_those_on_the_screen_are_listed(client: PlainClient) -> None:
    assert len(client.call("scenewright.find_panels", query="button", limit=3, hidden=True)["panels"]) == 3
    client.call("scenewright.set_screen", screen="2D")
    names = [row["type"] for row in client.call("scenewright.find_panels", query="ScriptEditor")["panels"]]
    assert "ScriptEditor" not in names


@pytest.mark.since_godot(4, 5)  # older editors show what is printed later than errors
def test_the_log_is_read_from_where_the_reader_was(headless_editor: Editor, client: PlainClient) -> None:
    start = client.call("scenewright.get_log", cursor=2**40)["cursor"]
    headless_editor.act('print("one")\nprint("two")\npush_error("three")\nprint("four")')
    answer = client.call("scenewright.get_log", cursor=start)
    assert [line["message"] for line in answer["entries"]] == ["one", "two", "three", "four"]
    assert client.call("scenewright.get_log", cursor=answer["cursor"])["entries"] == []
    only = client.call("scenewright.get_log", cursor=start, only_errors=True)["entries"]
    assert [line["message"] for line in only] == ["three"]
    some = client.call("scenewright.get_log", cursor=start, pattern="^t")["entries"]
    assert [line["message"] for line in some] == ["two", "three"]
    first = client.call("scenewright.get_log", cursor=start, max_matches=1)
    assert [line["message"] for line in first["entries"]] == ["one"]
    rest = client.call("scenewright.get_log", cursor=first["cursor"], max_bytes=8)
    assert [line["message"] for line in rest["entries"]] == ["two", "three"]
    assert rest["more"] is True


def test_the_output_is_cleared(headless_editor: Editor, client: PlainClient) -> None:
    headless_editor.act('print("gone soon")')
    client.call("scenewright.get_log")
    assert client.call("scenewright.clear_output")["cleared"] is True
    assert client.call("get_editor_log", filter="gone soon")["logs"] == []
    assert "gone soon" not in client.call("scenewright.read_panel", path="EditorLog")["text"]


def test_all_scenes_with_changes_are_saved_and_the_front_one_stays(
    headless_editor: Editor, client: PlainClient
) -> None:
    headless_editor.act('EditorInterface.open_scene_from_path("res://level.tscn")')
    client.call("scenewright.set_property", node_path="Spot", property="position", value="Vector2(5, 6)")
    client.call("scenewright.open_scene", scene_path="res://main.tscn")
    client.call("scenewright.set_property", node_path="Hud/Go", property="text", value="Went")
    answer = client.call("scenewright.save_all")
    assert sorted(answer["saved"]) == ["res://level.tscn", "res://main.tscn"]
    assert answer["failed"] == []
    assert "Vector2(5, 6)" in (headless_editor.project / "level.tscn").read_text(encoding="utf-8")
    assert 'text = "Went"' in (headless_editor.project / "main.tscn").read_text(encoding="utf-8")
    assert client.call("scenewright.get_state")["current_scene"] == "res://main.tscn"


def test_a_scene_whose_file_changed_meanwhile_is_not_saved_with_the_others(
    headless_editor: Editor, client: PlainClient
) -> None:
    client.call("scenewright.set_property", node_path="Hud/Go", property="text", value="Went")
    file = headless_editor.project / "main.tscn"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    answer = client.call("scenewright.save_all")
    assert answer["saved"] == []
    assert "changed on disk" in answer["failed"][0]["message"]
    assert client.call("scenewright.save_all", overwrite=True)["saved"] == ["res://main.tscn"]


def test_a_class_is_inspected(client: PlainClient) -> None:
    answer = client.call("scenewright.inspect", class_name="Node2D")
    assert answer["inherits"] == ["CanvasItem", "Node", "Object"]
    assert answer["properties"]["position"] == {"type": "Vector2"}
    assert "rotate(radians: float)" in answer["methods"]
    assert "visibility_changed()" in answer["signals"]


def test_a_node_and_what_it_holds_are_inspected(client: PlainClient) -> None:
    answer = client.call("scenewright.inspect", node_path="Player/Body")
    assert answer["class_name"] == "MeshInstance3D"
    mesh = client.call("scenewright.inspect", instance_id=answer["resources"]["mesh"])
    assert mesh["class_name"] == "BoxMesh"
    assert mesh["properties"]["size"] == {"type": "Vector3", "value": "Vector3(1, 1, 1)"}
    player = client.call("scenewright.inspect", node_path="Player")
    assert player["script"] == PLAYER
    assert player["properties"]["speed"]["value"] == 7.5
    assert "hit(damage: int)" in player["signals"]


ADD_TAB = """var tabs: Node = EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false)[0]
for button: Button in tabs.find_children("*", "Button", true, false):
	if button.tooltip_text.begins_with("Add a new scene"):
		button.pressed.emit()"""


def test_tabs_without_a_scene_or_a_file_are_not_taken_for_others(godot: Path, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (project / "level_two.tscn").write_text(FILES["level.tscn"].replace("level1", "level2"), encoding="utf-8")
    with running_editor(godot, project) as editor, editor.client() as client:
        editor.act('EditorInterface.open_scene_from_path("res://mob.tscn", true)')  # a new one that inherits from it
        (fresh,) = [scene for scene in client.call("scenewright.get_state")["scenes"] if not scene["path"]]
        assert (fresh["name"], fresh["current"], fresh["unsaved"]) == ("Mob", True, True)
        editor.act('EditorInterface.open_scene_from_path("res://level_two.tscn")')
        client.call("scenewright.set_property", node_path="Spot", property="position", value="Vector2(5, 6)")
        editor.act('EditorInterface.open_scene_from_path("res://level.tscn")')
        editor.act(ADD_TAB)
        unsaved = {scene["path"]: scene["unsaved"] for scene in client.call("scenewright.get_state")["scenes"]}
    assert (unsaved["res://level_two.tscn"], unsaved["res://level.tscn"], unsaved[""]) == (True, False, True)
