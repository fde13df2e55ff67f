"""Curves by their points: `[[0, 0], [64, 0]]`, or each with `position`, `in`, `out` and, in 3D, `tilt`.

The engine stores them one property a part (`point_0/position`), which nobody would guess. What it saved them as before,
`_data`, it takes without a word of what is wrong with it, or reads past its end. A `Curve` has its points in `_data`,
five values each; it can be given by points too, `[0, 1]` or with `position` and `left_tangent`, `right_mode` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scenewright.core.text.counts import with_article
from scenewright.godot.classes.records import Property
from scenewright.godot.documents import variant as v
from scenewright.godot.values.refusal import Mismatch, shown
from scenewright.godot.values.tree import Coerced

__all__ = ["CURVES", "packed_data", "with_points"]

CURVES: Final = ("Curve", "Curve2D", "Curve3D")
_FLAT = "Curve"
_PARTS: Final = {
    "Curve2D": dict.fromkeys(("position", "in", "out"), "Vector2"),
    "Curve3D": {**dict.fromkeys(("position", "in", "out"), "Vector3"), "tilt": "float"},
    _FLAT: {
        "position": "Vector2",
        "left_tangent": "float",
        "right_tangent": "float",
        "left_mode": "int",
        "right_mode": "int",
    },
}
_MODES = {"free": 0, "linear": 1}
_DATA = {
    "Curve2D": {"points": "PackedVector2Array"},
    "Curve3D": {"points": "PackedVector3Array", "tilts": "PackedFloat32Array"},
}
_VECTORS = 3  # of a point: in, out, position


def with_points(class_name: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values with the points of a curve as the properties that the engine stores."""
    if class_name not in CURVES or "points" not in values:
        return values
    points = values["points"]
    if not isinstance(points, list):
        raise Mismatch(f"the points of a curve are a list, not {shown(points)}", hint="Such as [[0, 0], [64, 0]].")
    rest = {name: value for name, value in values.items() if name != "points"}
    if class_name == _FLAT:
        data: Any = [value for point in points for value in _flat_point(point)]
    else:
        spelled = [_parts_of_point(class_name, point) for point in points]
        zero = [0] * (2 if class_name == "Curve2D" else 3)
        data = {"points": [part.get(name, zero) for part in spelled for name in ("in", "out", "position")]}
        if class_name == "Curve3D":
            data["tilts"] = [part.get("tilt", 0) for part in spelled]
    return {**rest, "_data": data, "point_count": len(points)}


def _parts_of_point(class_name: str, point: Any) -> Mapping[str, Any]:
    parts = point if isinstance(point, Mapping) and "position" in point else {"position": point}
    if unknown := [name for name in parts if name not in _PARTS[class_name]]:
        known = ", ".join(_PARTS[class_name])
        raise Mismatch(f"a point of {with_article(class_name)} has {known}, not '{unknown[0]}'")
    return parts


def _flat_point(point: Any) -> Iterator[Any]:
    parts = _parts_of_point(_FLAT, point)
    for name, kind in _PARTS[_FLAT].items():
        value = parts.get(name, 0)
        yield _MODES.get(str(value).lower(), value) if kind == "int" else value


def packed_data(made: Coerced, wanted: Property, fit: Callable[[Any, Property], Coerced]) -> Coerced:
    """Return the `_data` of a curve with its parts packed, as the engine needs it; any other value as it is.

    Raises:
        Mismatch: a part is missing, or they do not belong together.
    """
    if (wanted.owner, wanted.name) == (_FLAT, "_data") and isinstance(made, v.Array):
        return _flat_data(made, fit)
    kinds = _DATA.get(wanted.owner) if wanted.name == "_data" else None
    if kinds is None or not isinstance(made, v.Dictionary):
        return made
    items = {str(getattr(key, "text", key)): item for key, item in made.entries}
    hint = f'points is a property of its own: {{"$resource": "{wanted.owner}", "props": {{"points": […]}}}}.'
    if missing := [name for name in kinds if name not in items]:
        raise Mismatch(f"'{missing[0]}' is missing in it", hint=hint)
    parts: Any = {name: fit(items[name], Property(wanted.owner, name, kind, kind)) for name, kind in kinds.items()}
    count, rest = divmod(len(parts["points"].components), _VECTORS * v.PACKED_STRUCTS[kinds["points"]][1])
    if rest:
        raise Mismatch("its points are three vectors each: in, out and position", hint=hint)
    if len(parts["tilts"].items if "tilts" in parts else range(count)) != count:
        raise Mismatch(f"its {count} points have {len(parts['tilts'].items)} tilts", hint=hint)
    return v.Dictionary(tuple((key, parts.get(str(getattr(key, "text", key)), item)) for key, item in made.entries))


def _flat_data(made: v.Array, fit: Callable[[Any, Property], Coerced]) -> Coerced:
    """The values of a curve, each of its type: the engine takes any list, and makes nonsense of it."""
    kinds = list(_PARTS[_FLAT].items())
    hint = 'points is easier: {"$resource": "Curve", "props": {"points": [[0, 0], [1, 1]]}}.'
    if len(made.items) % len(kinds):
        raise Mismatch(f"a curve's points are {len(kinds)} values each: {', '.join(_PARTS[_FLAT])}", hint=hint)
    try:
        fitted: Any = [
            fit(item, Property(_FLAT, *kinds[at % len(kinds)], kinds[at % len(kinds)][1]))
            for at, item in enumerate(made.items)
        ]
    except Mismatch as problem:
        raise Mismatch(f"it holds {problem.reason}", hint=hint) from None
    return v.Array(tuple(fitted))
