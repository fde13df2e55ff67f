"""Curves by their points: `[[0, 0], [64, 0]]`, or each with `position`, `in`, `out` and, in 3D, `tilt`.

The engine stores them one property a part (`point_0/position`), which nobody would guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scenewright.godot.values.refusal import Mismatch, shown

__all__ = ["CURVES", "with_points"]

CURVES: Final = ("Curve2D", "Curve3D")
_PARTS = {"Curve2D": ("position", "in", "out"), "Curve3D": ("position", "in", "out", "tilt")}


def with_points(class_name: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values with the points of a curve as the properties that the engine stores."""
    if class_name not in CURVES or "points" not in values:
        return values
    points = values["points"]
    if not isinstance(points, list):
        raise Mismatch(f"the points of a curve are a list, not {shown(points)}", hint="Such as [[0, 0], [64, 0]].")
    spelled = {"point_count": len(points)}
    for at, point in enumerate(points):
        parts = point if isinstance(point, Mapping) and "position" in point else {"position": point}
        if unknown := [name for name in parts if name not in _PARTS[class_name]]:
            known = ", ".join(_PARTS[class_name])
            raise Mismatch(f"a point of a {class_name} has {known}, and no '{unknown[0]}'")
        spelled |= {f"point_{at}/{name}": part for name, part in parts.items()}
    return {**{name: value for name, value in values.items() if name != "points"}, **spelled}
