"""The methods that read: scene, nodes, selection, editor, docs; with the shapes of the Godoty protocol."""

from __future__ import annotations

import pytest
from tests.godot.addon.editor import Editor
from tests.godot.addon.plain import PlainClient, Refused

LOUD = """@tool
extends CharacterBody3D

@export var volume: int = 0:
	set(value):
		push_error("too loud")
		volume = value
"""

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-editor")]


def test_ping_answers_with_the_time(client: PlainClient) -> None:
    answer = client.call("ping")
    assert answer["pong"] is True
    assert answer["timestamp"] > 1_700_000_000


def test_the_editor_tells_about_itself(headless_editor: Editor, client: PlainClient) -> None:
    client.act("select_node", node_path="/root/Main/Player")
    info = client.call("get_editor_info")
    version = info["godot_version"]
    assert version["string"] == f"{version['major']}.{version['minor']}.{version['patch']}.{version['status']}"
    assert info["plugin_version"] == "1.0.0"
    assert info["project"] == {
        "name": "Protocol",
        "path": str(headless_editor.project),
        "main_scene": "res://main.tscn",
    }
    assert info["editor_state"] == {
        "current_scene": "res://main.tscn",
        "is_game_running": False,
        "selected_nodes": ["/root/Main/Player"],
    }


def test_the_scene_is_a_tree_of_paths_that_resolve(client: PlainClient) -> None:
    answer = client.call("get_scene_tree", root_path="/root", max_depth=10, include_properties=False)
    assert answer["scene_path"] == "res://main.tscn"
    tree = answer["tree"]
    assert (tree["name"], tree["type"], tree["path"]) == ("Main", "Node3D", "/root/Main")
    player = next(child for child in tree["children"] if child["name"] == "Player")
    assert player["script"] == "res://player.gd"
    body = {"name": "Body", "type": "MeshInstance3D", "path": "/root/Main/Player/Body", "children": []}
    assert player["children"] == [body]
    assert client.call("get_node_properties", node_path=body["path"])["node_type"] == "MeshInstance3D"


def test_a_tree_can_start_below_and_stop_early(client: PlainClient) -> None:
    tree = client.call("get_scene_tree", root_path="/root/Main/Hud", max_depth=0)["tree"]
    assert tree == {"name": "Hud", "type": "CanvasLayer", "path": "/root/Main/Hud", "children": []}
    assert len(client.call("get_scene_tree", max_depth=1)["tree"]["children"]) == 7


def test_a_tree_can_bring_properties(client: PlainClient) -> None:
    tree = client.call("get_scene_tree", root_path="/root/Main/Hud/Go", include_properties=True)["tree"]
    assert tree["properties"]["text"] == {"type": "String", "value": "Go", "category": "Button"}


@pytest.mark.parametrize("path", ["/root/Main/Player", "Main/Player", "Player", "./Player", "Player/../Player"])
def test_every_form_of_a_path_finds_the_node(client: PlainClient, path: str) -> None:
    assert client.call("get_node_properties", node_path=path)["node_path"] == "/root/Main/Player"


def test_a_unique_name_finds_the_node(client: PlainClient) -> None:
    assert client.call("get_node_properties", node_path="%Body")["node_path"] == "/root/Main/Player/Body"


def test_properties_come_with_type_value_and_category(client: PlainClient) -> None:
    answer = client.call("get_node_properties", node_path="/root/Main/Player", include_default=False)
    assert answer["node_type"] == "CharacterBody3D"
    assert answer["script"] == "res://player.gd"
    properties = answer["properties"]
    moved = "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0)"
    assert properties["transform"] == {"type": "Transform3D", "value": moved, "category": "Node3D"}
    assert properties["floor_max_angle"] == {"type": "float", "value": 0.5, "category": "CharacterBody3D"}
    assert "velocity" not in properties
    assert answer["script_properties"]["speed"] == {"type": "float", "value": 7.5, "exported": True}
    assert answer["script_properties"]["jump_force"] == {"type": "float", "value": 4.5, "exported": True}


def test_defaults_come_when_asked_for(client: PlainClient) -> None:
    answer = client.call("get_node_properties", node_path="/root/Main/Player", include_default=True)
    assert answer["properties"]["velocity"] == {
        "type": "Vector3",
        "value": "Vector3(0, 0, 0)",
        "category": "CharacterBody3D",
    }
    assert answer["properties"]["collision_layer"]["value"] == 1


def test_properties_can_be_filtered_by_category_and_by_name(client: PlainClient) -> None:
    path = "/root/Main/Player"
    some = client.call("get_node_properties", node_path=path, include_default=True, categories=["collision"])
    assert {"collision_layer", "collision_mask"} <= set(some["properties"])
    assert "velocity" not in some["properties"]
    named = client.call("get_node_properties", node_path=path, property_filter=["velocity", "speed"])
    assert list(named["properties"]) == ["velocity"]
    assert list(named["script_properties"]) == ["speed"]


