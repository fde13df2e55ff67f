"""Values made of numbers in parentheses, and the names they had in earlier versions of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite

from scenewright.godot.text import variant as v
from scenewright.godot.text.errors import Malformed

__all__ = ["CONSTRUCTED", "REFERENCES", "construct", "current_name", "number_from", "whole"]

REFERENCES: dict[str, Callable[[str], v.Variant]] = {
    "ExtResource": v.ExtResource,
    "SubResource": v.SubResource,
    "NodePath": v.NodePath,
}
_EMPTY: dict[str, v.Variant] = {
    "RID": v.RID(),
    "Callable": v.Callable(),
    "Signal": v.Signal(),
    "PackedStringArray": v.PackedStringArray(),
}
_OTHERWISE = frozenset({*_EMPTY, *REFERENCES, "Resource", "Object", "Array", "Dictionary"})
CONSTRUCTED = frozenset(
    [*v.FLOAT_STRUCTS, *v.INT_STRUCTS, *v.PACKED_STRUCTS, *v.PACKED_INTS, *v.PACKED_FLOATS, *_EMPTY]
)
_OLD_NAMES = {
    "Matrix32": "Transform2D",
    "Quat": "Quaternion",
    "Rect3": "AABB",
    "Matrix3": "Basis",
    "Transform": "Transform3D",
    "PackedIntArray": "PackedInt32Array",
    "PackedRealArray": "PackedFloat32Array",
    "FloatArray": "PackedFloat32Array",
    "RealArray": "PackedFloat32Array",
    "PoolRealArray": "PackedFloat32Array",
    "IntArray": "PackedInt32Array",
    "PoolIntArray": "PackedInt32Array",
}
for _element in ("Byte", "String", "Vector2", "Vector3", "Vector4", "Color"):
    _OLD_NAMES[f"Pool{_element}Array"] = _OLD_NAMES[f"{_element}Array"] = f"Packed{_element}Array"


def current_name(name: str) -> str:
    """The name a type has today."""
    return _OLD_NAMES.get(name, name)


def construct(name: str, numbers: list[int | float], start: int) -> v.Variant:
    """A value that is made of numbers only."""
    struct = v.FLOAT_STRUCTS.get(name) or v.INT_STRUCTS.get(name)
    if struct is not None:
        size = len(struct.__struct_fields__)
        if len(numbers) != size:
            raise Malformed(f"Expected {size} arguments for {name}(), got {len(numbers)}", start)
        return struct(*(whole(numbers, start) if name in v.INT_STRUCTS else map(float, numbers)))
    if name in v.PACKED_STRUCTS:
        packed, size = v.PACKED_STRUCTS[name]
        return packed(tuple(map(float, numbers[: len(numbers) - len(numbers) % size])))
    if name in v.PACKED_INTS:
        return v.PACKED_INTS[name](tuple(whole(numbers, start)))
    if name in v.PACKED_FLOATS:
        return v.PACKED_FLOATS[name](tuple(map(float, numbers)))
    if name == "PackedByteArray":
        return v.PackedByteArray(bytes(number & 255 for number in whole(numbers, start)))
    return _handle(name, whole(numbers, start), start)


def _handle(name: str, numbers: list[int], start: int) -> v.Variant:
    """What else may stand with a number or with nothing in its parentheses."""
    if not numbers and name in _EMPTY:
        return _EMPTY[name]
    if len(numbers) == 1 and name == "RID":
        return v.RID(numbers[0])
    if len(numbers) == 1 and name in ("ExtResource", "SubResource"):
        return REFERENCES[name](str(numbers[0]))  # as Godot 3 wrote them
    if name in _OTHERWISE:
        raise Malformed(f"{name}() does not take {'numbers' if numbers else 'nothing'}", start)
    raise Malformed(f"Unexpected identifier '{name}'", start)


def number_from(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def whole(numbers: Iterable[int | float], start: int) -> list[int]:
    """Cut to integers, as the engine does."""
    found = list(numbers)
    if not all(isfinite(number) for number in found):
        raise Malformed("Expected whole numbers", start)
    return [int(number) for number in found]
