"""Edits: what they answer, that one undo takes each back exactly, and that nothing is saved unless asked."""

from __future__ import annotations

from typing import Any

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient, Refused
from tests.godot.addon.project import FILES

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]

MAIN, PLAYER = "/root/Main", "/root/Main/Player"
BOX = {"$resource": "BoxShape3D", "props": {"size": "Vector3(1, 2, 3)"}}
EDITS: dict[str, tuple[str, dict[str, Any]]] = {
    "add": ("add_node", {"parent_path": PLAYER, "type": "Sprite3D", "name": "Bar", "index": 0, "groups": ["ui"]}),
    "add with values": (
        "add_node",
        {"parent_path": PLAYER, "type": "CollisionShape3D", "properties": {"shape": BOX, "position": [1, 2, 3]}},
    ),
    "add with script": (
        "add_node",
        {"parent_path": MAIN, "type": "CharacterBody3D", "script": "res://player.gd", "properties": {"speed": 2}},
    ),
    "add unique": ("add_node", {"parent_path": MAIN, "type": "Node3D", "name": "Only", "unique_name": True}),
    "instance": ("instance_scene", {"parent_path": MAIN, "scene_path": "res://mob.tscn", "name": "Second"}),
    "remove": ("remove_node", {"node_path": PLAYER}),
    "remove instance": ("remove_node", {"node_path": "Mob"}),
    "rename": ("rename_node", {"node_path": PLAYER, "name": "Hero"}),
    "rename root": ("rename_node", {"node_path": MAIN, "name": "World"}),
    "move": ("move_node", {"node_path": PLAYER, "new_parent_path": "Enemy"}),
    "move control": ("move_node", {"node_path": "Hud/Go", "new_parent_path": "Hud/Panel", "index": 0}),
    "reorder": ("reorder_node", {"node_path": "Hud", "index": 1}),
    "duplicate": ("duplicate_node", {"node_path": PLAYER}),
    "set": ("set_properties", {"node_path": PLAYER, "properties": {"velocity": "Vector3(1, 2, 3)", "speed": 9}}),
    "set part": ("set_properties", {"node_path": PLAYER, "properties": {"position:y": 4}}),
    "set layout": ("set_properties", {"node_path": "Hud/Panel", "properties": {"anchors_preset": 15, "size": [5, 6]}}),
    "set resource": ("set_properties", {"node_path": "%Body", "properties": {"mesh": {"$resource": "SphereMesh"}}}),
    "set node": ("set_properties", {"node_path": PLAYER, "properties": {"target": "../Mob"}}),
    "reset": ("reset_properties", {"node_path": PLAYER, "properties": ["speed", "floor_max_angle"]}),
    "groups": ("set_groups", {"node_path": PLAYER, "add": ["a", "b"], "remove": ["heroes"]}),
    "unique": ("set_unique_name", {"node_path": PLAYER, "unique": True}),
    "not unique": ("set_unique_name", {"node_path": "%Body", "unique": False}),
    "connect": (
        "connect_signal",
        {"node_path": PLAYER, "signal": "hit", "target_path": MAIN, "method": "queue_free", "unbinds": 1},
    ),
    "disconnect": (
        "disconnect_signal",
        {"node_path": "Hud/Go", "signal": "pressed", "target_path": PLAYER, "method": "on_pressed"},
    ),
    "attach": ("attach_script", {"node_path": "Enemy", "script_path": "res://player.gd"}),
    "detach": ("detach_script", {"node_path": PLAYER}),
    "batch": (
        "batch",
        {
            "calls": [
                {"method": "add_node", "params": {"parent_path": MAIN, "type": "Node3D", "name": "Box"}},
                {"method": "scenewright.move_node", "params": {"node_path": PLAYER, "new_parent_path": "Box"}},
                {"method": "set_property", "params": {"node_path": "Box/Player", "property": "speed", "value": 1.5}},
                {"method": "delete_node", "params": {"node_path": "Enemy"}},
            ]
        },
    ),
}


def text_of(client: PlainClient) -> str:
    return str(client.call("scenewright.scene_text")["text"])


@pytest.mark.parametrize("name", EDITS)
def test_one_undo_takes_an_edit_back_exactly_and_redo_brings_it_again(client: PlainClient, name: str) -> None:
    method, params = EDITS[name]
    before = text_of(client)
    answer = client.call(f"scenewright.{method}", **params)
    after = text_of(client)
    assert after != before
    undone = client.call("scenewright.undo")
    assert [title.split(":")[0].split(" ")[0] for title in undone["done"]] == [method]
    assert undone["revision"] > answer["revision"]
    assert text_of(client) == before
    client.call("scenewright.redo")
    assert text_of(client) == after
    assert client.call("scenewright.get_history")["can_redo"] is False


