"""For every type of the engine the same value as JSON, as literal and typed, and a project to send them to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import Hint
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.references import Reference
from scenewright.godot.values.context import PathTarget, Scripts
from scenewright.godot.values.named_resources import NamedResources
from scenewright.godot.values.tree import Coerced, File

__all__ = ["SAMPLES", "InMemory", "Sample", "wanting"]


class Sample(NamedTuple):
    """`forms`: JSON, literal, typed."""

    type: str
    expected: v.Variant
    forms: tuple[Any, ...]


IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
QUARTER = (0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0)  # a quarter turn around the y axis
COLUMNS = tuple(float(number) for number in range(16))

SAMPLES = (
    Sample("bool", True, (True, "true", {"$type": "bool", "value": True}, 1, {"$literal": "true"})),
    Sample("int", 5, (5, "5", {"$type": "int", "value": 5}, 5.0, "5.0")),
    Sample("float", 0.5, (0.5, "0.5", {"$type": "float", "value": 0.5}, "5e-1")),
    Sample("float", 3.0, (3, "3", {"$type": "int", "value": 3}, "3.0")),
    Sample("float", float("inf"), (float("inf"), "inf", {"$type": "float", "value": "inf"})),
    Sample("String", 'a "b"', ('a "b"', {"$literal": '"a \\"b\\""'}, {"$type": "String", "value": 'a "b"'})),
    Sample("String", "Vector2(0, 1)", ("Vector2(0, 1)", {"$literal": '"Vector2(0, 1)"'})),
    Sample(
        "Vector2",
        v.Vector2(1.5, -2.0),
        ([1.5, -2], "Vector2(1.5, -2)", {"$type": "Vector2", "x": 1.5, "y": -2}, {"x": 1.5, "y": -2}),
    ),
    Sample("Vector2", v.Vector2(0.0, -1.0), ([0, -1], "Vector2.UP", {"$type": "Vector2i", "value": [0, -1]})),
    Sample("Vector2i", v.Vector2i(1, -2), ([1, -2.0], "Vector2i(1, -2)", {"$type": "Vector2i", "value": [1, -2]})),
    Sample("Vector2i", v.Vector2i(3, 4), ({"x": 3, "y": 4}, "Vector2(3, 4)", '{"x": 3, "y": 4}', "[3, 4]")),
    Sample(
        "Rect2",
        v.Rect2(1.0, 2.0, 3.0, 4.5),
        (
            [1, 2, 3, 4.5],
            "Rect2(1, 2, 3, 4.5)",
            {"$type": "Rect2", "position": [1, 2], "size": {"x": 3, "y": 4.5}},
            {"x": 1, "y": 2, "width": 3, "height": 4.5},
            {"x": 1, "y": 2, "w": 3, "h": 4.5},
            [[1, 2], [3, 4.5]],
        ),
    ),
    Sample(
        "Rect2i",
        v.Rect2i(1, 2, 3, 4),
        ([1, 2, 3, 4], "Rect2i(1, 2, 3, 4)", {"$type": "Rect2i", "position": [1, 2], "size": [3, 4]}),
    ),
    Sample(
        "Vector3",
        v.Vector3(0.0, 1.0, 0.25),
        ([0, 1, 0.25], "Vector3(0, 1, 0.25)", {"$type": "Vector3", "x": 0, "y": 1, "z": 0.25}),
    ),
    Sample(
        "Vector3i", v.Vector3i(1, 2, 3), ([1, 2, 3], "Vector3i(1, 2, 3)", {"$type": "Vector3i", "value": [1, 2, 3]})
    ),
    Sample(
        "Transform2D",
        v.Transform2D(0.0, 2.0, -1.0, 0.0, 10.0, 20.0),
        (
            [0, 2, -1, 0, 10, 20],
            "Transform2D(0, 2, -1, 0, 10, 20)",
            {"$type": "Transform2D", "origin": [10, 20], "rotation_degrees": 90, "scale": [2, 1]},
            {"x": [0, 2], "y": [-1, 0], "origin": [10, 20]},
            [[0, 2], [-1, 0], [10, 20]],
            {"position": [10, 20], "rotation_degrees": -270, "scale": [2, 1], "skew": 0},
        ),
    ),
    Sample(
        "Vector4",
        v.Vector4(1.0, 2.0, 3.0, 4.0),
        ([1, 2, 3, 4], "Vector4(1, 2, 3, 4)", {"$type": "Vector4", "value": [1, 2, 3, 4]}),
    ),
    Sample(
        "Vector4i",
        v.Vector4i(1, 2, 3, 4),
        ([1, 2, 3, 4], "Vector4i(1, 2, 3, 4)", {"$type": "Vector4i", "x": 1, "y": 2, "z": 3, "w": 4}),
    ),
    Sample(
        "Plane",
        v.Plane(0.0, 1.0, 0.0, 2.5),
        (
            [0, 1, 0, 2.5],
            "Plane(0, 1, 0, 2.5)",
            {"$type": "Plane", "normal": [0, 1, 0], "d": 2.5},
            {"x": 0, "y": 1, "z": 0, "d": 2.5},
        ),
    ),
    Sample(
        "Quaternion",
        v.Quaternion(0.0, 1.0, 0.0, 0.0),
        (
            [0, 1, 0, 0],
            "Quaternion(0, 1, 0, 0)",
            {"$type": "Quaternion", "x": 0, "y": 1, "z": 0, "w": 0},
            {"rotation_degrees": [0, 180, 0]},
        ),
    ),
    Sample(
        "AABB",
        v.AABB(0.0, 1.0, 2.0, 3.0, 4.0, 5.0),
        (
            [0, 1, 2, 3, 4, 5],
            "AABB(0, 1, 2, 3, 4, 5)",
            {"$type": "AABB", "position": [0, 1, 2], "size": [3, 4, 5]},
            [[0, 1, 2], [3, 4, 5]],
        ),
    ),
    Sample(
        "Basis",
        v.Basis(*QUARTER),
        (
            [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
            "Basis(0, 0, 1, 0, 1, 0, -1, 0, 0)",
            {"$type": "Basis", "rotation_degrees": [0, 90, 0]},
            {"x": [0, 0, -1], "y": [0, 1, 0], "z": [1, 0, 0]},
            [0, 0, 1, 0, 1, 0, -1, 0, 0],
        ),
    ),
    Sample(
        "Transform3D",
        v.Transform3D(0.0, 0.0, 1.0, 0.0, 2.0, 0.0, -1.0, 0.0, 0.0, 7.0, 8.0, 9.0),
        (
            [0, 0, 1, 0, 2, 0, -1, 0, 0, 7, 8, 9],
            "Transform3D(0, 0, 1, 0, 2, 0, -1, 0, 0, 7, 8, 9)",
            {"$type": "Transform3D", "origin": [7, 8, 9], "rotation_degrees": [0, 90, 0], "scale": [1, 2, 1]},
            {"origin": [7, 8, 9], "basis": [[0, 0, 1], [0, 2, 0], [-1, 0, 0]]},
            {"position": {"x": 7, "y": 8, "z": 9}, "basis": {"rotation_degrees": [0, 90, 0], "scale": [1, 2, 1]}},
        ),
    ),
    Sample(
        "Transform3D", v.Transform3D(*IDENTITY, 1.0, 2.0, 3.0), ({"origin": [1, 2, 3]}, {"origin": "Vector3(1, 2, 3)"})
    ),
    Sample(
        "Projection",
        v.Projection(*COLUMNS),
        (
            list(range(16)),
            f"Projection({', '.join(map(str, range(16)))})",
            {"$type": "Projection", "x": [0, 1, 2, 3], "y": [4, 5, 6, 7], "z": [8, 9, 10, 11], "w": [12, 13, 14, 15]},
        ),
    ),
    Sample(
        "Color",
        v.Color(1.0, 0.0, 0.0, 1.0),
        (
            [1, 0, 0],
            "Color(1, 0, 0, 1)",
            {"$type": "Color", "r": 1, "g": 0, "b": 0},
            "#ff0000",
            "red",
            "Red",
            "Color.RED",
            "#f00",
            "#ff0000ff",
            'Color("red")',
            "Color(1, 0, 0)",
            [1, 0, 0, 1],
        ),
    ),
    Sample(
        "Color",
        v.Color(0.0, 0.0, 1.0, 0.5),
        ({"r": 0, "g": 0, "b": 1, "a": 0.5}, "Color(0, 0, 1, 0.5)", {"$type": "Color", "value": [0, 0, 1, 0.5]}),
    ),
    Sample(
        "StringName",
        v.StringName("run"),
        ("run", '&"run"', {"$type": "StringName", "value": "run"}, {"$type": "String", "value": "run"}),
    ),
    Sample(
        "NodePath",
        v.NodePath("../A:position"),
        (
            "../A:position",
            'NodePath("../A:position")',
            {"$type": "NodePath", "value": "../A:position"},
            '^"../A:position"',
        ),
    ),
    Sample("RID", v.RID(), (None, "RID()", {"$type": "RID"})),
    Sample("Callable", v.Callable(), (None, "Callable()", {"$type": "Callable"})),
    Sample("Signal", v.Signal(), (None, "Signal()", {"$type": "Signal"})),
    Sample(
        "Dictionary",
        v.Dictionary((("a", 1), ("b", v.Array((True, None))))),
        (
            {"a": 1, "b": [True, None]},
            '{"a": 1, "b": [true, null]}',
            {"$type": "Dictionary", "entries": [["a", 1], ["b", [True, None]]]},
            {"$type": "Dictionary", "value": {"a": 1, "b": [True, None]}},
        ),
    ),
    Sample(
        "Dictionary",
        v.Dictionary(((1, v.Vector2(0.0, 1.0)),)),
        ({"$type": "Dictionary", "entries": [[1, "Vector2(0, 1)"]]}, "{1: Vector2(0, 1)}"),
    ),
    Sample(
        "Dictionary[int, Color]",
        v.Dictionary(((7, v.Color(1.0, 0.0, 0.0, 1.0)),), "int", "Color"),
        (
            {"7": "red"},
            "{7: Color(1, 0, 0, 1)}",
            {"$type": "Dictionary[int, Color]", "entries": [[7, "#f00"]]},
            "Dictionary[int, Color]({7: Color(1, 0, 0, 1)})",
        ),
    ),
    Sample(
        "Array",
        v.Array((1, "a", v.Vector2(0.0, 1.0), v.Array())),
        (
            [1, "a", {"$type": "Vector2", "x": 0, "y": 1}, []],
            '[1, "a", Vector2(0, 1), []]',
            {"$type": "Array", "value": [1, "a", "Vector2(0, 1)", []]},
        ),
    ),
    Sample(
        "Array[int]",
        v.Array((1, 2), "int"),
        ([1, 2.0], "Array[int]([1, 2])", {"$type": "Array[int]", "value": [1, 2]}, "[1, 2]"),
    ),
    Sample(
        "Array[Vector2]",
        v.Array((v.Vector2(0.0, 1.0),), "Vector2"),
        ([[0, 1]], "[Vector2(0, 1)]", {"$type": "Array", "value": [{"x": 0, "y": 1}]}, "PackedVector2Array(0, 1)"),
    ),
    Sample(
        "PackedByteArray",
        v.PackedByteArray(b"\x00\xff"),
        (
            [0, 255],
            "PackedByteArray(0, 255)",
            {"$type": "PackedByteArray", "base64": "AP8="},
            'PackedByteArray("AP8=")',
        ),
    ),
    Sample(
        "PackedInt32Array",
        v.PackedInt32Array((1, -2)),
        ([1, -2], "PackedInt32Array(1, -2)", {"$type": "PackedInt32Array", "value": [1, -2]}, "[1, -2]"),
    ),
    Sample(
        "PackedInt64Array",
        v.PackedInt64Array((1 << 40,)),
        ([1 << 40], f"PackedInt64Array({1 << 40})", {"$type": "PackedInt64Array", "value": [str(1 << 40)]}),
    ),
    Sample(
        "PackedFloat32Array",
        v.PackedFloat32Array((0.5, 2.0)),
        ([0.5, 2], "PackedFloat32Array(0.5, 2)", {"$type": "PackedFloat32Array", "value": [0.5, 2]}),
    ),
    Sample(
        "PackedFloat64Array",
        v.PackedFloat64Array((0.5, 2.0)),
        ([0.5, 2], "PackedFloat64Array(0.5, 2)", {"$type": "PackedFloat64Array", "value": [0.5, 2]}),
    ),
    Sample(
        "PackedStringArray",
        v.PackedStringArray(("a", "&b")),
        (["a", "&b"], 'PackedStringArray("a", "&b")', {"$type": "PackedStringArray", "value": ["a", "&b"]}),
    ),
    Sample(
        "PackedVector2Array",
        v.PackedVector2Array((0.0, 1.0, 2.0, 3.0)),
        (
            [[0, 1], {"x": 2, "y": 3}],
            "PackedVector2Array(0, 1, 2, 3)",
            {"$type": "PackedVector2Array", "value": [0, 1, 2, 3]},
            ["Vector2(0, 1)", [2, 3]],
        ),
    ),
    Sample(
        "PackedVector3Array",
        v.PackedVector3Array((0.0, 1.0, 2.0)),
        (
            [[0, 1, 2]],
            "PackedVector3Array(0, 1, 2)",
            {"$type": "PackedVector3Array", "value": [[0, 1, 2]]},
            "[Vector3(0, 1, 2)]",
        ),
    ),
    Sample(
        "PackedColorArray",
        v.PackedColorArray((1.0, 0.0, 0.0, 1.0)),
        (["red"], "PackedColorArray(1, 0, 0, 1)", {"$type": "PackedColorArray", "value": [[1, 0, 0]]}),
    ),
    Sample(
        "PackedVector4Array",
        v.PackedVector4Array((0.0, 1.0, 2.0, 3.0)),
        ([[0, 1, 2, 3]], "PackedVector4Array(0, 1, 2, 3)", {"$type": "PackedVector4Array", "value": [0, 1, 2, 3]}),
    ),
)


class InMemory:
    """A project of a few files, a scene of a few nodes and a document of a few resources."""

    def __init__(self, index: ClassIndex, scripts: Scripts | None = None) -> None:
        self.index = index
        self.scripts = scripts
        self.doubts: list[str] = []
        self.files = {
            "res://icon.png": File("res://icon.png", "CompressedTexture2D", "uid://icon"),
            "res://box.tres": File("res://box.tres", "BoxShape3D"),
            "res://round.tres": File("res://round.tres", "CircleShape2D", "uid://round"),
            "res://player.gd": File("res://player.gd", "GDScript"),
            "res://unknown.res": File("res://unknown.res"),
        }
        self.nodes = {"../Player": "CharacterBody2D", "Label": "Label"}
        self.resources = {v.SubResource("CircleShape2D_a"): "CircleShape2D", v.ExtResource("1_a"): "Texture2D"}

    def file(self, address: str) -> File:
        for file in self.files.values():
            if address in (file.path, file.uid):
                return file
        raise NotFound(f"There is no file '{address}'.", hint=did_you_mean(address, list(self.files)))

    def node(self, path: str) -> PathTarget:
        if path not in self.nodes:
            raise NotFound(f"There is no node '{path}'.", hint=did_you_mean(path, list(self.nodes)))
        return PathTarget(path, self.nodes[path])

    def declared(self, reference: Reference) -> str:
        if reference not in self.resources:
            raise NotFound(f"There is no resource with the id '{reference.id}'.")
        return self.resources[reference]

    def uniforms(self, shader: Coerced) -> Mapping[str, str] | None:
        return None

    @cached_property
    def named(self) -> NamedResources:
        return NamedResources()

    def layer_names(self, hint: int) -> Mapping[str, int]:
        return {"Walls": 3} if hint == Hint.LAYERS_2D_PHYSICS else {}

    def doubt(self, said: str) -> None:
        self.doubts.append(said)


def wanting(type_: str, **more: Any) -> Property:
    """A property of a type, as a script would declare it."""
    outer = type_.partition("[")[0]
    return Property("Sample", "value", type_, "Nil" if type_ == "Variant" else outer, **more)
