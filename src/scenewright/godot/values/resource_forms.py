"""Values in the forms that people think in: curves and gradients by points, sprite frames by files, items by texts.

{"$resource": "Curve", "points": [[0, 0], [1, 2]]}          a list alone does, where the property takes a curve
{"$resource": "Gradient", "points": [[0, "red"], [1, "blue"]]}                   or a gradient, or its texture
{"$resource": "SpriteFrames", "animations": {"walk": ["a.png", "b.png"]}}        or [{name, frames, fps, loop}]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.values.curves import CURVES, with_points
from scenewright.godot.values.listed_items import with_listed_items
from scenewright.godot.values.refusal import Mismatch, shown

__all__ = ["class_beside", "from_list", "in_engine_form"]

_HELD_BY: Final = {"GradientTexture1D": ("gradient", "Gradient"), "CurveTexture": ("curve", "Curve")}
_LIMITS: Final = {"min_value": 0.0, "max_value": 1.0, "min_domain": 0.0, "max_domain": 1.0}
_SIDES = ("left", "top", "right", "bottom")
_CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")
_ALL_SIDES: Final = {
    "corner_radius": tuple(f"corner_radius_{corner}" for corner in _CORNERS),
    **{
        name: tuple(f"{name}_{side}" for side in _SIDES)
        for name in ("border_width", "content_margin", "expand_margin", "texture_margin")
    },
}
_SPEED = ("speed", "fps")
_ANIMATION = ("name", "frames", "loop", *_SPEED)
_FRAME = ("texture", "duration")
_DEFAULT_SPEED = 5.0
_SAY_CLASS = ("type", "class", "class_name", "resource", "resource_type", "_type", "@type")


def in_engine_form(class_name: str, values: Mapping[str, Any], index: ClassIndex) -> Mapping[str, Any]:
    """Return the values of a resource with those that only stand for stored ones replaced.

    Raises:
        Mismatch: one of them cannot be read.
    """
    values = with_listed_items(class_name, values, index)
    if class_name == "Gradient" and "points" in values:
        return _gradient(values)
    if class_name == "SpriteFrames" and ("frames" in values or "animations" in values):
        return _sprite_frames(values)
    for name in list(values):
        if (parts := _parts_of(class_name, name, values[name], index)) is not None:
            values = {**parts, **_without(values, name)}
    if class_name == "ShaderMaterial" and isinstance(values.get("shader_parameters"), Mapping):
        given = {f"shader_parameter/{name}": part for name, part in values["shader_parameters"].items()}
        values = {**_without(values, "shader_parameters"), **given}
    if class_name == "Curve" and index.has_property("Curve", "_limits"):
        values = _with_limits(values)
    return with_points(class_name, values)


def from_list(items: list[Any], classes: Iterable[str]) -> tuple[str, dict[str, Any]] | None:
    """Return the class and values of a resource given by a list alone, or None where none of the classes takes one."""
    for name in classes:
        if name in CURVES or name == "Gradient":
            return name, {"points": items}
        if name in _HELD_BY:
            held, kind = _HELD_BY[name]
            return name, {held: {"$resource": kind, "points": items}}
        if name == "SpriteFrames":
            return name, {"animations" if items and isinstance(items[0], Mapping) else "frames": items}
    return None


def class_beside(value: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any] | None:
    """Return `{"type": "BoxMesh", "size": …}` or `{"BoxMesh": {…}}` as `{"$resource": …}`; None for anything else."""
    classes = set(known)
    said = [name for name in _SAY_CLASS if name in value]
    if len(said) == 1 and value[said[0]] in classes:
        return {"$resource": value[said[0]], **{name: part for name, part in value.items() if name != said[0]}}
    (name, props), *others = value.items() or [("", None)]
    if not others and name in classes and isinstance(props, Mapping):
        return {"$resource": name, "props": props}
    return None


def _parts_of(class_name: str, name: str, value: Any, index: ClassIndex) -> dict[str, Any] | None:
    """The properties that one which is not stored stands for: all sides, or the least and the most."""
    sides = _ALL_SIDES.get(name)
    if sides is not None and index.has_property(class_name, sides[0]) and not index.has_property(class_name, name):
        return dict.fromkeys(sides, value)
    least, most = f"{name}_min", f"{name}_max"
    if not index.has_property(class_name, least) or not index.has_property(class_name, most):
        return None
    if index.has_property(class_name, name) and index.property(class_name, name).stored:
        return None
    if isinstance(value, list) and len(value) == 2:
        return {least: value[0], most: value[1]}
    return {least: value, most: value} if isinstance(value, int | float) else None


def _without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: part for key, part in values.items() if key != name}


def _gradient(values: Mapping[str, Any]) -> dict[str, Any]:
    points = values["points"]
    if not isinstance(points, list) or not points:
        raise Mismatch(
            f"the points of a gradient are a list, not {shown(points)}", hint='Such as [[0, "red"], [1, "blue"]].'
        )
    if both := {"offsets", "colors"} & set(values):
        raise Mismatch(f"points and {min(both)} of a gradient mean the same; give one of them")
    pairs = [_stop(point) for point in points]
    if all(pair is None for pair in pairs):
        last = max(len(points) - 1, 1)
        stops = [(at / last, color) for at, color in enumerate(points)]
    else:
        stops = [pair if pair is not None else _refuse_stop(at, points) for at, pair in enumerate(pairs)]
    return {**_without(values, "points"), "offsets": [at for at, _ in stops], "colors": [color for _, color in stops]}


def _stop(point: Any) -> tuple[Any, Any] | None:
    """A place and its color, `[0.5, "red"]` or by name; None for a color alone."""
    if isinstance(point, Mapping) and "color" in point:
        names = [name for name in ("offset", "position", "at") if name in point]
        return (point[names[0]], point["color"]) if len(names) == 1 and len(point) == 2 else None
    return (point[0], point[1]) if isinstance(point, list) and len(point) == 2 else None


def _refuse_stop(at: int, points: Sequence[Any]) -> tuple[Any, Any]:
    raise Mismatch(
        f"point {at} of the gradient, {shown(points[at])}, has no place and color",
        hint='Such as [0.5, "red"], or {"offset": 0.5, "color": "red"}.',
    )


def _with_limits(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The limits of a curve as they are stored, wide enough for its points where nothing else is said."""
    given = {name: values[name] for name in _LIMITS if name in values}
    points = values.get("points")
    limits = {**_LIMITS, **given}
    for axis, (low, high) in enumerate((("min_domain", "max_domain"), ("min_value", "max_value"))):
        numbers = [number for point in points or () if (number := _number_of_point(point, axis)) is not None]
        limits[low] = limits[low] if low in given else min([limits[low], *numbers])
        limits[high] = limits[high] if high in given else max([limits[high], *numbers])
    if limits == _LIMITS or "_limits" in values:
        return values
    rest = {name: value for name, value in values.items() if name not in _LIMITS}
    return {**rest, "_limits": [{"$type": "float", "value": limit} for limit in limits.values()]}


