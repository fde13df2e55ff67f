"""NodePaths that start elsewhere than at their node, and those that nobody can follow."""

from __future__ import annotations

from scenewright.godot.documents.document import Document
from scenewright.godot.documents.node_moves import move_node, rename_node
from scenewright.godot.documents.nodes import NewNode, add_node, remove_node
from scenewright.godot.documents.scene import Scene

TEXT = """[gd_scene format=3]

[sub_resource type="Animation" id="Animation_a"]
tracks/0/path = NodePath("Arm/Hand:position")
tracks/1/path = NodePath("%Leg:position")
tracks/2/path = NodePath(".:modulate")

[sub_resource type="AnimationLibrary" id="AnimationLibrary_a"]
_data = {
&"a": SubResource("Animation_a")
}

[sub_resource type="SceneReplicationConfig" id="SceneReplicationConfig_a"]
properties/0/path = NodePath("Arm:position")
properties/0/spawn = true

[node name="Root" type="Node2D"]

[node name="Body" type="Node2D" parent="."]

[node name="Arm" type="Node2D" parent="Body"]

[node name="Hand" type="Node2D" parent="Body/Arm"]

[node name="Leg" type="Node2D" parent="Body"]
unique_name_in_owner = true

[node name="Player" type="AnimationPlayer" parent="."]
root_node = NodePath("../Body")
root_motion_track = NodePath("Arm:position")
libraries/ = SubResource("AnimationLibrary_a")
libraries/again = SubResource("AnimationLibrary_a")

[node name="Sync" type="MultiplayerSynchronizer" parent="Body"]
replication_config = SubResource("SceneReplicationConfig_a")

[node name="Odd" type="Node2D" parent="." owner="."]
metadata/absolute = NodePath("/root/Main")
metadata/outside = NodePath("../../Elsewhere")
metadata/empty = NodePath("")
metadata/own = NodePath(":position")
metadata/dotted = NodePath("./../Body/Arm")
metadata/unique = NodePath("%Leg")
metadata/broken = [NodePath("../Body/Arm"),
"""


def paths(which: Scene) -> dict[str, str]:
    found = {}
    for section in which.document.sections:
        for each in section.properties:
            if "NodePath(" in each.raw:
                found[each.name] = each.raw.replace("NodePath", "").strip('()"')
    return found


def changed(before: Scene, after: Scene) -> dict[str, str]:
    old = paths(before)
    return {name: path for name, path in paths(after).items() if old[name] != path}


def test_a_renamed_node_is_followed_from_every_root() -> None:
    scene = Scene.parse(TEXT)
    assert changed(scene, rename_node(scene, "Body/Arm", "Wing")) == {
        "tracks/0/path": "Wing/Hand:position",
        "properties/0/path": "Wing:position",
        "root_motion_track": "Wing:position",
        "metadata/dotted": "../Body/Wing",
    }
    assert changed(scene, rename_node(scene, "Body", "Torso")) == {
        "root_node": "../Torso",
        "metadata/dotted": "../Torso/Arm",
    }


def test_a_unique_name_is_followed_by_name_and_left_alone_by_moves() -> None:
    scene = Scene.parse(TEXT)
    assert changed(scene, rename_node(scene, "Body/Leg", "Foot")) == {
        "tracks/1/path": "%Foot:position",
        "metadata/unique": "%Foot",
    }
    assert changed(scene, move_node(scene, "Body/Leg", ".")) == {}


def test_a_player_that_moves_still_reaches_what_it_moves() -> None:
    scene = Scene.parse(TEXT)
    assert changed(scene, move_node(scene, "Player", "Body/Arm")) == {"root_node": "../.."}
    assert changed(scene, move_node(scene, "Body/Sync", ".")) == {"properties/0/path": "Body/Arm:position"}
    assert changed(scene, move_node(scene, "Body/Arm", ".")) == {
        "tracks/0/path": "../Arm/Hand:position",
        "properties/0/path": "../Arm:position",
        "root_motion_track": "../Arm:position",
        "metadata/dotted": "../Arm",
    }


def test_a_path_to_a_removed_node_stays_unless_it_holds_the_node() -> None:
    scene = Scene.parse(TEXT)
    assert changed(scene, remove_node(scene, "Body/Arm")) == {}


def test_nothing_that_is_broken_is_touched() -> None:
    scene = Scene.parse(TEXT)
    after = rename_node(scene, "Body/Arm", "Wing")
    assert 'metadata/broken = [NodePath("../Body/Arm"),\n' in after.document.text
    broken = Scene.parse(TEXT.replace('NodePath("../Body")', 'NodePath("../Body"'))
    assert "tracks/0/path" not in changed(broken, rename_node(broken, "Body/Arm", "Wing"))


def test_an_owner_said_by_path_follows() -> None:
    scene = Scene.parse(TEXT.replace('owner="."', 'owner="Body/Arm"'))
    assert rename_node(scene, "Body", "Torso").node("Odd").owner == "Torso/Arm"


def test_a_placeholder_is_a_node_of_its_own() -> None:
    scene = add_node(Scene.parse(TEXT), NewNode("Later", placeholder="res://later.tscn"), "Body")
    assert scene.document.tagged("node")[-2].text == (
        '[node name="Later" parent="Body" instance_placeholder="res://later.tscn"]\n\n'
    )
    assert scene.node("Body/Later").is_override is False


def test_a_blank_line_goes_with_the_only_setting() -> None:
    document = Document.parse("[a]\n\nx=1\n\n[b]\n", "a.cfg")
    assert document.remove_property(document.sections[0], "x").text == "[a]\n\n[b]\n"


def test_a_header_behind_something_on_its_line_is_placed_right() -> None:
    document = Document.parse("a=1 [b]\nx=?\n", "a.cfg")
    section = document.sections[0]
    assert document.line_and_column(section, 0) == (1, 5)
    assert [(problem.line, problem.column) for problem in document.problems()] == [(2, 3)]
