"""Values made of numbers in parentheses, and the names they had in earlier versions of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any

import msgspec

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.errors import Malformed

__all__ = ["CONSTRUCTED", "REFERENCES", "construct", "current_name", "of_numbers", "whole"]

REFERENCES: dict[str, Callable[[str], v.Variant]] = {
    "ExtResource": v.ExtResource,
    "SubResource": v.SubResource,
    "NodePath": v.NodePath,
}
_EMPTY: dict[str, v.Variant] = {
    "RID": v.RID(),
    "Callable": v.Callable(),
    "Signal": v.Signal(),
}
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
    """Return the name a type has today."""
    return _OLD_NAMES.get(name, name)


def of_numbers(name: str, text: str) -> v.Variant:
    """Return a common value from the numbers in its parentheses, or None: then it is read number by number.

    JSON has the engine's numbers but for infinities and a few odd spellings, and its decoder is a hundred times faster.
    """
    known = _MAKERS.get(name)
    if known is None:
        return None
    decode, make = known
    try:
        return make(decode(f"[{text}]"))
    except (msgspec.DecodeError, ValueError):
        return None


def construct(name: str, numbers: list[int | float], start: int) -> v.Variant:
    """Return a value that is made of numbers only."""
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
    if name == "RID" and len(numbers) == 1:
        return v.RID(*whole(numbers, start))
    if numbers:
        raise Malformed(f"{name}() takes no arguments", start)
    return _EMPTY[name]


def whole(numbers: Iterable[int | float], start: int) -> list[int]:
    """Return the numbers cut to integers, as the engine does."""
    values = list(numbers)
    if not all(isfinite(number) for number in values):
        raise Malformed("Expected whole numbers", start)
    return [int(number) for number in values]


def _struct_maker(kind: Callable[..., v.Variant], size: int) -> Callable[[tuple[float, ...]], v.Variant]:
    return lambda parts: kind(*parts) if len(parts) == size else None


def _packed_maker(
    kind: Callable[[tuple[float, ...]], v.Variant], size: int
) -> Callable[[tuple[float, ...]], v.Variant]:
    return lambda parts: kind(parts if len(parts) % size == 0 else parts[: -(len(parts) % size)])


_floats = msgspec.json.Decoder(tuple[float, ...]).decode
_ints = msgspec.json.Decoder(tuple[int, ...]).decode
_MAKERS: dict[str, tuple[Callable[[str], Any], Callable[[Any], v.Variant]]] = {
    "PackedByteArray": (_ints, lambda parts: v.PackedByteArray(bytes(parts))),
    **{name: (_ints, kind) for name, kind in v.PACKED_INTS.items()},
    **{name: (_floats, kind) for name, kind in v.PACKED_FLOATS.items()},
    **{name: (_floats, _packed_maker(kind, size)) for name, (kind, size) in v.PACKED_STRUCTS.items()},
    **{name: (_floats, _struct_maker(kind, len(kind.__struct_fields__))) for name, kind in v.FLOAT_STRUCTS.items()},
    **{name: (_ints, _struct_maker(kind, len(kind.__struct_fields__))) for name, kind in v.INT_STRUCTS.items()},
}
