"""Which edits lead from one text of a scene to another."""

from __future__ import annotations

from typing import Any

import pytest

from scenewright.core.faults import Unsupported
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.scene import Scene
from scenewright.godot.editor.live.edits import edits_between
from scenewright.godot.editor.live.excerpt import excerpt

OLD = """[gd_scene format=3]

[sub_resource type="RectangleShape2D" id="Shape"]
size = Vector2(1, 1)

[node name="Main" type="Node2D" unique_id=1]

[node name="A" type="Node2D" parent="." unique_id=2]

[node name="B" type="CollisionShape2D" parent="A" unique_id=3]
shape = SubResource("Shape")

[node name="C" type="Button" parent="." unique_id=4]

[connection signal="pressed" from="C" to="A" method="hide"]
"""


def scene(text: str) -> Scene:
    return Scene(Document.parse(text, "main.tscn"))


def edits(new: str, old: str = OLD) -> list[dict[str, Any]]:
    return edits_between(scene(old), scene(new)).edits


def test_the_same_scene_needs_no_edit() -> None:
    assert edits(OLD) == []


def test_a_changed_value_names_its_property_only() -> None:
    new = OLD.replace(
        'name="C" type="Button" parent="." unique_id=4]', 'name="C" type="Button" parent="." unique_id=4]\ntext = "x"'
    )
    assert edits(new) == [{"op": "set", "path": "C", "names": ["text"]}]


def test_a_change_inside_a_resource_is_made_inside_it() -> None:
    assert edits(OLD.replace("Vector2(1, 1)", "Vector2(2, 2)")) == [
        {"op": "set", "path": "A/B", "names": ["shape:size"]}
    ]


def test_a_renamed_node_stays_the_same_node_with_its_wires() -> None:
    new = OLD.replace('name="A"', 'name="X"').replace('parent="A"', 'parent="X"').replace('to="A"', 'to="X"')
    found = edits_between(scene(OLD), scene(new))
    assert found.edits == [{"op": "rename", "path": "X"}]
    assert found.was == {"X": "A"}


def test_a_new_node_comes_whole_and_brings_what_is_below_it() -> None:
    new = OLD.replace(
        "\n[connection",
        '\n[node name="N" type="Node2D" parent="." unique_id=8]\nrotation = 1.0\n\n'
        '[node name="M" type="Node2D" parent="N" unique_id=9]\n\n[connection',
    )
    assert edits(new) == [{"op": "add", "path": "N", "parent": ".", "without": [], "shared": {}}]


def test_a_new_node_that_does_not_stand_last_is_put_in_order() -> None:
    new = OLD.replace('[node name="C"', '[node name="N" type="Node2D" parent="." unique_id=8]\n\n[node name="C"')
    assert edits(new)[1:] == [{"op": "order", "path": ".", "children": ["A", "N", "C"]}]


def test_a_copy_that_shares_a_resource_holds_the_very_same_one() -> None:
    new = OLD.replace(
        "\n[connection",
        '\n[node name="D" type="CollisionShape2D" parent="." unique_id=8]\nshape = SubResource("Shape")\n\n[connection',
    )
    found = edits_between(scene(OLD), scene(new))
    assert found.resources == {"Shape": ("A/B", "shape")}
    assert found.edits[0]["shared"] == {"D": ["shape"]}


def test_a_removed_node_takes_its_wires_and_its_children_along() -> None:
    new = OLD[: OLD.index('[node name="A"')] + '[node name="C" type="Button" parent="." unique_id=4]\n'
    assert edits(new) == [
        {"op": "disconnect", "signal": "pressed", "was": "C", "target_was": "A", "method": "hide"},
        {"op": "remove", "was": "A"},
    ]


def test_a_node_that_moves_is_taken_out_and_put_in() -> None:
    new = OLD.replace('name="B" type="CollisionShape2D" parent="A"', 'name="B" type="CollisionShape2D" parent="C"')
    lines = new.split("\n\n")
    moved = "\n\n".join([*lines[:4], lines[5], lines[4], lines[6]])
    assert edits(moved) == [
        {"op": "detach", "path": "C/B"},
        {"op": "attach", "path": "C/B", "parent": "C"},
    ]


def test_groups_and_wires_are_edits_of_their_own() -> None:
    new = OLD.replace("unique_id=2]", 'unique_id=2 groups=["g"]]').replace('method="hide"', 'method="show"')
    assert edits(new) == [
        {"op": "disconnect", "signal": "pressed", "was": "C", "target_was": "A", "method": "hide"},
        {"op": "groups", "path": "A", "add": ["g"], "remove": []},
        {"op": "connect", "signal": "pressed", "path": "C", "target": "A", "method": "show"},
    ]


def test_a_script_comes_before_the_values_it_brings() -> None:
    new = OLD.replace("unique_id=2]", "unique_id=2]\nspeed = 3.0\nscript = null")
    assert edits(new) == [{"op": "set", "path": "A", "names": ["script", "speed"]}]


def test_a_node_of_another_class_takes_the_old_ones_place_its_children_and_its_wires() -> None:
    assert edits(OLD.replace('name="A" type="Node2D"', 'name="A" type="Area2D"')) == [
        {"op": "disconnect", "signal": "pressed", "was": "C", "target_was": "A", "method": "hide"},
        {"op": "detach", "path": "A/B"},
        {"op": "remove", "was": "A"},
        {"op": "add", "path": "A", "parent": ".", "without": ["A/B"], "shared": {}},
        {"op": "attach", "path": "A/B", "parent": "A"},
        {"op": "order", "path": ".", "children": ["A", "C"]},
        {"op": "connect", "signal": "pressed", "path": "C", "target": "A", "method": "hide"},
    ]


