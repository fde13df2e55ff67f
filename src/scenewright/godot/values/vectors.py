"""Vectors, rectangles, planes, quaternions, boxes and projections from lists and from named parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import astuple

from scenewright.godot.documents import variant as v
from scenewright.godot.values.numbers import component, integer
from scenewright.godot.values.refusal import Mismatch, shown

__all__ = ["Parts", "flat", "named", "numbers", "parts_of", "vector"]

Parts: TypeAlias = "tuple[tuple[str, int], ...]"
"""Names in order, each with how many numbers it stands for."""

_XY = (("x", 1), ("y", 1))
_XYZ = (*_XY, ("z", 1))
_XYZW = (*_XYZ, ("w", 1))
_SHAPES: dict[str, tuple[Parts, ...]] = {
    "Vector2": (_XY,),
    "Vector2i": (_XY,),
    "Vector3": (_XYZ,),
    "Vector3i": (_XYZ,),
    "Vector4": (_XYZW,),
    "Vector4i": (_XYZW,),
    "Quaternion": (_XYZW,),
    "Plane": ((("normal", 3), ("d", 1)), (*_XYZ, ("d", 1))),
    "Projection": ((("x", 4), ("y", 4), ("z", 4), ("w", 4)),),
}
for _rect in ("Rect2", "Rect2i"):
    _SHAPES[_rect] = (
        (("position", 2), ("size", 2)),
        (*_XY, ("width", 1), ("height", 1)),
        (*_XY, ("w", 1), ("h", 1)),
    )
_SHAPES["AABB"] = ((("position", 3), ("size", 3)), (*_XYZ, ("width", 1), ("height", 1), ("depth", 1)))
_GROUPS = {"Rect2": 2, "Rect2i": 2, "AABB": 3, "Projection": 4}  # a list of lists of so many numbers


def vector(value: Any, type_: str) -> v.Variant:
    """Return a value of numbers only, of a type that `_SHAPES` knows."""
    read = _read_integer if type_ in v.INT_STRUCTS else component
    kind: Any = v.INT_STRUCTS.get(type_) or v.FLOAT_STRUCTS[type_]
    size = len(kind.__struct_fields__)
    is_named = isinstance(value, Mapping)
    components = named(value, _SHAPES[type_], read) if is_named else flat(value, size, _GROUPS.get(type_, 0), read)
    made: v.Variant = kind(*components)
    return made


def flat(value: Any, size: int, group: int = 0, read: Callable[[Any], Any] = component) -> list[Any]:
    """Read so many numbers from a list, or from a list of lists of `group` numbers."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = list(value)
        if group and items and not any(isinstance(item, int | float) for item in items):
            if len(items) != size // group:
                raise Mismatch(f"{len(items)} parts instead of {size // group}")
            return [number for item in items for number in numbers(item, group, read)]
        if len(items) == size:
            return [read(item) for item in items]
        raise Mismatch(f"{len(items)} numbers instead of {size}")
    raise Mismatch(f"{shown(value)} is not a list of {size} numbers")


def numbers(value: Any, size: int, read: Callable[[Any], Any] = component) -> list[Any]:
    """Return the numbers of a part: a list, `{"x": …}`, or a vector."""
    if isinstance(value, Mapping):
        return named(value, (_XYZW[:size],), read)
    struct = parts_of(value)
    return flat(value if struct is None else struct, size, 0, read)


def named(value: Mapping[str, Any], shapes: tuple[Parts, ...], read: Callable[[Any], Any] = component) -> list[Any]:
    """Return the numbers of named parts; all of them and no others are required."""
    for parts in shapes:
        if set(value) == {name for name, _ in parts}:
            return [number for name, size in parts for number in _read_part(value[name], name, size, read)]
    wanted = " or ".join("{" + ", ".join(name for name, _ in parts) + "}" for parts in shapes)
    raise Mismatch(f"{{{', '.join(map(str, value))}}} is not {wanted}")


def parts_of(value: Any) -> tuple[Any, ...] | None:
    """Return the numbers a vector or matrix is made of; None for anything else."""
    return astuple(value) if type(value).__name__ in v.FLOAT_STRUCTS | v.INT_STRUCTS else None


def _read_part(value: Any, name: str, size: int, read: Callable[[Any], Any]) -> list[Any]:
    try:
        return [read(value)] if size == 1 else numbers(value, size, read)
    except Mismatch as problem:
        raise problem.within(f".{name}") from None


def _read_integer(value: Any) -> int:
    if isinstance(value, str):
        raise Mismatch(f"{shown(value)} is not a whole number")
    return integer(value, 32)