ACTIONS: dict[str, dict[str, Any]] = {
    "set_property": {"node_path": PLAYER, "property": "velocity", "value": "Vector3(0, 0, 0.5)"},
    "create_node": {"parent_path": PLAYER, "node_type": "Sprite3D", "name": "HealthBar"},
    "delete_node": {"node_path": PLAYER},
}


@pytest.mark.parametrize("action", ACTIONS)
def test_one_undo_takes_an_action_back(client: PlainClient, action: str) -> None:
    before = text_of(client)
    client.act(action, **ACTIONS[action])
    after = text_of(client)
    assert after != before
    client.call("scenewright.undo")
    assert text_of(client) == before
    client.call("scenewright.redo")
    assert text_of(client) == after


def test_a_persons_own_undo_takes_an_edit_back(headless_editor: Editor, client: PlainClient) -> None:
    before = text_of(client)
    client.call("scenewright.add_node", parent_path=MAIN, type="Node3D", name="New")
    headless_editor.act(
        "var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()\n"
        "var root: Node = EditorInterface.get_edited_scene_root()\n"
        "var _u: bool = manager.get_history_undo_redo(manager.get_object_history_id(root)).undo()"
    )
    assert text_of(client) == before


def test_set_property_tells_the_old_and_the_new_value(client: PlainClient) -> None:
    answer = client.act("set_property", node_path=PLAYER, property="velocity", value="Vector3(5.5, -9.5, 0)")
    assert answer["node_path"] == PLAYER
    assert answer["property"] == "velocity"
    assert (answer["old_value"], answer["new_value"]) == ("Vector3(0, 0, 0)", "Vector3(5.5, -9.5, 0)")


def test_create_node_tells_where_the_node_is(client: PlainClient) -> None:
    answer = client.act("create_node", parent_path=PLAYER, node_type="Sprite3D", name="HealthBar")
    assert answer["node_path"] == f"{PLAYER}/HealthBar"
    assert answer["node_type"] == "Sprite3D"
    assert answer["data"]["path"] == answer["node_path"]
    assert (
        client.act("create_node", parent_path=PLAYER, node_type="Sprite3D", name="HealthBar")["node_path"]
        != (answer["node_path"])
    )


def test_arguments_may_come_in_the_older_form(client: PlainClient) -> None:
    older = client.call("execute_action", action="create_node", params={"parent_path": MAIN, "node_type": "Node3D"})
    loose = client.call("execute_action", action="create_node", parent_path=MAIN, node_type="Node3D")
    assert older["node_path"] == f"{MAIN}/Node3D"
    assert loose["node_path"] == f"{MAIN}/Node3D2"


