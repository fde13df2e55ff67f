from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.gdscript_runner import run_jobs

from scenewright.godot.documents.variant import Array, Dictionary
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.engine.debugger.codec import MalformedVariant, decode, encode

LITERALS = (
    "null",
    "true",
    "-7",
    "9007199254740993",
    "0.5",
    '"héllo\\nworld"',
    '&"name"',
    'NodePath("/root/A:b")',
    "Vector2(1, 2.5)",
    "Vector2i(-1, 2)",
    "Rect2(0, 1, 2, 3)",
    "Rect2i(0, 1, 2, 3)",
    "Vector3(1, 2, 3)",
    "Vector3i(1, 2, 3)",
    "Transform2D(1, 0, 0, 1, 5, 6)",
    "Vector4(1, 2, 3, 4)",
    "Vector4i(1, 2, 3, 4)",
    "Plane(0, 1, 0, 2)",
    "Quaternion(0, 0, 0, 1)",
    "AABB(0, 1, 2, 3, 4, 5)",
    "Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)",
    "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
    "Color(0.5, 0.25, 1, 1)",
    "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
    '[1, "a", [2.5]]',
    "Array[int]([1, 2])",
    '{"a": 1, 2: [3]}',
    'Dictionary[String, int]({"a": 1})',
    "PackedByteArray(1, 2, 3)",
    "PackedInt32Array(1, -2)",
    "PackedInt64Array(1, -2)",
    "PackedFloat32Array(0.5, 2)",
    "PackedFloat64Array(0.1, 2)",
    'PackedStringArray("a", "bé")',
    "PackedVector2Array(1, 2, 3, 4)",
    "PackedVector3Array(1, 2, 3)",
    "PackedVector4Array(1, 2, 3, 4)",
    "PackedColorArray(0, 0.5, 1, 1)",
)
SCRIPT = """
func run(job: Variant) -> Variant:
	return Marshalls.raw_to_base64(var_to_bytes(str_to_var(job as String)))
"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


def plain(value: Any) -> Any:
    """Arrays and dictionaries without a type, as the codec gives them."""
    if isinstance(value, Array):
        items = tuple(plain(item) for item in value.items)
        return list(items) if value.type is None else Array(items, value.type)
    if isinstance(value, Dictionary):
        entries = tuple((plain(key), plain(each)) for key, each in value.entries)
        return Dictionary(entries, value.key_type, value.value_type)
    return value


def test_what_the_engine_writes_is_read_as_it_means_it(game: Path) -> None:
    replies = run_jobs(game, SCRIPT, LITERALS)
    for literal, reply in zip(LITERALS, replies, strict=True):
        assert decode(base64.b64decode(reply.value)) == plain(parse_variant(literal)), literal


@given(VALUES)
def test_what_is_written_is_read_back(value: Any) -> None:
    assert decode(encode(value)) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_refused(data: bytes) -> None:
    try:
        decode(data)
    except MalformedVariant:
        return


def test_bytes_that_nest_without_end_are_refused() -> None:
    with pytest.raises(MalformedVariant):
        decode((28).to_bytes(4, "little") + b"".join(b"\1\0\0\0\x1c\0\0\0" for _ in range(5000)))
