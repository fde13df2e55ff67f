"""BrickColors: the engine's old palette, by number and by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["BrickColor", "by_name", "by_number", "nearest", "palette"]

_FILE = Path(__file__).parent / "reflection" / "data" / "brick_colors.tsv"


class BrickColor(NamedTuple):
    number: int
    name: str
    rgb: tuple[int, int, int]


@cache
def palette() -> dict[int, BrickColor]:
    rows = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    return {
        int(number): BrickColor(int(number), name, (int(red), int(green), int(blue)))
        for number, name, red, green, blue in rows
    }


def by_number(number: int) -> BrickColor | None:
    return palette().get(number)


@cache
def by_name(name: str) -> BrickColor | None:
    """Return the first of that name, as the engine finds it; some names are used twice."""
    return next((color for color in palette().values() if color.name == name), None)


def nearest(rgb: tuple[int, ...]) -> BrickColor:
    """Return the colour of the palette that is closest."""
    return min(palette().values(), key=lambda color: sum((a - b) ** 2 for a, b in zip(color.rgb, rgb, strict=True)))