def test_a_root_of_another_class_takes_the_place_of_the_old_one_with_what_is_below() -> None:
    new = OLD.replace('name="Main" type="Node2D"', 'name="Main" type="Node3D"')
    assert edits(new) == [
        {"op": "detach", "path": "A"},
        {"op": "detach", "path": "C"},
        {"op": "root", "path": ".", "without": ["A", "C"], "shared": {}},
        {"op": "attach", "path": "A", "parent": "."},
        {"op": "attach", "path": "C", "parent": "."},
    ]
    assert excerpt(scene(new), edits(new)) == '[gd_scene format=3]\n\n[node name="Main" type="Node3D" unique_id=1]\n\n'


def test_a_scene_cannot_become_an_heir_of_another() -> None:
    base = '[gd_scene format=3]\n\n[ext_resource type="PackedScene" path="res://base.tscn" id="1"]\n\n[sub'
    heir = OLD.replace('name="Main" type="Node2D"', 'name="Main" instance=ExtResource("1")')
    with pytest.raises(Unsupported, match=r"base\.tscn"):
        edits(heir.replace("[gd_scene format=3]\n\n[sub", base))


def test_a_new_node_is_given_the_nodes_that_it_holds() -> None:
    new = OLD.replace(
        "[connection",
        '[node name="D" type="Node" parent="." node_paths=PackedStringArray("aim")]\n'
        'aim = NodePath("../A")\n\n[connection',
    )
    assert edits(new) == [
        {"op": "add", "path": "D", "parent": ".", "without": [], "shared": {}},
        {"op": "set", "path": "D", "names": ["aim"]},
    ]


def test_a_node_that_moves_into_a_new_one_keeps_its_own_changes_and_its_place() -> None:
    new = OLD.replace(
        '[node name="A" type="Node2D" parent="." unique_id=2]',
        '[node name="N" type="Node2D" parent="." unique_id=8]\n\n'
        '[node name="A" type="Node2D" parent="N" unique_id=2]\nrotation = 1.0\n\n'
        '[node name="M" type="Node2D" parent="N" unique_id=9]',
    )
    new = new.replace('parent="A"', 'parent="N/A"').replace('to="A"', 'to="N/A"')
    assert edits(new) == [
        {"op": "detach", "path": "N/A"},
        {"op": "add", "path": "N", "parent": ".", "without": ["N/A"], "shared": {}},
        {"op": "attach", "path": "N/A", "parent": "N"},
        {"op": "order", "path": ".", "children": ["N", "C"]},
        {"op": "order", "path": "N", "children": ["A", "M"]},
        {"op": "set", "path": "N/A", "names": ["rotation"]},
    ]


PLAYER = """[gd_scene format=3]

[sub_resource type="Animation" id="Walk"]

[sub_resource type="AnimationLibrary" id="Library"]
_data = {
&"walk": SubResource("Walk")
}

[sub_resource type="AnimationNodeStateMachine" id="Machine"]

[node name="Main" type="AnimationPlayer" unique_id=1]
libraries/ = SubResource("Library")

[node name="Tree" type="AnimationTree" parent="." unique_id=2]
tree_root = SubResource("Machine")
"""


def test_a_library_and_a_graph_are_given_anew_as_a_whole() -> None:
    new = PLAYER.replace('id="Walk"]', 'id="Walk"]\nlength = 2.0')
    assert edits(new, PLAYER) == [{"op": "set", "path": ".", "names": ["libraries/"]}]
    grown = PLAYER.replace('id="Machine"]', 'id="Machine"]\nstates/End/position = Vector2(1, 1)')
    assert edits(grown, PLAYER) == [{"op": "set", "path": "Tree", "names": ["tree_root"]}]


def test_an_excerpt_has_what_the_edits_take_and_nothing_else() -> None:
    new = OLD.replace("unique_id=2]", "unique_id=2]\nrotation = 1.0")
    text = excerpt(scene(new), edits(new))
    assert [node.path for node in scene(text).nodes] == [".", "A"]
    assert "Shape" not in text
    assert "connection" not in text


def test_an_excerpt_has_the_resources_of_its_nodes_and_theirs() -> None:
    new = OLD.replace("size = Vector2(1, 1)", 'size = Vector2(2, 2)\nmeta = SubResource("Inner")').replace(
        "[sub_resource",
        '[sub_resource type="Resource" id="Inner"]\n\n[sub_resource type="Resource" id="Other"]\n\n[sub_resource',
        1,
    )
    text = excerpt(scene(new), edits(new))
    assert [section.string("id") for section in scene(text).document.tagged("sub_resource")] == ["Inner", "Shape"]


def test_an_excerpt_has_the_nodes_that_its_nodes_hold_and_whatever_is_above_those() -> None:
    new = OLD.replace(
        "unique_id=4]",
        'unique_id=4 node_paths=PackedStringArray("one", "many")]\none = NodePath("../A/B")\n'
        'many = [NodePath("../D/E")]\n\n[node name="D" type="Node" parent="."]\n\n'
        '[node name="E" type="Node" parent="D"]',
    )
    old = new.replace("../A/B", "../A")
    text = excerpt(scene(new), edits(new, old))
    assert [node.path for node in scene(text).nodes] == [".", "A", "A/B", "C", "D", "D/E"]


def test_an_excerpt_has_both_ends_of_a_wire() -> None:
    new = OLD.replace('method="hide"', 'method="show"')
    text = excerpt(scene(new), edits(new))
    assert [node.path for node in scene(text).nodes] == [".", "A", "C"]
    assert len(scene(text).connections) == 1
