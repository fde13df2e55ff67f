"""Simple bodies: what each looks like and which shape it collides with, in two and three dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import Any, Literal

import msgspec

from scenewright.core.calls.repair import as_numbers
from scenewright.core.faults import Invalid, did_you_mean
from scenewright.core.text.counts import with_article
from scenewright.godot.building.colors import read_color
from scenewright.godot.building.node_tree import PlannedNode, part, resource

__all__ = ["BODIES", "Dimension", "Solid", "collision", "solid", "visual"]

Dimension = Literal["2d", "3d"]
Point = tuple[float, ...]
BODIES = {
    "static": "StaticBody",
    "animatable": "AnimatableBody",
    "rigid": "RigidBody",
    "area": "Area",
    "character": "CharacterBody",
}
_ALIKE = {"cube": "box", "ball": "sphere", "square": "rectangle", "ring": "torus"}
_IN_2D = {"box": "rectangle", "sphere": "circle", "quad": "rectangle", "prism": "triangle"}
_ROUND, _RINGS, _TUBE = 24, 24, 8
# The sides that are as long as each other.
_EVEN = {"sphere": (0, 1, 2), "circle": (0, 1), "capsule": (0, 2), "cylinder": (0, 2), "cone": (0, 2), "torus": (0, 2)}


class Solid(msgspec.Struct, frozen=True, kw_only=True):
    """A body to be: of which kind, how large, and how the engine is told of it."""

    name: str
    dimension: Dimension
    size: Point
    shape: dict[str, Any] | None = None  # None where the points are the shape
    mesh: dict[str, Any] | None = None
    points: tuple[Point, ...] = ()
    lowered: float = 0.0  # how far the shape stands below the middle
    hollow: bool = False  # a surface without inside, which only bodies that stand still collide with


def _box(size: Point) -> dict[str, Any]:
    return {"mesh": resource("BoxMesh", size=size), "shape": resource("BoxShape3D", size=size)}


def _sphere(size: Point) -> dict[str, Any]:
    radius = size[0] / 2
    mesh = resource("SphereMesh", radius=radius, height=size[0])
    return {"mesh": mesh, "shape": resource("SphereShape3D", radius=radius)}


def _capsule(size: Point) -> dict[str, Any]:
    given = {"radius": size[0] / 2, "height": max(size[1], size[0])}
    return {"mesh": resource("CapsuleMesh", **given), "shape": resource("CapsuleShape3D", **given)}


def _cylinder(size: Point) -> dict[str, Any]:
    radius, height = size[0] / 2, size[1]
    mesh = resource("CylinderMesh", top_radius=radius, bottom_radius=radius, height=height)
    return {"mesh": mesh, "shape": resource("CylinderShape3D", radius=radius, height=height)}


def _cone(size: Point) -> dict[str, Any]:
    radius, height = size[0] / 2, size[1]
    mesh = resource("CylinderMesh", top_radius=0.0, bottom_radius=radius, height=height)
    rim = [(radius * cos(turn), -height / 2, radius * sin(turn)) for turn in _angles_around(_ROUND)]
    return {"mesh": mesh, "shape": _hull([*rim, (0.0, height / 2, 0.0)])}


def _plane(size: Point) -> dict[str, Any]:
    thin = 0.1
    shape = resource("BoxShape3D", size=(size[0], thin, size[2]))
    return {"mesh": resource("PlaneMesh", size=(size[0], size[2])), "shape": shape, "lowered": thin / 2}


def _quad(size: Point) -> dict[str, Any]:
    mesh = resource("QuadMesh", size=(size[0], size[1]))
    return {"mesh": mesh, "shape": resource("BoxShape3D", size=(size[0], size[1], 0.02))}


def _prism(size: Point) -> dict[str, Any]:
    x, y, z = (side / 2 for side in size)
    points = [(across, -y, deep) for across in (-x, x) for deep in (-z, z)] + [(0.0, y, -z), (0.0, y, z)]
    return {"mesh": resource("PrismMesh", size=size), "shape": _hull(points)}


def _torus(size: Point) -> dict[str, Any]:
    outer, tube = size[0] / 2, min(size[1], size[0] / 2) / 2
    mesh = resource("TorusMesh", inner_radius=outer - 2 * tube, outer_radius=outer)
    rings = [
        [_on_torus(outer - tube, tube, turn, around) for around in _angles_around(_TUBE)]
        for turn in _angles_around(_RINGS)
    ]
    faces: list[Point] = []
    for here, there in zip(rings, (*rings[1:], rings[0]), strict=True):
        for number in range(_TUBE):
            beside = (number + 1) % _TUBE
            faces += [here[number], there[number], there[beside], here[number], there[beside], here[beside]]
    data = [part for point in faces for part in point]
    return {"mesh": mesh, "shape": resource("ConcavePolygonShape3D", data=data), "hollow": True}


def _rectangle(size: Point) -> dict[str, Any]:
    x, y = size[0] / 2, size[1] / 2
    points = ((-x, -y), (x, -y), (x, y), (-x, y))
    return {"points": points, "shape": resource("RectangleShape2D", size=size[:2])}


def _circle(size: Point) -> dict[str, Any]:
    radius = size[0] / 2
    points = tuple((radius * cos(turn), radius * sin(turn)) for turn in _angles_around(_ROUND))
    return {"points": points, "shape": resource("CircleShape2D", radius=radius)}


def _flat_capsule(size: Point) -> dict[str, Any]:
    radius, height = size[0] / 2, max(size[1], size[0])
    half = height / 2 - radius
    lower = [(radius * cos(turn), half + radius * sin(turn)) for turn in _angles_around(_ROUND)[: _ROUND // 2 + 1]]
    upper = [(-x, -y) for x, y in lower]
    return {"points": (*lower, *upper), "shape": resource("CapsuleShape2D", radius=radius, height=height)}


def _triangle(size: Point) -> dict[str, Any]:
    x, y = size[0] / 2, size[1] / 2
    return {"points": ((0.0, -y), (x, y), (-x, y))}


_KINDS: dict[Dimension, dict[str, tuple[Callable[[Point], dict[str, Any]], Point]]] = {
    "3d": {
        "box": (_box, (1.0, 1.0, 1.0)),
        "sphere": (_sphere, (1.0, 1.0, 1.0)),
        "capsule": (_capsule, (1.0, 2.0, 1.0)),
        "cylinder": (_cylinder, (1.0, 2.0, 1.0)),
        "cone": (_cone, (1.0, 2.0, 1.0)),
        "plane": (_plane, (10.0, 0.0, 10.0)),
        "quad": (_quad, (1.0, 1.0, 0.0)),
        "prism": (_prism, (1.0, 1.0, 1.0)),
        "torus": (_torus, (2.0, 0.5, 2.0)),
    },
    "2d": {
        "rectangle": (_rectangle, (64.0, 64.0)),
        "circle": (_circle, (64.0, 64.0)),
        "capsule": (_flat_capsule, (32.0, 64.0)),
        "triangle": (_triangle, (64.0, 64.0)),
    },
}


def solid(name: str, dimension: Dimension | None, size: Any = None, points: Any = None) -> Solid:
    """Return a body by the name of its shape; which dimension it has follows from the name where only one has it.

    Raises:
        Invalid: there is no such shape, or its size or points do not fit.
    """
    plain = name.strip().lower().removesuffix("mesh").removesuffix("shape2d").removesuffix("shape3d")
    plain = _ALIKE.get(plain, plain)
    if plain == "polygon":
        return _polygon(dimension, size, points)
    if points is not None:
        raise Invalid(
            f"Only a polygon has points, and this is {with_article(plain)}.",
            path="input.points",
            rule="shape",
            hint="Leave points out, or make the shape a polygon.",
        )
    known = _KINDS[dimension or ("3d" if plain in _KINDS["3d"] else "2d")]
    dimension = "3d" if known is _KINDS["3d"] else "2d"
    plain = _IN_2D.get(plain, plain) if dimension == "2d" else plain
    if plain not in known:
        names = [each for kinds in _KINDS.values() for each in kinds] if plain not in _KINDS["2d"] else list(known)
        raise Invalid(
            f"There is no {dimension} shape '{name}'.",
            path="input.shape",
            rule="enum",
            hint=did_you_mean(plain, names) or f"One of {', '.join((*names, 'polygon'))}.",
        )
    make, usual = known[plain]
    size = as_numbers(size)
    wanted = _read_size(_as_flat_size(size) if plain == "plane" else size, usual)
    _refuse_oval(plain, size)
    return Solid(name=plain, dimension=dimension, size=wanted, **make(wanted))


def visual(body: Solid, name: str, *, color: Any = None, texture: str | None = None) -> PlannedNode:
    """Return the node that shows it: a mesh, a polygon, or a sprite with a texture."""
    if texture is not None:
        return part(f"Sprite{body.dimension.upper()}", name, texture=texture)
    if body.mesh is None:
        return part("Polygon2D", name, polygon=body.points, **({} if color is None else {"color": color}))
    mesh = body.mesh
    if color is not None:
        mesh = resource(mesh["$resource"], **mesh["props"], material=_make_material(color))
    return part("MeshInstance3D", name, mesh=mesh)


def collision(body: Solid) -> PlannedNode:
    """Return the node that says where it collides."""
    if body.shape is None:
        return part("CollisionPolygon2D", "CollisionPolygon2D", polygon=body.points)
    kind = f"CollisionShape{body.dimension.upper()}"
    given: dict[str, Any] = {"shape": body.shape}
    if body.lowered:
        given["position"] = (0.0, -body.lowered, 0.0)
    return part(kind, kind, **given)


def _polygon(dimension: Dimension | None, size: Any, points: Any) -> Solid:
    if dimension == "3d":
        raise Invalid(
            "A polygon is flat.", path="input.shape", rule="dimension", hint="In 3d use box, prism or another solid."
        )
    if not isinstance(points, list) or len(points) < 3 or not all(map(_is_corner, points)):
        raise Invalid(
            "A polygon needs at least three points [x, y].",
            path="input.points",
            rule="length",
            hint="Such as [[0, 0], [32, 0], [0, 32]].",
        )
    if size is not None:
        raise Invalid("The points say how large a polygon is.", path="input.size", rule="shape", hint="Leave size out.")
    corners = tuple((float(x), float(y)) for x, y in points)
    wide = tuple(max(side) - min(side) for side in zip(*corners, strict=True))
    return Solid(name="polygon", dimension="2d", size=wide, points=corners)


def _is_corner(point: Any) -> bool:
    return isinstance(point, list) and len(point) == 2 and all(map(_is_number, point))


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _read_size(size: Any, usual: Point) -> Point:
    """A size as it may be given: one number for all sides, or one for each."""
    if size is None:
        return usual
    given = [size] * len(usual) if isinstance(size, int | float) else size
    fits = isinstance(given, list) and 0 < len(given) <= len(usual)
    if not fits or not all(_is_number(side) and side >= 0 for side in given):
        raise Invalid(
            f"The size must be a number, or up to {len(usual)} numbers.",
            path="input.size",
            rule="type",
            hint="[width, height] or [width, height, depth], none below 0.",
        )
    return (*map(float, given), *usual[len(given) :])


def _as_flat_size(size: Any) -> Any:
    """The size of what lies flat: its two sides are the width and the depth."""
    return [size[0], 0.0, size[1]] if isinstance(size, list) and len(size) == 2 else size


def _refuse_oval(name: str, size: Any) -> None:
    sides = {size[side] for side in _EVEN.get(name, ()) if side < len(size)} if isinstance(size, list) else set()
    if len(sides) > 1:
        raise Invalid(
            f"A {name} is round, and {size} is not.",
            path="input.size",
            rule="shape",
            hint="Give one number, or scale the node.",
        )


def _make_material(color: Any) -> dict[str, Any]:
    clear = {"transparency": "Alpha"} if read_color(color, "color").a < 1.0 else {}
    return resource("StandardMaterial3D", albedo_color=color, **clear)


def _hull(points: Sequence[Point]) -> dict[str, Any]:
    return resource("ConvexPolygonShape3D", points=points)


def _angles_around(count: int) -> list[float]:
    return [2 * pi * number / count for number in range(count)]


def _on_torus(ring: float, tube: float, turn: float, around: float) -> Point:
    away = ring + tube * cos(around)
    return away * cos(turn), tube * sin(around), away * sin(turn)
