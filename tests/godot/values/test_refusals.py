"""What is not certain is refused, with the property, the type and a right example."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.godot.values.samples import InMemory, wanting

from scenewright.core.faults import Fault, Invalid, NotFound
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.refusal import EXAMPLES
from scenewright.godot.values.tree import Inline

NAN = float("nan")
REFUSED: list[tuple[str, Any, str]] = [
    ("bool", 2, "neither true nor false"),
    ("bool", "yes", "neither true nor false"),
    ("bool", 1.0, "neither true nor false"),
    ("int", 5.5, "not a whole number"),
    ("int", "5.5", "not a whole number"),
    ("int", True, "not a whole number"),
    ("int", 1 << 63, "64 bits"),
    ("int", "five", "not a whole number"),
    ("int", [1], "not a whole number"),
    ("int", "Vector2(1, 2)", "not a whole number"),
    ("float", NAN, "NaN"),
    ("float", "nan", "not a number"),
    ("float", True, "not a number"),
    ("float", (1 << 53) + 1, "digits"),
    ("String", 5, "not text"),
    ("String", ["a"], "not text"),
    ("String", "a\0b", "NUL"),
    ("StringName", 5, "not text"),
    ("NodePath", {"x": 1}, "not text"),
    ("Vector2", [1], "1 numbers instead of 2"),
    ("Vector2", [1, 2, 3], "3 numbers instead of 2"),
    ("Vector2", 5, "not a list of 2 numbers"),
    ("Vector2", {"x": 1}, "{x} is not {x, y}"),
    ("Vector2", {"x": 1, "y": 2, "z": 3}, "{x, y, z} is not {x, y}"),
    ("Vector2", ["1", 2], "not a number"),
    ("Vector2", [NAN, 0], "NaN"),
    ("Vector2", "Vector2(nan, 0)", "NaN"),
    ("Vector2", [1e300, 0], "too large"),
    ("Vector2", "Vector3(1, 2, 3)", "a Vector3 is not a Vector2"),
    ("Vector2", "Vector2(1, 2", "not a value the engine can read"),
    ("Vector2", "Vector2.DIAGONAL", "DIAGONAL"),
    ("Vector2", {"$type": "Color", "value": "red"}, "a Color is not a Vector2"),
    ("Vector2i", [1.5, 2], "not a whole number"),
    ("Vector2i", "Vector2(1.5, 2)", "not a whole number"),
    ("Vector2i", [1 << 31, 0], "32 bits"),
    ("Rect2", {"position": [1, 2]}, "is not {position, size}"),
    ("Basis", {"rotation_degrees": [0, 1]}, "2 numbers instead of 3"),
    ("Basis", {"rotation": [0, 0, 0], "rotation_degrees": [0, 0, 0]}, "mean the same"),
    ("Basis", {"quaternion": [0, 0, 0, 2]}, "length"),
    ("Basis", {}, "nothing"),
    ("Transform3D", {"origin": [0, 0, 0], "basis": [1] * 9, "scale": [1, 1, 1]}, "cannot be combined with scale"),
    ("Transform2D", {"rotate": 90}, "rotate"),
    ("Color", [255, 128, 0], "not to 255"),
    ("Color", "redd", "not the name of a color"),
    ("Color", "#12345", "hex digits"),
    ("Color", [1, 2], "3 or 4 numbers"),
    ("RID", "RID(7)", "running engine"),
    ("Callable", "Signal()", "not a Callable"),
    ("Array", {"a": 1}, "not a list"),
    ("Array[int]", [1, "x"], "not a whole number"),
    ("Array[int]", [1, None], "null"),
    ("Dictionary", [1], "not an object"),
    ("Dictionary[int, int]", {"1": 1, "01": 2}, "appears twice"),
    ("Dictionary", {"$type": "Dictionary", "entries": [[1]]}, "[key, value]"),
    ("PackedByteArray", [256], "not a byte"),
    ("PackedByteArray", "AP8=", "not a value the engine can read"),
    ("PackedByteArray", {"base64": "?"}, "not base64"),
    ("PackedInt32Array", [1 << 31], "32 bits"),
    ("PackedStringArray", ["a", 1], "not text"),
    ("PackedStringArray", "a", "not a value the engine can read"),
    ("PackedVector2Array", [1, 2, 3], "not a multiple of 2"),
    ("Variant", NAN, "NaN"),
    ("Variant", "res://icon.png", "a file or a text"),
    ("Variant", "Vector2(1, x)", "not a value the engine can read"),
    ("Variant", {"$typ": "int"}, "$typ is not one of"),
    ("Variant", {"$literal": 5}, "one text"),
    ("int", None, "null"),
]


@pytest.mark.parametrize(("type_", "value", "reason"), REFUSED, ids=str)
def test_what_is_not_of_the_type_is_refused(type_: str, value: Any, reason: str, context: InMemory) -> None:
    with pytest.raises(Invalid) as refused:
        coerce(value, wanting(type_), context)
    assert reason in refused.value.message
    assert refused.value.message.startswith("Sample.value")
    expected = refused.value.details["expected"]
    assert EXAMPLES[expected.partition("[")[0].replace("Variant", "Nil")] in (refused.value.hint or "")
    assert refused.value.path != "value" or expected == type_


def test_the_place_in_a_container_is_named(context: InMemory) -> None:
    with pytest.raises(Invalid) as refused:
        coerce({"a": [1, {"$type": "Vector2", "x": 1}]}, wanting("Dictionary"), context)
    assert refused.value.path == 'value["a"][1]'
    with pytest.raises(Invalid, match=r"Sample\.value\[1\] takes an int: 2\.5 is not a whole number"):
        coerce([1, 2.5], wanting("Array[int]"), context)


@pytest.mark.parametrize("type_", sorted(set(EXAMPLES) - {"Nil", "Object"}))
def test_the_examples_are_right(type_: str, context: InMemory) -> None:
    for example in re.sub(r" \(\D+\)", "", EXAMPLES[type_]).split(" or "):
        for text in [example] if type_ != "Color" else re.split(r", (?=[\"\[])", example):
            assert coerce(json.loads(text), wanting(type_), context) is not None


def test_an_example_of_an_abstract_class_can_be_made(context: InMemory, index: ClassIndex) -> None:
    wanted = index.property("CollisionShape2D", "shape")
    with pytest.raises(Invalid) as refused:
        coerce(5, wanted, context)
    made, _, _ = refused.value.details["example"].partition(" or ")
    assert isinstance(coerce(json.loads(made), wanted, context), Inline)


def test_every_type_has_an_example() -> None:
    assert set(EXAMPLES) == set(VARIANT_TYPES)


def test_a_value_nested_too_deep_is_refused(context: InMemory) -> None:
    value: Any = 1
    for _ in range(2000):
        value = [value]
    with pytest.raises(Invalid, match="nested"):
        coerce(value, wanting("Array"), context)


OBJECTS: list[tuple[str, str, Any, type[Fault], str]] = [
    ("CollisionShape2D", "shape", "res://icon.png", Invalid, "a CompressedTexture2D is not a Shape2D"),
    ("CollisionShape2D", "shape", "res://box.tres", Invalid, "a BoxShape3D is not a Shape2D"),
    ("CollisionShape2D", "shape", {"$resource": "BoxShape3D"}, Invalid, "a BoxShape3D is not a Shape2D"),
    ("CollisionShape2D", "shape", {"$resource": "Shape2D"}, Invalid, "abstract"),
    ("CollisionShape2D", "shape", {"$resource": "Node2D"}, Invalid, "not a resource"),
    ("CollisionShape2D", "shape", {"$resource": "RectangelShape2D"}, NotFound, "RectangleShape2D"),
    ("CollisionShape2D", "shape", {"$resource": "RectangleShape2D", "props": {"sise": 1}}, NotFound, "size"),
    ("CollisionShape2D", "shape", {"$resource": "RectangleShape2D", "props": {}, "size": [1, 2]}, Invalid, "props"),
    ("CollisionShape2D", "shape", {"$resource": "RectangleShape2D", "props": [1]}, Invalid, "names and values"),
    (
        "CollisionShape2D",
        "shape",
        {"$resource": "CircleShape2D", "path": "res://a.tres", "props": {}},
        Invalid,
        "either",
    ),
    (
        "CollisionShape2D",
        "shape",
        {"$resource": "RectangleShape2D", "path": "res://round.tres"},
        Invalid,
        "CircleShape2D",
    ),
    ("CollisionShape2D", "shape", {"$type": "RectangelShape2D"}, NotFound, "RectangleShape2D"),
    ("CollisionShape2D", "shape", {"size": [1, 2]}, Invalid, "$resource"),
    ("CollisionShape2D", "shape", "res://rond.tres", NotFound, "res://round.tres"),
    ("CollisionShape2D", "shape", "rond.tres", Invalid, "Did you mean 'res://round.tres'"),
    ("Curve3D", "_data", {"points": [[0, 0, 0]] * 3}, Invalid, "'tilts' is missing"),
    ("Curve3D", "_data", {"points": [[0, 0, 0]] * 6, "tilts": [0]}, Invalid, "2 points have 1 tilts"),
    ("Curve2D", "_data", {"points": [[0, 0], [64, 0]]}, Invalid, "in, out and position"),
    ("CollisionShape2D", "shape", "/round.tres", Invalid, "Did you mean 'res://round.tres'"),
    ("CollisionShape2D", "shape", 'SubResource("x")', NotFound, "'x'"),
    ("CollisionShape2D", "shape", 'ExtResource("1_a")', Invalid, "a Texture2D is not a Shape2D"),
    ("CollisionShape2D", "shape", 5, Invalid, "not a resource"),
    ("CollisionShape2D", "shape", "Vector2(0, 1)", Invalid, "not an object"),
    ("Sprite2D", "position", {"$path": "res://icon.png"}, Invalid, "not a Vector2"),
    ("Sprite2D", "position", {"$type": "CircleShape2D"}, Invalid, "not a Vector2"),
    ("Sprite2D", "position", {"$node": "Label"}, Invalid, "not a Vector2"),
    ("AnimationPlayer", "root_node", {"$node": "../Playr"}, NotFound, "../Player"),
    ("Control", "focus_mode", "al", Invalid, "FOCUS_ALL"),
    ("Control", "focus_mode", 77, Invalid, "FOCUS_ALL (2)"),
    ("CharacterBody2D", "collision_layer", [1, 3], Invalid, "layers or bits"),
    ("CharacterBody2D", "collision_layer", -1, Invalid, "32 layers"),
    ("CharacterBody2D", "collision_layer", ["Wals"], Invalid, "Walls"),
]


@pytest.mark.parametrize(("class_name", "name", "value", "kind", "said"), OBJECTS, ids=str)
def test_a_wrong_resource_or_name_is_refused(
    class_name: str, name: str, value: Any, kind: type[Fault], said: str, context: InMemory
) -> None:
    with pytest.raises(kind) as refused:
        coerce(value, context.index.property(class_name, name), context)
    assert said in f"{refused.value.message} {refused.value.hint}"
    assert f".{name}" in refused.value.message


def test_a_property_that_can_only_be_read_is_refused(context: InMemory, index: ClassIndex) -> None:
    every = (property_ for name in index.class_names for property_ in index.class_info(name).properties)
    found = next(property_ for property_ in every if property_.read_only)
    with pytest.raises(Invalid, match="only be read"):
        coerce(1, found, context)


def test_a_wrong_value_inside_a_new_resource_names_its_own_property(context: InMemory, index: ClassIndex) -> None:
    with pytest.raises(Invalid, match=r"RectangleShape2D\.size takes a Vector2"):
        coerce(
            {"$resource": "RectangleShape2D", "props": {"size": [1]}},
            index.property("CollisionShape2D", "shape"),
            context,
        )
