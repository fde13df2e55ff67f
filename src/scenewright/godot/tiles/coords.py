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


def pair(given: Any, where: str) -> Pair:
    """`[x, y]`, `{"x": x, "y": y}` or `"Vector2i(x, y)"`.

    Raises:
        Invalid: it is none of them.
    """
    found = _parts(given)
    if found is None or len(found) != 2 or not all(_is_whole(part) and -_MOST <= part < _MOST for part in found):
        raise Invalid(f"'{where}' is no pair of whole numbers.", path=where, rule="pair", hint="Send [x, y].")
    return int(found[0]), int(found[1])


def positive_pair(given: Any, where: str) -> Pair:
    """A size, each side at least 1; one number stands for both."""
    found = pair([given, given] if _is_whole(given) else given, where)
    if min(found) < 1:
        raise Invalid(f"'{where}' must be at least 1 on both sides.", path=where, rule="minimum")
    return found


def natural_pair(given: Any, where: str) -> Pair:
    """A pair with nothing below 0: a place in an atlas, or pixels between things."""
    found = pair(given, where)
    if min(found) < 0:
        raise Invalid(f"'{where}' must not be below 0.", path=where, rule="minimum", hint="Send [x, y].")
    return found


def rect(given: Any, where: str) -> tuple[int, int, int, int]:
    """`[x, y, width, height]` or an object with these names."""
    if isinstance(given, Mapping):
        given = [given.get(name) for name in ("x", "y", "width", "height")]
    if not isinstance(given, list) or len(given) != 4 or not all(_is_whole(part) for part in given):
        raise Invalid(f"'{where}' is no rectangle.", path=where, rule="rect", hint="Send [x, y, width, height].")
    x, y, width, height = (int(part) for part in given)
    if width < 1 or height < 1:
        raise Invalid(f"'{where}' has no area.", path=where, rule="rect", hint="Width and height are at least 1.")
    return x, y, width, height


def points(given: Any, where: str) -> list[tuple[float, float]]:
    """The corners of a polygon: a list of `[x, y]`, three at least."""
    found = [point(each, f"{where}[{number}]") for number, each in enumerate(given)] if _is_list(given) else []
    if len(found) < 3:
        raise Invalid(f"'{where}' is no polygon.", path=where, rule="polygon", hint="Send three or more [x, y].")
    return found


def point(given: Any, where: str) -> tuple[float, float]:
    """A place: `[x, y]`, as `pair` takes it, with any numbers."""
    found = _parts(given)
    if found is None or len(found) != 2 or not all(_is_number(part) for part in found):
        raise Invalid(f"'{where}' is no point.", path=where, rule="point", hint="Send [x, y].")
    return float(found[0]), float(found[1])


def _parts(given: Any) -> list[Any] | None:
    if isinstance(given, Mapping):
        return [given["x"], given["y"]] if given.keys() == {"x", "y"} else None
    if isinstance(given, str):
        found = _LITERAL.fullmatch(given)
        return [int(found[1]), int(found[2])] if found else None
    return list(given) if _is_list(given) else None


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple)


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def _is_whole(given: Any) -> bool:
    return (isinstance(given, int) and not isinstance(given, bool)) or (isinstance(given, float) and given.is_integer())
