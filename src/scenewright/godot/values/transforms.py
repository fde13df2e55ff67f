"""Basis, Quaternion and the transforms, also by angles and scale, composed as the engine's inspector does."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, degrees, radians, sin, sqrt
from typing import Any, TypeAlias

from scenewright.godot.documents import variant as v
from scenewright.godot.values.numbers import component
from scenewright.godot.values.refusal import Mismatch
from scenewright.godot.values.vectors import flat, named, numbers

__all__ = ["basis", "quaternion", "transform_2d", "transform_3d"]

Rows: TypeAlias = "tuple[tuple[float, ...], ...]"

_AXES = (("x", 3), ("y", 3), ("z", 3))
_TURNS = ("rotation", "rotation_degrees", "quaternion")
_EXACT = {0: 0.0, 90: 1.0, 180: 0.0, 270: -1.0}  # sines, without the error of a rounded pi


def basis(value: Any) -> v.Basis:
    """Read rows, `{x, y, z}` axes, or a rotation and a scale."""
    if not isinstance(value, Mapping):
        return v.Basis(*flat(value, 9, 3))
    if set(value) == {"x", "y", "z"}:
        axes = named(value, (_AXES,))
        return v.Basis(*(axes[3 * column + row] for row in range(3) for column in range(3)))
    _check_names(value, (*_TURNS, "scale"))
    rows = _read_rotation(value)
    scale = numbers(value["scale"], 3) if "scale" in value else (1.0, 1.0, 1.0)
    return v.Basis(*(row[column] * scale[column] for row in rows for column in range(3)))


def transform_3d(value: Any) -> v.Transform3D:
    """Read twelve numbers as the engine writes them, or origin with a basis, or with a rotation and a scale."""
    if not isinstance(value, Mapping):
        if isinstance(value, list | tuple) and len(value) == 4:  # three rows and the origin
            return v.Transform3D(*flat(value, 12, 3))
        return v.Transform3D(*flat(value, 12))
    rest = {name: part for name, part in value.items() if name not in ("origin", "position", "basis")}
    if "basis" in value and rest:
        raise Mismatch(f"a basis cannot be combined with {', '.join(rest)}")
    _check_names(value, ("origin", "position", "basis", *_TURNS, "scale"))
    turned = (
        _basis_part(value["basis"]) if "basis" in value else basis(rest) if rest else basis({"rotation": [0, 0, 0]})
    )
    return v.Transform3D(*_row_by_row(turned), *_read_origin(value, 3))


def transform_2d(value: Any) -> v.Transform2D:
    """Read six numbers, `{x, y, origin}`, or origin with a rotation, a scale and a skew."""
    if not isinstance(value, Mapping):
        return v.Transform2D(*flat(value, 6, 2))
    if "x" in value or "y" in value:
        return v.Transform2D(*named(value, ((("x", 2), ("y", 2), ("origin", 2)),)))
    _check_names(value, ("origin", "position", "rotation", "rotation_degrees", "scale", "skew", "skew_degrees"))
    turn, skew = _read_angle(value, "rotation"), _read_angle(value, "skew")
    wide, high = numbers(value["scale"], 2) if "scale" in value else (1.0, 1.0)
    x = (_cos(turn) * wide, _sin(turn) * wide)
    y = (-_sin(turn + skew) * high, _cos(turn + skew) * high)
    return v.Transform2D(*x, *y, *_read_origin(value, 2))


def quaternion(value: Mapping[str, Any]) -> v.Quaternion:
    """Read a quaternion from a rotation by angles."""
    _check_names(value, ("rotation", "rotation_degrees"))
    (sx, cx), (sy, cy), (sz, cz) = ((_sin(angle / 2), _cos(angle / 2)) for angle in _read_angles(value))
    return v.Quaternion(
        cy * sx * cz + sy * cx * sz,
        sy * cx * cz - cy * sx * sz,
        cy * cx * sz - sy * sx * cz,
        cy * cx * cz + sy * sx * sz,
    )


def _check_names(value: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = [name for name in value if name not in known]
    if unknown or not value:
        raise Mismatch(f"{', '.join(map(str, unknown)) or 'nothing'} is not one of {', '.join(known)}")
    for one, other in (("origin", "position"), ("rotation", "rotation_degrees"), ("skew", "skew_degrees")):
        if one in value and other in value:
            raise Mismatch(f"{one} and {other} mean the same; give one of them")
    if "quaternion" in value and ("rotation" in value or "rotation_degrees" in value):
        raise Mismatch("a quaternion and angles mean the same; give one of them")


def _basis_part(value: Any) -> v.Basis:
    return value if isinstance(value, v.Basis) else basis(value)


def _read_origin(value: Mapping[str, Any], size: int) -> list[float]:
    origin = value.get("origin", value.get("position"))
    return [0.0] * size if origin is None else numbers(origin, size)


def _read_angle(value: Mapping[str, Any], name: str) -> float:
    """In degrees, whatever it was given in."""
    if f"{name}_degrees" in value:
        return component(value[f"{name}_degrees"])
    return degrees(component(value.get(name, 0.0)))


def _read_angles(value: Mapping[str, Any]) -> list[float]:
    if "rotation_degrees" in value:
        return numbers(value["rotation_degrees"], 3)
    return [degrees(angle) for angle in numbers(value.get("rotation", [0, 0, 0]), 3)]


def _read_rotation(value: Mapping[str, Any]) -> Rows:
    if "quaternion" in value:
        return _rotation_rows(*numbers(value["quaternion"], 4))
    x, y, z = _read_angles(value)
    (sx, cx), (sy, cy), (sz, cz) = ((_sin(angle), _cos(angle)) for angle in (x, y, z))
    return (  # first around z, then x, then y, as the engine's default order has it
        (cy * cz + sy * sx * sz, cz * sy * sx - cy * sz, cx * sy),
        (cx * sz, cx * cz, -sx),
        (cy * sx * sz - cz * sy, cy * cz * sx + sy * sz, cy * cx),
    )


def _rotation_rows(x: float, y: float, z: float, w: float) -> Rows:
    size = sqrt(x * x + y * y + z * z + w * w)
    if not abs(size - 1) < 1e-4:
        raise Mismatch(f"the quaternion's length is {size:g} instead of 1")
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def _row_by_row(matrix: v.Basis) -> tuple[float, ...]:
    return (matrix.xx, matrix.yx, matrix.zx, matrix.xy, matrix.yy, matrix.zy, matrix.xz, matrix.yz, matrix.zz)


def _sin(angle: float) -> float:
    return _EXACT.get(angle % 360, sin(radians(angle)))  # type: ignore[call-overload, no-any-return]


def _cos(angle: float) -> float:
    return _EXACT.get((angle + 90) % 360, cos(radians(angle)))  # type: ignore[call-overload, no-any-return]
