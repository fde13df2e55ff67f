"""What a reply shows of a value means the same value when it is sent again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.godot.values.samples import SAMPLES, InMemory, wanting

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.classes.library import shipped
from scenewright.godot.classes.records import Property
from scenewright.godot.classes.variant import PACKED_ELEMENTS
from scenewright.godot.documents import variant as v
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.documents.variant_writer import write_variant
from scenewright.godot.values.coercion import coerce
from scenewright.godot.values.literals import type_name
from scenewright.godot.values.presentation import present
from scenewright.godot.values.tree import File, Inline, NodeTarget


def again(value: v.Variant, wanted: Property, context: InMemory, *, bare: bool = False) -> Any:
    """Sent as JSON, shown as JSON, sent again."""
    return coerce(json.loads(json.dumps(present(value, wanted if bare else None), allow_nan=False)), wanted, context)


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_every_type_comes_back_as_it_was(sample: Any, context: InMemory) -> None:
    for wanted in (wanting(sample.type), wanting("Variant")):
        made = again(sample.expected, wanted, context)
        assert type_name(made) == type_name(sample.expected)
        assert made == sample.expected


SINGLE = st.floats(width=32, allow_nan=False)
INT32 = st.integers(-(1 << 31), (1 << 31) - 1)
INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12),
    st.sampled_from(["res://a.png", "uid://b", "Vector2(1, 2)", '&"a"', "true", "5", "null", "$type", "[1]"]),
)


def structs() -> st.SearchStrategy[Any]:
    floats = [st.builds(kind, *[SINGLE] * len(kind.__struct_fields__)) for kind in v.FLOAT_STRUCTS.values()]
    ints = [st.builds(kind, *[INT32] * len(kind.__struct_fields__)) for kind in v.INT_STRUCTS.values()]
    return st.one_of(*floats, *ints)


def packed() -> st.SearchStrategy[Any]:
    def of(kind: Any, item: st.SearchStrategy[Any], size: int = 1) -> st.SearchStrategy[Any]:
        many = st.lists(st.tuples(*[item] * size), max_size=4)
        return many.map(lambda found: kind(tuple(part for group in found for part in group)))

    doubles = st.floats(allow_nan=False)
    return st.one_of(
        st.binary(max_size=8).map(v.PackedByteArray),
        of(v.PackedInt32Array, INT32),
        of(v.PackedInt64Array, INT64),
        of(v.PackedFloat32Array, SINGLE),
        of(v.PackedFloat64Array, doubles),
        of(v.PackedStringArray, TEXT),
        *(of(kind, SINGLE, size) for kind, size in v.PACKED_STRUCTS.values()),
    )


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    INT64,
    st.floats(allow_nan=False),
    TEXT,
    TEXT.map(v.StringName),
    TEXT.map(v.NodePath),
    structs(),
    packed(),
    st.sampled_from([v.RID(), v.Callable(), v.Signal()]),
)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    arrays = st.lists(inner, max_size=3).map(lambda items: v.Array(tuple(items)))
    keys = st.one_of(TEXT, INT64, st.booleans(), TEXT.map(v.StringName), st.builds(v.Vector2i, INT32, INT32))
    entries = st.lists(st.tuples(keys, inner), max_size=3, unique_by=lambda entry: (type(entry[0]), entry[0]))
    typed = st.lists(INT64, max_size=3).map(lambda items: v.Array(tuple(items), "int"))
    return st.one_of(arrays, typed, entries.map(lambda found: v.Dictionary(tuple(found))))


VALUES = st.recursive(LEAVES, nested, max_leaves=6)


@settings(max_examples=300, deadline=None)
@given(value=VALUES)
def test_any_value_comes_back_as_it_was(value: Any) -> None:
    context = InMemory(shipped())
    own = type_name(value)
    for wanted in (wanting("Variant"), *([wanting(own)] if own != "Nil" else [])):
        made = again(value, wanted, context)
        assert type_name(made) == own
        assert write_variant(made) == write_variant(value)


def like(made: Any, default: v.Variant) -> v.Variant:
    """Some properties are declared with a type of elements and start without one."""
    if isinstance(default, v.Array):
        return v.Array(made.items, default.type)
    return v.Dictionary(made.entries, default.key_type) if isinstance(default, v.Dictionary) else made


def test_every_default_of_the_engine_comes_back_as_it_was(index: ClassIndex) -> None:
    context, count = InMemory(index), 0
    for name in index.class_names:
        for found in index.class_info(name).properties:
            default = parse_variant(found.default) if found.default is not None else None
            index.choices(found)
            if default is None or found.read_only or type_name(default) != found.variant:
                continue
            for made in (again(default, found, context, bare=True), coerce(None, found, context)):
                assert write_variant(like(made, default)) == write_variant(default), (name, found.name)
            count += 1
    assert count > 3000


def test_a_reply_is_short() -> None:
    assert present(v.Vector3(0.0, 1.0, 0.5)) == "Vector3(0, 1, 0.5)"
    assert present(v.Array((1, v.StringName("a")))) == [1, '&"a"']
    assert present("res://a.png", wanting("String")) == "res://a.png"
    assert present(v.PackedVector2Array((0.1, 1.0))) == {"$type": "PackedVector2Array", "value": [[0.1, 1.0]]}
    assert present(1 << 60) == {"$type": "int", "value": str(1 << 60)}
    assert set(PACKED_ELEMENTS) <= {sample.type for sample in SAMPLES}


SCENE = """[gd_scene format=3]

[ext_resource type="Texture2D" path="res://icon.png" id="1_a"]

[sub_resource type="CircleShape2D" id="CircleShape2D_a"]
"""


def test_resources_say_their_path_or_class(context: InMemory, index: ClassIndex) -> None:
    document = Document.parse(SCENE, "a.tscn")
    texture, shape = v.ExtResource("1_a"), v.SubResource("CircleShape2D_a")
    assert present(texture, document=document) == {"$path": "res://icon.png"}
    assert present(shape, document=document) == {"$resource": "CircleShape2D", "id": "CircleShape2D_a"}
    wanted = index.property("CollisionShape2D", "shape")
    assert coerce(present(shape, document=document), wanted, context) == shape
    assert coerce(present(shape), wanted, context) == shape
    assert coerce(present(texture), index.property("Sprite2D", "texture"), context) == texture


def test_what_is_not_placed_yet_can_be_shown_and_sent_again(context: InMemory, index: ClassIndex) -> None:
    wanted = index.property("CollisionShape2D", "shape")
    for sent in ({"$resource": "CircleShape2D", "props": {"radius": 2.5}}, {"$path": "res://round.tres"}):
        made = coerce(sent, wanted, context)
        assert isinstance(made, Inline | File)
        assert present(made) == sent
    assert present(NodeTarget("A")) == {"$node": "A"}


@pytest.mark.parametrize(
    "text", ['Array[ExtResource("1_a")]([])', 'Dictionary[int, SubResource("CircleShape2D_a")]({})']
)
def test_containers_of_a_script_s_class_come_back_as_they_were(text: str, context: InMemory) -> None:
    value = parse_variant(text)
    assert again(value, wanting("Variant"), context) == value


def test_an_object_written_in_place_comes_back_as_it_was(context: InMemory) -> None:
    value = v.Object("InputEventKey", (("keycode", 65),))
    assert again(value, wanting("Variant"), context) == value
    assert again(v.Resource("res://a.png"), wanting("Variant"), context) == v.Resource("res://a.png")
