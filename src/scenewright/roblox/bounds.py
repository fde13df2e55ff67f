"""Where parts are: bounds of a scene, and a camera that sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scenewright.roblox.backend import InstanceView
from scenewright.roblox.reflection.database import database

__all__ = ["PART_VIEW", "Bounds", "bounds_of", "is_part", "suggested_camera", "walk"]

PART_VIEW = ("Anchored", "CFrame", "CanCollide", "Color", "Material", "Size", "Transparency")
_LEAST_RADIUS = 8.0
Point = tuple[float, float, float]
Bounds = tuple[Point, Point]


def walk(node: InstanceView) -> Iterator[InstanceView]:
    yield node
    for child in node.children:
        yield from walk(child)


def is_part(node: InstanceView) -> bool:
    """Return whether it is a part with a place of its own; terrain is one to the engine only."""
    return node.info.class_name != "Terrain" and database().is_a(node.info.class_name, "BasePart")


def bounds_of(part: InstanceView) -> Bounds | None:
    """Return the box around a part, its rotation counted in; None where the place does not say where it is."""
    frame, size = part.properties.get("CFrame"), part.properties.get("Size")
    components = frame.get("components") if isinstance(frame, dict) else None
    if not isinstance(components, list) or not isinstance(size, dict):
        return None
    try:
        half = [float(size[key]) / 2 for key in "xyz"]
        numbers = [float(part) for part in components]
    except (KeyError, TypeError, ValueError):
        return None
    extent = [sum(abs(numbers[3 + 3 * row + column]) * half[column] for column in range(3)) for row in range(3)]
    low = (numbers[0] - extent[0], numbers[1] - extent[1], numbers[2] - extent[2])
    return low, (numbers[0] + extent[0], numbers[1] + extent[1], numbers[2] + extent[2])


def total_bounds(parts: Iterable[InstanceView]) -> Bounds | None:
    boxes = [bounds for part in parts if (bounds := bounds_of(part))]
    if not boxes:
        return None
    low = tuple(min(bounds[0][axis] for bounds in boxes) for axis in range(3))
    high = tuple(max(bounds[1][axis] for bounds in boxes) for axis in range(3))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def point(values: Iterable[float]) -> dict[str, float]:
    return dict(zip("xyz", (round(value, 6) + 0.0 for value in values), strict=True))


def bounds_record(bounds: Bounds | None) -> dict[str, Any] | None:
    if bounds is None:
        return None
    low, high = bounds
    return {
        "min": point(low),
        "max": point(high),
        "size": point(b - a for a, b in zip(low, high, strict=True)),
        "center": point((a + b) / 2 for a, b in zip(low, high, strict=True)),
    }


def suggested_camera(bounds: Bounds | None) -> dict[str, Any]:
    """Return a place to look from that has all of it in view."""
    if bounds is None:
        return {"position": point((0, 20, 20)), "lookAt": point((0, 0, 0))}
    low, high = bounds
    center = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    radius = max(_LEAST_RADIUS, *(b - a for a, b in zip(low, high, strict=True)))
    offset = (radius * 1.4, radius, radius * 1.4)
    return {"position": point(a + b for a, b in zip(center, offset, strict=True)), "lookAt": point(center)}
