"""Enumerations, flags, cleared values, resources and nodes, by what a property declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.godot.values.samples import InMemory, wanting

from scenewright.core.faults import Invalid, NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents import variant as v
from scenewright.godot.language.project_scripts import ProjectScripts
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.context import EngineOnly
from scenewright.godot.values.tree import File, Inline, Items, NodeTarget, has_nodes

NAMED: list[tuple[str, str, Any, v.Variant]] = [
    ("Control", "focus_mode", "FOCUS_ALL", 2),
    ("Control", "focus_mode", "Control.FOCUS_ALL", 2),
    ("Control", "focus_mode", "All", 2),
    ("Control", "focus_mode", 2, 2),
    ("Control", "focus_mode", "2", 2),
    ("Control", "anchors_preset", "Full Rect", 15),
    ("Control", "size_flags_horizontal", ["Fill", "SIZE_EXPAND"], 3),
    ("Control", "size_flags_horizontal", "fill | expand", 3),
    ("Control", "size_flags_horizontal", [], 0),
    ("CharacterBody2D", "collision_mask", ["Walls", "Layer 1"], 5),
    ("CharacterBody2D", "collision_mask", "Walls", 4),
    ("CharacterBody2D", "collision_mask", 0xFFFFFFFF, 0xFFFFFFFF),
    ("InputEventKey", "keycode", "KEY_A", 65),
    ("InputEventKey", "keycode", 196, 196),
    ("AnimationPlayer", "root_node", None, v.NodePath("..")),
    ("AnimationPlayer", "root_node", {"$node": "../Player"}, v.NodePath("../Player")),
    ("AnimationPlayer", "root_node", {"$node": "Label:text"}, v.NodePath("Label:text")),
    ("Node2D", "scale", None, v.Vector2(1.0, 1.0)),
    ("Control", "theme_override_colors/font_color", None, None),
    ("Sprite2D", "texture", None, None),
    ("ConvexPolygonShape3D", "points", [[0, 1, 2]], v.PackedVector3Array((0.0, 1.0, 2.0))),
    ("Curve", "_data", [], v.Array()),
    ("Sprite2D", "texture", 'ExtResource("1_a")', v.ExtResource("1_a")),
    ("CollisionShape2D", "shape", 'SubResource("CircleShape2D_a")', v.SubResource("CircleShape2D_a")),
    (
        "CollisionShape2D",
        "shape",
        {"$resource": "CircleShape2D", "id": "CircleShape2D_a"},
        v.SubResource("CircleShape2D_a"),
    ),
]


@pytest.mark.parametrize(("class_name", "name", "sent", "expected"), NAMED, ids=str)
def test_a_property_takes_what_it_declares(
    class_name: str, name: str, sent: Any, expected: v.Variant, context: InMemory
) -> None:
    assert coerce(sent, context.index.property(class_name, name), context) == expected


ICON = File("res://icon.png", "CompressedTexture2D", "uid://icon", declared_as="Texture2D")


@pytest.mark.parametrize(
    "sent",
    [
        "res://icon.png",
        "uid://icon",
        {"$path": "res://icon.png"},
        {"$path": "uid://icon", "$resource": "Texture2D"},
        {"$resource": "Texture2D", "path": "res://icon.png"},
        'load("res://icon.png")',
        "preload('res://icon.png')",
        'Resource("res://icon.png")',
        {"$literal": 'Resource("uid://icon", "res://icon.png")'},
    ],
    ids=str,
)
def test_a_file_is_named_in_many_ways(sent: Any, context: InMemory, index: ClassIndex) -> None:
    assert coerce(sent, index.property("Sprite2D", "texture"), context) == ICON


def test_a_file_of_unknown_class_is_taken(context: InMemory, index: ClassIndex) -> None:
    made = coerce("res://unknown.res", index.property("Sprite2D", "texture"), context)
    assert made == File("res://unknown.res", declared_as="Resource")


def test_a_resource_is_made_with_values_of_its_own_types(context: InMemory, index: ClassIndex) -> None:
    sent = {"$resource": "BoxMesh", "props": {"size": [1, 2, 3], "material": {"$type": "StandardMaterial3D"}}}
    assert coerce(sent, index.property("MeshInstance3D", "mesh"), context) == Inline(
        "BoxMesh", (("material", Inline("StandardMaterial3D")), ("size", v.Vector3(1.0, 2.0, 3.0)))
    )


def test_any_value_may_be_a_resource(context: InMemory) -> None:
    assert coerce({"$path": "res://icon.png"}, wanting("Variant"), context) == ICON
    held = coerce([{"$resource": "CircleShape2D"}, 1], wanting("Array"), context)
    assert held == Items((Inline("CircleShape2D"), 1))


def node_property(type_: str = "Node2D", name: str = "target") -> Property:
    if type_.startswith("Array"):
        return Property("Sample", name, type_, "Array", hint=Hint.TYPE_STRING, hint_string="24/34:Node2D")
    return Property("Sample", name, type_, "Object", hint=Hint.NODE_TYPE, hint_string=type_)


def test_a_node_is_named_by_its_path(context: InMemory) -> None:
    for sent in ("../Player", {"$node": "../Player"}, 'NodePath("../Player")'):
        made = coerce(sent, node_property(), context)
        assert made == NodeTarget("../Player")
        assert has_nodes(made)
    assert coerce(["../Player", None], node_property("Array[Node2D]"), context) == Items(
        (NodeTarget("../Player"), None)
    )
    with pytest.raises(Invalid, match="a Label is not a Node2D"):
        coerce("Label", node_property(), context)
    with pytest.raises(NotFound, match="no node 'Nobody'"):
        coerce("Nobody", node_property(), context)


def test_without_a_project_only_the_engine_is_known(index: ClassIndex) -> None:
    nothing = EngineOnly(index)
    assert coerce("CircleShape2D", index.property("CollisionShape2D", "shape"), nothing) == Inline("CircleShape2D")
    assert coerce(["Layer 2"], index.property("Area2D", "collision_layer"), nothing) == 2
    for sent in ("res://a.tres", 'SubResource("a")'):
        with pytest.raises(NotFound):
            coerce(sent, index.property("CollisionShape2D", "shape"), nothing)
    with pytest.raises(NotFound):
        coerce("A", node_property(), nothing)


ITEM = 'class_name Item extends Resource\n@export var title := "x"\n@export var owner_node: Node\n'


def test_a_class_of_the_project_is_made_by_its_script(index: ClassIndex, tmp_path: Path) -> None:
    (tmp_path / "item.gd").write_text(ITEM)
    context = InMemory(index, ProjectScripts(tmp_path, index))
    script = File("res://item.gd", "GDScript", declared_as="Script")
    context.files["res://item.gd"] = File("res://item.gd", "GDScript")
    wanted = Property("Sample", "item", "Item", "Object", hint=Hint.RESOURCE_TYPE, hint_string="Item")
    expected = Inline("Resource", (("script", script), ("title", "a")), script)
    for sent in (
        {"$resource": "Item", "props": {"title": "a"}},
        {"$type": "Item", "title": "a"},
        {"$resource": "Resource", "props": {"script": "res://item.gd", "title": "a"}},
    ):
        assert coerce(sent, wanting("Variant"), context) == expected
    assert coerce({"$type": "Item", "title": "a"}, wanted, context) == expected
    items = Property("Sample", "items", "Array[Item]", "Array", hint=Hint.TYPE_STRING, hint_string="24/17:Item")
    assert coerce([], items, context) == Items((), script)
    with pytest.raises(Invalid, match="a CircleShape2D is not an Item"):
        coerce({"$resource": "CircleShape2D"}, wanted, context)
    with pytest.raises(NotFound, match="no property 'titel'"):
        coerce({"$resource": "Item", "props": {"titel": "a"}}, wanted, context)
    with pytest.raises(Invalid, match="cannot hold a node"):
        coerce({"$resource": "Item", "props": {"owner_node": "../Player"}}, wanted, context)


def test_an_exported_property_with_a_getter_can_be_written(context: InMemory) -> None:
    wanted = Property("Sample", "value", "int", "int", getter="get", usage=4102)
    assert coerce(3, wanted, context) == 3


def test_a_turn_of_no_round_angle_is_composed_as_the_engine_does(context: InMemory) -> None:
    made = coerce({"rotation_degrees": [30, 40, 50], "scale": [1, 2, 3]}, wanting("Basis"), context)
    assert isinstance(made, v.Basis)
    by_quaternion = coerce(
        {"quaternion": coerce({"rotation_degrees": [30, 40, 50]}, wanting("Quaternion"), context), "scale": [1, 2, 3]},
        wanting("Basis"),
        context,
    )
    for name in v.Basis.__struct_fields__:
        assert getattr(made, name) == pytest.approx(getattr(by_quaternion, name), abs=1e-12)
