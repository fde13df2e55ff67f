"""Every kind of edit of a scene, made on the small game, with the values it must have afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.godot.documents.game import scene, tree_of

from scenewright.godot.documents.connections import NewConnection, connect, disconnect, set_editable
from scenewright.godot.documents.creation import inherited_scene, new_scene
from scenewright.godot.documents.node_moves import duplicate_node, move_node, rename_node
from scenewright.godot.documents.nodes import (
    NewNode,
    add_node,
    override_node,
    remove_node,
    remove_properties,
    set_groups,
    set_properties,
)
from scenewright.godot.documents.resources import (
    add_external_file,
    add_inner_resource,
    rename_resource_id,
    set_resource_properties,
)
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.variant import (
    Array,
    Color,
    Dictionary,
    ExtResource,
    NodePath,
    PackedByteArray,
    SubResource,
    Variant,
    Vector2,
)

__all__ = ["CASES", "Case"]

Values = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Case:
    name: str
    made: Callable[[], Scene]
    values: Values = field(default_factory=dict)


def level() -> Scene:
    return scene("level")


def with_file(which: Scene, kind: str, path: str, uid: str | None = None) -> tuple[Scene, str]:
    document, name = add_external_file(which.document, kind, path, uid)
    return Scene(document), name


def add_instance() -> Scene:
    which, name = with_file(level(), "PackedScene", "res://old.tscn", "uid://cold000scene1")
    return add_node(which, NewNode("Old", instance=name, properties={"position": Vector2(5, 6)}), "World")


def add_script_and_shape() -> Scene:
    which, script = with_file(scene("old"), "Script", "res://actor.gd")
    document, shape = add_inner_resource(which.document, "CapsuleShape2D", {"radius": 3.5})
    properties: dict[str, Variant] = {"script": ExtResource(script), "speed": 4.5, "target": NodePath("../Box")}
    which = add_node(Scene(document), NewNode("New", "Node2D", properties=properties, node_paths=("target",)))
    return add_node(which, NewNode("Tall", "CollisionShape2D", properties={"shape": SubResource(shape)}), "Ball/")


def nested_resources() -> Scene:
    document = level().document
    document, outer = add_inner_resource(document, "GradientTexture2D", {"width": 8})
    document, inner = add_inner_resource(document, "Gradient", {"interpolation_mode": 1})
    document = set_resource_properties(document, SubResource(outer), {"gradient": SubResource(inner)})
    return add_node(Scene(document), NewNode("Picture", "Sprite2D", properties={"texture": SubResource(outer)}))


def every_kind_of_value() -> Scene:
    values: dict[str, Variant] = {
        "metadata/text": 'a "b"\n[node]\n; c',
        "metadata/infinite": float("-inf"),
        "metadata/bytes": PackedByteArray(bytes(range(60))),
        "metadata/deep": Dictionary((("b", Array((1, None), None)), ("a", Array((NodePath("x"),), "NodePath")))),
        "metadata/color": Color(0.1, 0.2, 0.3),
        "modulate": Color(0.5, 0.25, 1, 0.75),
    }
    return set_properties(level(), "World", values)


def editable_boss() -> Scene:
    which = set_editable(level(), "Boss", editable=True)
    which = override_node(which, "Boss/Body/Horns", tree_of(which))
    which = set_properties(which, "Boss/Body/Horns", {"position": Vector2(7, 8)})
    return add_node(which, NewNode("Flame", "Node2D"), "Boss/Body/Horns", tree=tree_of(which))


def child_of_an_unsaved_parent() -> Scene:
    which = set_editable(level(), "Boss", editable=True)
    return add_node(which, NewNode("Ring", "Node2D"), "Boss/Body", before="Boss/Body/Shape", tree=tree_of(which))


def wire_from_inside() -> Scene:
    which = set_editable(level(), "Boss", editable=True)
    wire = NewConnection("draw", "Boss/Body/Horns", "Watcher", "_on_hit", flags=1)
    return connect(which, wire, tree=tree_of(which))


CASES = [
    Case("as it was", level, {"World/Player": {"target": "-> World/Door"}}),
    Case(
        "a node added last",
        lambda: add_node(level(), NewNode("New", "Node2D", properties={"position": Vector2(1, 2)}), "World"),
        {"World/New": {"position": "Vector2(1, 2)"}},
    ),
    Case("a node added below the root", lambda: add_node(level(), NewNode("New", "Timer", groups=("z", "a")))),
    Case(
        "a node added before another", lambda: add_node(level(), NewNode("New", "Node"), "World", before="World/Player")
    ),
    Case("a node added to an instance", lambda: add_node(level(), NewNode("New", "Node"), "World/Player")),
    Case(
        "a node added inside an instance",
        lambda: add_node(level(), NewNode("New", "Node2D"), "World/Player/Body", tree=tree_of(level())),
    ),
    Case(
        "a node added inside an instance before one of its own",
        lambda: add_node(
            level(),
            NewNode("New", "Node2D"),
            "World/Player/Body",
            before="World/Player/Body/Shape",
            tree=tree_of(level()),
        ),
    ),
    Case("a node added in an old file", lambda: add_node(scene("old"), NewNode("New", "Node2D"), "Box")),
    Case("a node with a name that needs care", lambda: add_node(level(), NewNode("It's [a] \\ é", "Node2D"), "World")),
    Case(
        "a node added to an inherited scene",
        lambda: add_node(scene("boss"), NewNode("Tail", "Node2D"), tree=tree_of(scene("boss"))),
    ),
    Case(
        "a node added first in an inherited scene",
        lambda: add_node(scene("boss"), NewNode("Tail", "Node2D"), before="Body", tree=tree_of(scene("boss"))),
    ),
    Case(
        "a node added below one of the base",
        lambda: add_node(
            scene("boss"), NewNode("Eye", "Node2D"), "Body", before="Body/Horns", tree=tree_of(scene("boss"))
        ),
    ),
    Case("an instance added", add_instance, {"World/Old": {"position": "Vector2(5, 6)"}}),
    Case(
        "a script, an exported node and a shape added to an old file",
        add_script_and_shape,
        {"New": {"speed": "4.5", "target": "-> Box"}, "Ball/Tall": {"shape": "CapsuleShape2D"}},
    ),
    Case(
        "a resource inside another",
        nested_resources,
        {"Picture": {"texture": "GradientTexture2D", "texture:gradient": "Gradient", "texture:width": "8"}},
    ),
    Case(
        "values that need care",
        every_kind_of_value,
        {
            "World": {
                "metadata/text": '"a \\"b\\"\n[node]\n; c"',
                "metadata/infinite": "inf_neg",
                "metadata/bytes": f"PackedByteArray({', '.join(map(str, range(60)))})",
                "metadata/deep": '{\n"a": Array[NodePath]([NodePath("x")]),\n"b": [1, null]\n}',
                "metadata/color": "Color(0.1, 0.2, 0.3, 1)",
                "modulate": "Color(0.5, 0.25, 1, 0.75)",
            }
        },
    ),
    Case(
        "a placeholder for an instance",
        lambda: add_node(level(), NewNode("Later", placeholder="res://actor.tscn"), "World"),
    ),
    Case("a property taken back", lambda: remove_properties(level(), "World/Player", ["position"])),
    Case("an exported node taken back", lambda: remove_properties(level(), "World/Player", ["target"])),
    Case("groups set", lambda: set_groups(level(), "World", ["b", "a", "b"])),
    Case("groups taken away", lambda: set_groups(level(), "World/Door", [])),
    Case(
        "a node removed that others hold",
        lambda: remove_node(level(), "World/Door"),
        {
            "World/Player": {
                "target": "null",
                "friends": ["null", "-> Boss"],
                "by_name": 'Dictionary[String, Node]({\n"door": null\n})',
            }
        },
    ),
    Case("an instance removed", lambda: remove_node(level(), "World/Player"), {"Watcher": {"target": "null"}}),
    Case("a branch removed", lambda: remove_node(level(), "World"), {"Watcher": {"target": "null"}}),
    Case("a node removed in an old file", lambda: remove_node(scene("old"), "Box")),
    Case("a node of an inherited scene removed", lambda: remove_node(scene("boss"), "Aura")),
    Case("the root renamed", lambda: rename_node(level(), ".", "Stage")),
    Case(
        "a node renamed that others hold",
        lambda: rename_node(level(), "World/Door", "Gate"),
        {
            "World/Player": {
                "target": "-> World/Gate",
                "friends": ["-> World/Gate", "-> Boss"],
                "by_name": {"door": "-> World/Gate/Shape"},
                "way": 'NodePath("../Gate/Shape:shape:size")',
            },
            "Watcher": {"way": 'NodePath("%Gate/Shape")'},
        },
    ),
    Case(
        "a parent renamed",
        lambda: rename_node(level(), "World", "Place"),
        {"Watcher": {"target": "-> Place/Player/Body"}, "Place/Player": {"target": "-> Place/Door"}},
    ),
    Case(
        "an instance renamed",
        lambda: rename_node(level(), "World/Player", "Hero"),
        {"Watcher": {"target": "-> World/Hero/Body"}, "World/Hero/Body": {"rotation": "1.0"}},
    ),
    Case(
        "an instance moved to the root",
        lambda: move_node(level(), "World/Player", "."),
        {
            "Player": {"target": "-> World/Door", "friends": ["-> World/Door", "-> Boss"]},
            "Watcher": {"target": "-> Player/Body"},
        },
    ),
    Case(
        "a branch moved below another",
        lambda: move_node(level(), "World", "Watcher"),
        {"Watcher": {"target": "-> Watcher/World/Player/Body", "way": 'NodePath("%Door/Shape")'}},
    ),
    Case(
        "a player moved away from what it moves",
        lambda: move_node(level(), "AnimationPlayer", "World/Door"),
    ),
    Case("a node moved before its sibling", lambda: move_node(level(), "Boss", ".", before="World")),
    Case("a node moved behind its siblings", lambda: move_node(level(), "World", ".")),
    Case(
        "a node moved inside an inherited scene",
        lambda: move_node(scene("boss"), "Aura", "Body", before="Body/Sprite", tree=tree_of(scene("boss"))),
    ),
    Case(
        "a node moved along inside an inherited scene",
        lambda: move_node(scene("boss"), "Aura", ".", tree=tree_of(scene("boss"))),
    ),
    Case(
        "a node moved out of an instance",
        lambda: move_node(level(), "World/Player/Body/Hat", "World", tree=tree_of(level())),
    ),
    Case(
        "a branch copied",
        lambda: duplicate_node(level(), "World/Door", "Door2"),
        {"World/Player": {"target": "-> World/Door"}},
    ),
    Case("an editable instance copied", lambda: duplicate_node(level(), "World/Player", "Player2")),
    Case("an inner node changed", editable_boss, {"Boss/Body/Horns": {"position": "Vector2(7, 8)"}}),
    Case("a child of a node that is not in the file", child_of_an_unsaved_parent),
    Case(
        "a connection made",
        lambda: connect(level(), NewConnection("ready", ".", "Watcher", "_on_hit", flags=4, binds=(1, "two"))),
    ),
    Case(
        "a connection that drops arguments",
        lambda: connect(level(), NewConnection("hit", "Boss", "Watcher", "_on_hit", unbinds=1), tree=tree_of(level())),
    ),
    Case("a connection from inside an instance", wire_from_inside),
    Case("a connection cut", lambda: disconnect(level(), "body_entered", "World/Door", "Watcher", "_on_hit")),
    Case(
        "a resource with another id",
        lambda: Scene(rename_resource_id(level().document, SubResource("RectangleShape2D_door1"), "Shape_1")),
        {"World/Door/Shape": {"shape": "RectangleShape2D", "shape:size": "Vector2(10, 30)"}},
    ),
    Case(
        "a file with another id",
        lambda: Scene(rename_resource_id(level().document, ExtResource("1_actor"), "9_x")),
    ),
    Case(
        "a new scene",
        lambda: add_node(new_scene("Fresh", "Control"), NewNode("Label", "Label", properties={"text": "Hi"})),
        {"Label": {"text": '"Hi"'}},
    ),
    Case(
        "a new scene that inherits",
        lambda: set_properties(inherited_scene("Elite", "res://boss.tscn", "uid://cboss00scene1"), ".", {"speed": 9.0}),
        {".": {"speed": "9.0"}},
    ),
]