def test_a_node_that_is_not_there_is_named_with_others_like_it(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("get_node_properties", node_path="/root/Main/Playr")
    assert refused.value.code == -32000
    assert refused.value.message == "Node not found: /root/Main/Playr"
    assert refused.value.data["requested_path"] == "/root/Main/Playr"
    assert refused.value.data["similar_paths"][0] == "/root/Main/Player"
    assert refused.value.data["suggestion"] == "Check if the node exists in the current scene"


@pytest.mark.parametrize("path", ["res://main.tscn", "Player:position", "/root//Player", "/root/@EditorNode@1"])
def test_what_cannot_be_a_node_path_is_an_invalid_path(client: PlainClient, path: str) -> None:
    with pytest.raises(Refused) as refused:
        client.call("get_scene_tree", root_path=path)
    assert refused.value.code == -32006


def test_nodes_outside_the_scene_are_out_of_reach(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("get_node_properties", node_path="/root/Main/../..")
    assert refused.value.code == -32000


def test_the_selection_is_listed(client: PlainClient) -> None:
    none = client.call("get_selected_nodes")
    assert (none["success"], none["selection_count"], none["nodes"]) == (True, 0, [])
    client.act("select_nodes", node_paths=["/root/Main/Player", "/root/Main/Enemy"])
    answer = client.call("get_selected_nodes", include_properties=True)
    assert answer["selection_count"] == 2
    player = next(node for node in answer["nodes"] if node["name"] == "Player")
    assert player["type"] == "CharacterBody3D"
    assert player["path"] == "/root/Main/Player"
    assert player["script"] == "res://player.gd"
    assert player["properties"]["floor_max_angle"]["value"] == 0.5


def test_a_class_is_documented_with_texts(client: PlainClient) -> None:
    docs = client.call("get_class_docs", class_name="CharacterBody3D", include_inherited=False)
    assert docs["inherits"] == "PhysicsBody3D"
    assert docs["brief_description"] == "A 3D physics body specialized for characters moved by script."
    assert len(docs["description"]) > 100
    move = next(method for method in docs["methods"] if method["name"] == "move_and_slide")
    assert move["return_type"] == "bool"
    assert move["arguments"] == []
    assert "velocity" in move["description"]
    velocity = next(member for member in docs["properties"] if member["name"] == "velocity")
    assert (velocity["type"], velocity["setter"], velocity["getter"]) == ("Vector3", "set_velocity", "get_velocity")
    assert velocity["default"] == "Vector3(0, 0, 0)"
    assert [entry["name"] for entry in docs["enums"]] == ["MotionMode", "PlatformOnLeave"]
    assert "add_child" not in {method["name"] for method in docs["methods"]}


def test_a_class_can_be_documented_with_what_it_inherits(client: PlainClient) -> None:
    docs = client.call("get_class_docs", class_name="CharacterBody3D", include_inherited=True)
    add_child = next(method for method in docs["methods"] if method["name"] == "add_child")
    assert add_child["inherited_from"] == "Node"
    assert any(entry["name"] == "tree_entered" for entry in docs["signals"])


def test_a_method_is_documented_with_its_arguments(client: PlainClient) -> None:
    answer = client.call("get_method_docs", class_name="Node", method_name="add_child")
    assert answer["class_name"] == "Node"
    method = answer["method"]
    assert (method["name"], method["return_type"]) == ("add_child", "void")
    assert method["description"].startswith("Adds a child node.")
    assert [(given["name"], given["type"], given["default"]) for given in method["arguments"]] == [
        ("node", "Node", None),
        ("force_readable_name", "bool", "false"),
        ("internal", "int", "0"),
    ]
    assert "readability" in method["arguments"][1]["description"]


def test_a_search_ranks_what_it_finds(client: PlainClient) -> None:
    answer = client.call(
        "search_docs", query="collision layer", search_in=["classes", "methods", "properties"], limit=10
    )
    assert answer["query"] == "collision layer"
    results = answer["results"]
    assert len(results) == 10
    assert answer["total_count"] > 10
    found = {(entry["class_name"], entry["name"]): entry for entry in results}
    layer = found["CollisionObject3D", "collision_layer"]
    assert layer["type"] == "property"
    assert layer["description"].startswith("The physics layers this CollisionObject3D is in.")
    relevances = [entry["relevance"] for entry in results]
    assert relevances == sorted(relevances, reverse=True)
    assert 0 < relevances[-1] <= relevances[0] <= 1


def test_a_search_can_be_narrowed(client: PlainClient) -> None:
    answer = client.call("search_docs", query="body entered", search_in=["signals"])
    assert {entry["type"] for entry in answer["results"]} == {"signal"}
    assert answer["results"][0]["name"] == "body_entered"


def test_an_unknown_class_is_named_with_others_like_it(client: PlainClient) -> None:
    for method, more in (("get_class_docs", {}), ("get_method_docs", {"method_name": "x"})):
        with pytest.raises(Refused) as refused:
            client.call(method, class_name="CharacterBody", **more)
        assert refused.value.code == -32001
        assert "CharacterBody3D" in refused.value.data["similar_classes"]


def test_a_headless_editor_has_no_pictures(client: PlainClient) -> None:
    with pytest.raises(Refused) as refused:
        client.call("capture_viewport", viewport_type="3d")
    assert refused.value.code == -32004


def test_the_editors_log_is_told_and_filtered(headless_editor: Editor, client: PlainClient) -> None:
    headless_editor.act('print("seen in the log")\npush_warning("careful in the editor")')
    client.call("ping")
    answer = client.call("get_editor_log", count=50, filter="seen in the l.g")
    entry = answer["logs"][-1]
    assert (entry["type"], entry["message"]) == ("info", "seen in the log")
    assert entry["timestamp"] > 1_700_000_000
    assert answer["total_count"] >= 1
    newest = client.call("get_errors", count=1, severity="warning")["errors"][0]
    assert newest["message"] == "careful in the editor"
    assert client.call("get_errors", since_timestamp=newest["timestamp"])["errors"] == []


@pytest.mark.since_godot(4, 5)
def test_an_error_that_a_call_provokes_names_the_script_and_not_the_addon(
    headless_editor: Editor, client: PlainClient
) -> None:
    (headless_editor.project / "loud.gd").write_text(LOUD, encoding="utf-8")
    headless_editor.act('EditorInterface.get_edited_scene_root().get_node("Enemy").set_script(load("res://loud.gd"))')
    client.act("set_property", node_path="Enemy", property="volume", value=3)
    newest = client.call("get_errors", count=1, severity="error")["errors"][0]
    assert (newest["message"], newest["source"]["script"]) == ("too loud", "res://loud.gd")
    assert [frame.split(":")[1] for frame in newest["stack_trace"]] == ["//loud.gd"]


def test_a_page_of_the_tree_leads_to_the_next(client: PlainClient) -> None:
    whole = client.call("scenewright.get_tree")
    assert whole["next_cursor"] is None
    rows, cursor = [], None
    while True:
        page = client.call("scenewright.get_tree", limit=3, **({"cursor": cursor} if cursor else {}))
        rows += page["nodes"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
        assert len(page["nodes"]) == 3
    assert rows == whole["nodes"]
    assert [row["path"] for row in rows][:3] == ["/root/Main", "/root/Main/Camera", "/root/Main/Player"]
    mob = next(row for row in rows if row["name"] == "Mob")
    assert mob["instance"] == "res://mob.tscn"
    assert client.call("scenewright.get_tree", since=whole["revision"])["unchanged"] is True


def test_the_inside_of_an_instance_comes_on_request(client: PlainClient) -> None:
    eye = "/root/Main/Mob/Eye"
    rows = {row["path"]: row for row in client.call("scenewright.get_tree")["nodes"]}
    assert rows["/root/Main/Mob"]["hidden_nodes"] == 1
    assert eye not in rows
    whole = {row["path"]: row for row in client.call("scenewright.get_tree", expand=True)["nodes"]}
    assert eye in whole
    assert "hidden_nodes" not in whole["/root/Main/Mob"]
    assert [row["path"] for row in client.call("scenewright.get_tree", root_path=eye)["nodes"]] == [eye]


def test_the_nested_tree_has_the_inside_of_instances_unless_told(client: PlainClient) -> None:
    mob = client.call("get_scene_tree", root_path="Mob")["tree"]
    assert [child["name"] for child in mob["children"]] == ["Eye"]
    closed = client.call("get_scene_tree", root_path="Mob", expand=False)["tree"]
    assert (closed["children"], closed["hidden_nodes"]) == ([], 1)


def test_properties_are_read_as_literals(client: PlainClient) -> None:
    answer = client.call("scenewright.get_properties", node_paths=[".", "Player"], properties=["position", "name"])
    assert [node["properties"] for node in answer["nodes"]] == [
        {"position": "Vector3(0, 0, 0)", "name": '&"Main"'},
        {"position": "Vector3(0.5, 0, 0)", "name": '&"Player"'},
    ]


def test_without_a_scene_there_are_no_nodes(headless_editor: Editor, client: PlainClient) -> None:
    for _ in headless_editor.ask("EditorInterface.get_open_scenes()"):
        headless_editor.close_scene()
    for method in ("get_scene_tree", "scenewright.scene_text"):
        with pytest.raises(Refused) as refused:
            client.call(method)
        assert refused.value.code == -32000
        assert "open" in refused.value.data["suggestion"].lower()
    assert client.call("get_editor_info")["editor_state"]["current_scene"] == ""
