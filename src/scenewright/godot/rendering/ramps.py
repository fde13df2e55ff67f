"""Gradients and curves from short lists, as textures that materials and lights take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.godot.scenes.node_resources import inline

__all__ = ["color_ramp", "curve", "glow"]


def color_ramp(stops: Sequence[Any], parameter: str) -> dict[str, Any]:
    """Return a texture of colours in a row, evenly or each at a place: `[[0, "red"], [1, "#0000"]]`.

    Raises:
        Invalid: the places are no numbers from 0 to 1 in order.
    """
    pairs = _pairs(stops, parameter, _is_pair)
    gradient = inline("Gradient", {"offsets": [at for at, _ in pairs], "colors": [color for _, color in pairs]})
    return inline("GradientTexture1D", {"gradient": gradient})


def curve(points: Sequence[Any], parameter: str) -> dict[str, Any]:
    """Return a texture of a curve over the lifetime, values evenly spaced or each at a place: `[0, 1, 0]`."""
    pairs = _pairs(points, parameter, lambda item: isinstance(item, list | tuple))
    numbers = [value for _, value in pairs]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in numbers):
        raise Invalid(
            f"{parameter} takes numbers.",
            path=f"input.{parameter}",
            rule="type",
            hint="Send numbers such as [0, 1, 0].",
        )
    data: list[Any] = []
    for at, value in pairs:
        data += [{"$type": "Vector2", "value": [at, value]}, 0.0, 0.0, 0, 0]
    props: dict[str, Any] = {"_data": data, "point_count": len(pairs)}
    if min(numbers) < 0 or max(numbers) > 1:
        limits = [float(min(0, *numbers)), float(max(1, *numbers)), 0.0, 1.0]
        props = {"_limits": limits, **props}
    return inline("CurveTexture", {"curve": inline("Curve", props)})


def glow(size: int = 256) -> dict[str, Any]:
    """Return a round spot that fades out, which a 2D light needs to be visible."""
    gradient = inline("Gradient", {"offsets": [0.0, 1.0], "colors": [[1, 1, 1, 1], [0, 0, 0, 1]]})
    middle = {"fill": "FILL_RADIAL", "fill_from": [0.5, 0.5], "fill_to": [1.0, 0.5]}
    return inline("GradientTexture2D", {"gradient": gradient, "width": size, "height": size, **middle})


def _is_pair(item: Any) -> bool:
    return isinstance(item, list | tuple) and len(item) == 2


def _pairs(items: Sequence[Any], parameter: str, is_pair: Any) -> list[tuple[float, Any]]:
    if len(items) < 2:
        raise Invalid(f"{parameter} needs at least two entries.", path=f"input.{parameter}", rule="minItems")
    if all(is_pair(item) and len(item) == 2 for item in items):
        pairs = [(item[0], item[1]) for item in items]
    else:
        pairs = [(at / (len(items) - 1), item) for at, item in enumerate(items)]
    places = [at for at, _ in pairs]
    if any(isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= 1 for at in places):
        raise Invalid(f"The places in {parameter} must be from 0 to 1.", path=f"input.{parameter}", rule="range")
    if places != sorted(places):
        raise Invalid(f"The places in {parameter} must rise.", path=f"input.{parameter}", rule="order")
    return [(float(at), value) for at, value in pairs]