def _number_of_point(point: Any, axis: int) -> float | None:
    place = point.get("position", point) if isinstance(point, Mapping) else point
    number = place.get("xy"[axis]) if isinstance(place, Mapping) else None
    if isinstance(place, list) and len(place) == 2:
        number = place[axis]
    return float(number) if isinstance(number, int | float) and not isinstance(number, bool) else None


def _sprite_frames(values: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in values.items() if name not in _ANIMATION and name != "animations"}
    if "frames" in values:
        own = {name: values[name] for name in _ANIMATION if name in values}
        given: list[Any] = [{"name": "default", **own}]
    elif isinstance(values["animations"], Mapping):
        given = [
            {"name": name, **(part if isinstance(part, Mapping) else {"frames": part})}
            for name, part in values["animations"].items()
        ]
    elif isinstance(values["animations"], list):
        given = values["animations"]
    else:
        return dict(values)
    made = [_animation(at, animation) for at, animation in enumerate(given)]
    return {**rest, "animations": sorted(made, key=lambda animation: str(animation["name"].get("value")))}


def _animation(at: int, given: Any) -> dict[str, Any]:
    """One animation as the engine stores it, the keys in its order."""
    if not isinstance(given, Mapping) or not isinstance(given.get("frames"), list):
        raise Mismatch(
            f"animation {at} of the sprite frames, {shown(given)}, has no list of frames",
            hint='Such as {"name": "walk", "frames": ["walk1.png", "walk2.png"], "fps": 8, "loop": true}.',
        )
    _check_names(given, _ANIMATION, f"animation {at} of the sprite frames")
    speed = next((given[name] for name in _SPEED if name in given), _DEFAULT_SPEED)
    name = given.get("name", "default")
    return {
        "frames": [_frame(number, frame) for number, frame in enumerate(given["frames"])],
        "loop": {"$type": "bool", "value": given.get("loop", True)},
        "name": name if isinstance(name, Mapping) else {"$type": "StringName", "value": name},
        "speed": {"$type": "float", "value": speed},
    }


def _frame(number: int, given: Any) -> dict[str, Any]:
    parts = given if isinstance(given, Mapping) and "texture" in given else {"texture": given}
    _check_names(parts, _FRAME, f"frame {number}")
    texture = parts["texture"]
    if isinstance(texture, str) and not texture.startswith(("ExtResource", "SubResource")):
        texture = {"$path": texture if "://" in texture else f"res://{texture.lstrip('/')}"}
    return {"duration": {"$type": "float", "value": parts.get("duration", 1.0)}, "texture": texture}


def _check_names(given: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    if unknown := [name for name in given if name not in known]:
        raise Mismatch(f"{what} has {', '.join(known)}, not '{unknown[0]}'")
