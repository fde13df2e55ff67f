"""Pairs and rectangles of whole numbers, as callers may give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import Invalid

__all__ = ["Pair", "natural_pair", "pair", "point", "points", "positive_pair", "rect"]

Pair = tuple[int, int]
_MOST = 1 << 31  # of the engine's own pairs
_LITERAL = re.compile(r"\s*+(?:Vector2i?)?\(?\s*+(-?\d+)(?:\.0*)?\s{0,20}[,: ]\s*+(-?\d+)(?:\.0*)?\s*+\)?\s*+")


def pair(value: Any, where: str) -> Pair:
    """Read a pair: `[x, y]`, `{"x": x, "y": y}` or `"Vector2i(x, y)"`.

    Raises:
        Invalid: it is none of them.
    """
    parts = _parts(value)
    if parts is None or len(parts) != 2 or not all(_is_whole(part) and -_MOST <= part < _MOST for part in parts):
        raise Invalid(f"'{where}' is not a pair of whole numbers.", path=where, rule="pair", hint="Send [x, y].")
    return int(parts[0]), int(parts[1])


def positive_pair(value: Any, where: str) -> Pair:
    """Read a size, each side at least 1; one number stands for both."""
    size = pair([value, value] if _is_whole(value) else value, where)
    if min(size) < 1:
        raise Invalid(f"'{where}' must be at least 1 on both sides.", path=where, rule="minimum")
    return size


def natural_pair(value: Any, where: str) -> Pair:
    """Read a pair with nothing below 0: a place in an atlas, or pixels between things."""
    numbers = pair(value, where)
    if min(numbers) < 0:
        raise Invalid(f"'{where}' must not be below 0.", path=where, rule="minimum", hint="Send [x, y].")
    return numbers


def rect(value: Any, where: str) -> tuple[int, int, int, int]:
    """Read a rectangle: `[x, y, width, height]` or an object with these names."""
    if isinstance(value, Mapping):
        value = [value.get(name) for name in ("x", "y", "width", "height")]
    if not isinstance(value, list) or len(value) != 4 or not all(_is_whole(part) for part in value):
        raise Invalid(f"'{where}' is not a rectangle.", path=where, rule="rect", hint="Send [x, y, width, height].")
    x, y, width, height = (int(part) for part in value)
    if width < 1 or height < 1:
        raise Invalid(f"'{where}' has no area.", path=where, rule="rect", hint="Width and height are at least 1.")
    return x, y, width, height


def points(value: Any, where: str) -> list[tuple[float, float]]:
    """Read the corners of a polygon: a list of `[x, y]`, three at least."""
    corners = [point(corner, f"{where}[{number}]") for number, corner in enumerate(value)] if _is_list(value) else []
    if len(corners) < 3:
        raise Invalid(f"'{where}' is not a polygon.", path=where, rule="polygon", hint="Send three or more [x, y].")
    return corners


def point(value: Any, where: str) -> tuple[float, float]:
    """Read a point: `[x, y]` as `pair` takes it, but with any numbers."""
    parts = _parts(value)
    if parts is None or len(parts) != 2 or not all(_is_number(part) for part in parts):
        raise Invalid(f"'{where}' is not a point.", path=where, rule="point", hint="Send [x, y].")
    return float(parts[0]), float(parts[1])


def _parts(value: Any) -> list[Any] | None:
    if isinstance(value, Mapping):
        return [value["x"], value["y"]] if value.keys() == {"x", "y"} else None
    if isinstance(value, str):
        match = _LITERAL.fullmatch(value)
        return [int(match[1]), int(match[2])] if match else None
    return list(value) if _is_list(value) else None


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())