@pytest.mark.parametrize(
    ("path", "name", "value", "read"),
    [
        (PLAYER, "position", [1, 2.5, 3], "Vector3(1, 2.5, 3)"),
        (PLAYER, "position", {"x": 1, "y": 2, "z": 3}, "Vector3(1, 2, 3)"),
        (PLAYER, "collision_layer", 5, 5),
        (PLAYER, "motion_mode", "Floating", 1),
        (PLAYER, "visible", False, False),
        (PLAYER, "speed", 3, 3.0),
        (PLAYER, "transform", [1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9], "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)"),
        ("Hud/Panel", "color", "#ff3300", "Color(1, 0.2, 0, 1)"),
        ("Hud/Panel", "color", "green", "Color(0, 1, 0, 1)"),
        ("Hud/Go", "text", "Vector3(0, 0, 0)", "Vector3(0, 0, 0)"),
        ("Link", "node_a", "../Enemy", 'NodePath("../Enemy")'),
        ("Mob", "script", None, None),
    ],
)
def test_a_value_is_taken_by_the_propertys_type(
    client: PlainClient, path: str, name: str, value: Any, read: Any
) -> None:
    if name == "script":
        with pytest.raises(Refused) as refused:
            client.call("scenewright.set_properties", node_path=path, properties={name: value})
        assert "attach_script" in refused.value.message
        return
    answer = client.call("scenewright.set_properties", node_path=path, properties={name: value})
    assert answer["properties"][name]["new_value"] == read


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("position", "up"),
        ("position", [1, 2]),
        ("visible", "maybe"),
        ("collision_layer", 1.5),
        ("motion_mode", "Flying"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_nothing_changes(client: PlainClient, name: str, value: Any) -> None:
    before = text_of(client)
    with pytest.raises(Refused) as refused:
        client.act("set_property", node_path=PLAYER, property=name, value=value)
    assert refused.value.code == -32602
    assert refused.value.data["property"] == name
    assert text_of(client) == before


def test_an_unknown_property_is_named_with_others_like_it(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.act("set_property", node_path=PLAYER, property="velocty", value=0)
    assert refused.value.code == -32602
    assert refused.value.data["similar"][0] == "velocity"


def test_an_unknown_class_cannot_be_made(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.act("create_node", parent_path=MAIN, node_type="Sprite4D")
    assert refused.value.code == -32001
    assert "Sprite3D" in refused.value.data["similar_classes"]


@pytest.mark.parametrize("path", ["Mob/Eye", MAIN])
def test_what_the_scene_does_not_own_cannot_be_removed(client: PlainClient, path: str) -> None:
    with pytest.raises(Refused) as refused:
        client.act("delete_node", node_path=path)
    assert refused.value.code == -32002


def test_a_scene_cannot_contain_itself(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("scenewright.instance_scene", parent_path=MAIN, scene_path="res://main.tscn")
    assert refused.value.code == -32002


def test_what_points_at_a_renamed_node_follows_it(client: PlainClient) -> None:
    answer = client.call("scenewright.rename_node", node_path=PLAYER, name="Hero")
    assert answer["updated_references"] == 2
    text = text_of(client)
    assert 'node_a = NodePath("../Hero")' in text
    assert 'tracks/0/path = NodePath("Hero/Body:visible")' in text


def test_a_moved_node_stays_where_it_is_in_space(client: PlainClient) -> None:
    client.call("scenewright.move_node", node_path=PLAYER, new_parent_path="Enemy")
    answer = client.call("scenewright.get_properties", node_path="Enemy/Player", properties=["global_position"])
    assert answer["nodes"][0]["properties"]["global_position"] == "Vector3(0.5, 0, 0)"


def test_a_batch_that_fails_leaves_nothing_behind(client: PlainClient) -> None:
    before = text_of(client)
    calls = [
        {"method": "add_node", "params": {"parent_path": MAIN, "type": "Node3D", "name": "Box"}},
        {"method": "remove_node", "params": {"node_path": PLAYER}},
        {"method": "rename_node", "params": {"node_path": "Enemy", "name": "a/b"}},
    ]
    with pytest.raises(Refused) as refused:
        client.call("scenewright.batch", calls=calls)
    assert refused.value.data["failed_index"] == 2
    assert refused.value.data["rolled_back"] is True
    assert text_of(client) == before
    assert client.call("scenewright.get_history")["can_undo"] is False


def test_nothing_is_saved_until_it_is_asked_for_and_then_what_was_shown(
    headless_editor: Editor, client: PlainClient
) -> None:
    file = headless_editor.project / "main.tscn"
    client.act("set_property", node_path=PLAYER, property="speed", value=1.25)
    assert file.read_text(encoding="utf-8") == FILES["main.tscn"]
    [scene] = [scene for scene in client.call("scenewright.get_state")["scenes"] if scene["current"]]
    assert scene["unsaved"] is True
    shown = text_of(client)
    client.act("save_scene")
    assert file.read_text(encoding="utf-8") == shown
    assert not any(scene["unsaved"] for scene in client.call("scenewright.get_state")["scenes"])


def test_a_file_that_changed_meanwhile_is_not_overwritten(headless_editor: Editor, client: PlainClient) -> None:
    file = headless_editor.project / "main.tscn"
    client.act("set_property", node_path=PLAYER, property="speed", value=1.25)
    theirs = FILES["main.tscn"].replace('text = "Go"', 'text = "Stop"')
    file.write_text(theirs, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        client.act("save_scene")
    assert refused.value.code == -32002
    assert file.read_text(encoding="utf-8") == theirs
    client.act("save_scene", overwrite=True)
    assert "speed = 1.25" in file.read_text(encoding="utf-8")


def test_a_scene_that_cannot_be_saved_is_an_internal_error(headless_editor: Editor, client: PlainClient) -> None:
    folder = headless_editor.project / "rooms"
    folder.mkdir()
    (folder / "room.tscn").write_text(FILES["level.tscn"].replace("level1", "room01"), encoding="utf-8")
    client.call("scenewright.open_scene", scene_path="res://rooms/room.tscn")
    (folder / "room.tscn").unlink()
    folder.rmdir()
    with pytest.raises(Refused) as refused:
        client.act("save_scene")
    assert refused.value.code == -32603
    assert refused.value.data["suggestion"]
    headless_editor.close_scene()


def test_a_scene_is_reloaded_unless_something_would_be_lost(headless_editor: Editor, client: PlainClient) -> None:
    client.act("set_property", node_path=PLAYER, property="speed", value=1.25)
    with pytest.raises(Refused) as refused:
        client.act("reload_scene")
    assert refused.value.code == -32002
    assert "unsaved" in refused.value.data["reason"]
    client.act("reload_scene", discard_unsaved=True)
    assert "speed = 7.5" in text_of(client)
    theirs = FILES["main.tscn"].replace("speed = 7.5", "speed = 8.5")
    (headless_editor.project / "main.tscn").write_text(theirs, encoding="utf-8")
    client.act("reload_scene")
    assert "speed = 8.5" in text_of(client)


def test_files_that_changed_are_taken_in_where_nothing_is_lost(headless_editor: Editor, client: PlainClient) -> None:
    theirs = FILES["main.tscn"].replace("speed = 7.5", "speed = 8.5")
    (headless_editor.project / "main.tscn").write_text(theirs, encoding="utf-8")
    answer = client.call("scenewright.reload_files", paths=["res://main.tscn"])
    assert answer["kept_scenes"] == []
    assert "speed = 8.5" in text_of(client)
    client.act("set_property", node_path=PLAYER, property="speed", value=1.25)
    (headless_editor.project / "main.tscn").write_text(FILES["main.tscn"], encoding="utf-8")
    assert client.call("scenewright.reload_files")["kept_scenes"] == ["res://main.tscn"]
    assert "speed = 1.25" in text_of(client)


def test_an_unchanged_text_is_not_sent_again(client: PlainClient) -> None:
    first = client.call("scenewright.scene_text")
    again = client.call("scenewright.scene_text", since=first["revision"])
    assert again["unchanged"] is True
    assert "text" not in again
    client.act("set_property", node_path=PLAYER, property="speed", value=1.25)
    assert "speed = 1.25" in client.call("scenewright.scene_text", since=first["revision"])["text"]


def test_an_edit_can_name_another_open_scene(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("scenewright.set_properties", scene="res://mob.tscn", node_path=".", properties={"visible": False})
    assert refused.value.code == -32006
    client.call("scenewright.open_scene", scene_path="res://level.tscn")
    client.call("scenewright.open_scene", scene_path="res://main.tscn")
    client.call(
        "scenewright.set_properties", scene="res://level.tscn", node_path="Spot", properties={"position": [1, 2]}
    )
    assert "Vector2(1, 2)" in client.call("scenewright.scene_text", scene="res://level.tscn")["text"]
    client.call("scenewright.undo")


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("instance_scene", {"parent_path": MAIN, "scene_path": "res://../outside.tscn"}),
        ("instance_scene", {"parent_path": MAIN, "scene_path": "res://a/../../outside.tscn"}),
        ("instance_scene", {"parent_path": MAIN, "scene_path": "res://..\\outside.tscn"}),
        ("open_scene", {"scene_path": "res://../outside.tscn"}),
        ("attach_script", {"node_path": "Enemy", "script_path": "res://../outside.gd"}),
        ("add_node", {"parent_path": MAIN, "type": "Node", "script": "res://../outside.gd"}),
        ("set_properties", {"node_path": "%Body", "properties": {"mesh": "res://../outside.tres"}}),
        ("set_properties", {"node_path": "%Body", "properties": {"mesh": 'load("res://../outside.tres")'}}),
    ],
)
def test_nothing_outside_the_project_is_loaded_into_the_editor(
    headless_editor: Editor, client: PlainClient, method: str, arguments: dict[str, Any]
) -> None:
    outside = headless_editor.project.parent
    (outside / "outside.tscn").write_text('[gd_scene format=3]\n\n[node name="Secret" type="Node3D"]\n')
    (outside / "outside.gd").write_text("extends Node\n")
    (outside / "outside.tres").write_text('[gd_resource type="BoxMesh" format=3]\n\n[resource]\n')
    with pytest.raises(Refused):
        client.call(f"scenewright.{method}", **arguments)


@pytest.mark.parametrize(
    "literal",
    [
        'Object(GDScript, "script/source": "{code}")',
        'Object (GDScript, "script/source": "{code}")',
        '[Object ; so\n(GDScript, "script/source": "{code}")]',
        'Resource ("res://../outside.tres")',
        '["\\"", Resource("res://mob.tscn")]',
    ],
)
def test_a_literal_makes_no_objects(client: PlainClient, literal: str) -> None:
    """The engine would make one, and run its static initialisers, before anybody could look at its type."""
    given = {"velocity": {"$literal": literal.replace("{code}", "@tool\\nstatic var x = OS.get_name()")}}
    with pytest.raises(Refused) as refused:
        client.call("scenewright.set_properties", node_path=PLAYER, properties=given)
    assert "makes no objects" in refused.value.message
