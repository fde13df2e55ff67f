"""Collision shapes by name: the class of each, and the properties that sizes stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scenewright.core.faults import Invalid

__all__ = ["SHAPES", "Shape", "shape_of"]

# By name: the class in 2D and in 3D. A polygon is a node of its own kind.
SHAPES: dict[str, tuple[str | None, str | None]] = {
    "rectangle": ("RectangleShape2D", "BoxShape3D"),
    "circle": ("CircleShape2D", "SphereShape3D"),
    "capsule": ("CapsuleShape2D", "CapsuleShape3D"),
    "polygon": ("CollisionPolygon2D", "CollisionPolygon3D"),
    "box": ("RectangleShape2D", "BoxShape3D"),
    "sphere": ("CircleShape2D", "SphereShape3D"),
    "cylinder": (None, "CylinderShape3D"),
    "convex": ("ConvexPolygonShape2D", "ConvexPolygonShape3D"),
    "concave": ("ConcavePolygonShape2D", "ConcavePolygonShape3D"),
    "segment": ("SegmentShape2D", None),
    "separation_ray": ("SeparationRayShape2D", "SeparationRayShape3D"),
    "world_boundary": ("WorldBoundaryShape2D", "WorldBoundaryShape3D"),
    "heightmap": (None, "HeightMapShape3D"),
}
_AXES = ("sizeX", "sizeY", "sizeZ")
_START = {"CapsuleShape2D": (10.0, 30.0), "CapsuleShape3D": (0.5, 2.0)}  # radius and height of a new one
_POINTS = {"ConcavePolygonShape2D": "segments", "ConcavePolygonShape3D": "data"}
_PARAMS = "input.shapeParams"


class Shape(msgspec.Struct, frozen=True):
    """What to make: a class, and its properties."""

    kind: str
    props: dict[str, Any]

    @property
    def is_node(self) -> bool:
        return self.kind.startswith("CollisionPolygon")


def shape_of(name: str, params: Mapping[str, Any], *, three: bool) -> Shape:
    """Return the shape of that name and size, for 2D or 3D.

    Raises:
        Invalid: there is none on that side, or the size is no size.
    """
    kind = SHAPES[name][three]
    if kind is None:
        side, other = ("3D", "2D") if three else ("2D", "3D")
        raise Invalid(
            f"A {name} exists only in {other}, and this is {side}.",
            path="input.shapeType",
            rule="dimension",
            hint=f"{side} has {', '.join(shape for shape, kinds in SHAPES.items() if kinds[three])}.",
        )
    props = dict(params)
    _must_be_sizes(props)
    if kind in ("RectangleShape2D", "BoxShape3D"):
        _join_size(props, axes=3 if three else 2)
    elif kind in _START:
        _fit_rounded(props, kind)
    if "Polygon" in kind and not kind.startswith("Concave") and "points" not in props and not _is_outlined(props):
        props = _with_corners(props, kind)
    if "points" in props and kind.startswith("Co") and not kind.startswith("Convex"):
        props = _name_points(props, kind)
    return Shape(kind, props)


def _must_be_sizes(props: Mapping[str, Any]) -> None:
    for name in (*_AXES, "radius", "height"):
        value = props.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or value <= 0):
            raise Invalid(f"{name} must be a number above 0.", path=f"{_PARAMS}.{name}", rule="exclusiveMinimum")


def _join_size(props: dict[str, Any], *, axes: int) -> None:
    """`sizeX`, `sizeY` and `sizeZ` become one size; a side that is not given is as long as the first that is."""
    parts = [props.pop(name, None) for name in _AXES]
    if axes == 2 and parts[2] is not None:
        raise Invalid("A rectangle has no depth.", path=f"{_PARAMS}.sizeZ", rule="dimension", hint="Leave sizeZ out.")
    known = [part for part in parts if part is not None]
    if known:
        props["size"] = [known[0] if part is None else part for part in parts[:axes]]


def _fit_rounded(props: dict[str, Any], kind: str) -> None:
    """The engine changes one of radius and height where the other leaves it no room; so both are said."""
    radius, height = props.get("radius"), props.get("height")
    if radius is None and height is None:
        return
    usual = _START[kind]
    if radius is not None and height is not None and height < 2 * radius:
        raise Invalid(
            f"A capsule with a radius of {radius} must be at least {2 * radius} high.",
            path=f"{_PARAMS}.height",
            rule="minimum",
            hint="The height counts both round ends.",
        )
    props["radius"] = min(usual[0], height / 2) if radius is None and height is not None else radius
    props["height"] = max(usual[1], 2 * props["radius"]) if height is None else height


def _is_outlined(props: Mapping[str, Any]) -> bool:
    return bool({"polygon", "point_cloud"} & set(props))


def _with_corners(props: dict[str, Any], kind: str) -> dict[str, Any]:
    """Without corners it would be no shape at all, which the engine complains of: a box of the size, or a usual one."""
    three = kind.endswith("3D")
    usual = 20.0 if not three else 1.0
    sides = [float(props.pop(name, None) or usual) / 2 for name in _AXES]
    flat = [[-sides[0], -sides[1]], [sides[0], -sides[1]], [sides[0], sides[1]], [-sides[0], sides[1]]]
    if kind == "ConvexPolygonShape3D":
        return {**props, "points": [[*corner, depth] for depth in (-sides[2], sides[2]) for corner in flat]}
    return {**props, "points": flat}


def _name_points(props: dict[str, Any], kind: str) -> dict[str, Any]:
    """Corner points, as the class wants them: an outline, the sides of one, or triangles."""
    points = props.pop("points")
    if kind == "ConcavePolygonShape2D" and isinstance(points, list):
        points = [point for at, corner in enumerate(points) for point in (corner, points[(at + 1) % len(points)])]
    return {**props, _POINTS.get(kind, "polygon"): points}
