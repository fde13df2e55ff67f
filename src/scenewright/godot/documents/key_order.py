"""The order in which the engine writes a dictionary's keys: text by code point, otherwise by type and then by value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from scenewright.godot.documents import variant as v

__all__ = ["in_engine_order"]

Entry = tuple[v.Variant, v.Variant]
_RESOURCES = (v.Object, v.ExtResource, v.SubResource, v.Resource)
_BEFORE_OBJECT = (
    *(type(None), bool, int, float, str, v.Vector2, v.Vector2i, v.Rect2, v.Rect2i, v.Vector3, v.Vector3i),
    *(v.Transform2D, v.Vector4, v.Vector4i, v.Plane, v.Quaternion, v.AABB, v.Basis, v.Transform3D, v.Projection),
    *(v.Color, v.StringName, v.NodePath, v.RID),
)
_AFTER_OBJECT = (
    *(v.Callable, v.Signal, v.Dictionary, v.Array, v.PackedByteArray, v.PackedInt32Array, v.PackedInt64Array),
    *(v.PackedFloat32Array, v.PackedFloat64Array, v.PackedStringArray, v.PackedVector2Array, v.PackedVector3Array),
    *(v.PackedColorArray, v.PackedVector4Array),
)
_RANK: dict[type, int] = dict(zip(_BEFORE_OBJECT, range(len(_BEFORE_OBJECT)), strict=True))
_RANK.update({kind: len(_BEFORE_OBJECT) for kind in _RESOURCES})
_RANK.update({kind: len(_BEFORE_OBJECT) + 1 + rank for rank, kind in enumerate(_AFTER_OBJECT)})
_COMPARABLE = frozenset[type](
    [bool, int, float, v.RID, v.Vector2, v.Vector2i, v.Vector3, v.Vector3i, v.Vector4, v.Vector4i]
)


def in_engine_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return a dictionary's entries as the engine would write them."""
    if all(type(key) is str for key, _ in entries):
        return sorted(entries, key=lambda entry: str(entry[0]))
    return sorted(entries, key=_BY_KEY)


def _compare_keys(left: v.Variant, right: v.Variant) -> int:
    one, other = _text_of(left), _text_of(right)
    if one is not None and other is not None:
        return (one > other) - (one < other)
    if type(left) is not type(right):
        return _RANK[type(left)] - _RANK[type(right)]
    if type(left) not in _COMPARABLE:
        return 0
    first, second = _comparable_form(left), _comparable_form(right)
    return int(first > second) - int(first < second)


def _compare_entries(left: Entry, right: Entry) -> int:
    return _compare_keys(left[0], right[0])


_BY_KEY = cmp_to_key(_compare_entries)


def _text_of(key: v.Variant) -> str | None:
    if isinstance(key, v.StringName):
        return key.text
    return key if isinstance(key, str) else None


def _comparable_form(key: v.Variant) -> Any:
    return astuple(key) if isinstance(key, Struct) else key
