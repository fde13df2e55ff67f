"""Colours as callers write them, and which of a palette's lies nearest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scenewright.core.faults import Invalid
from scenewright.pixel.sprite import Color

__all__ = ["CLEAR", "color_text", "mixed", "nearest", "read_color"]

CLEAR: Color = (0, 0, 0, 0)
_HEX = re.compile(r"#?([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_NONE = (None, "", "clear", "none", "transparent")


def read_color(value: Any, where: str) -> Color:
    """Return a colour written as `#rgb`, `#rrggbb`, `#rrggbbaa` or [r, g, b(, a)]; null is transparent.

    Raises:
        Invalid: it is none of these.
    """
    if value in _NONE:
        return CLEAR
    if isinstance(value, str) and (match := _HEX.fullmatch(value.strip())):
        digits = match[1] if len(match[1]) > 4 else "".join(digit * 2 for digit in match[1])
        red, green, blue, alpha = bytes.fromhex(digits.ljust(8, "f"))
        return red, green, blue, alpha
    if (
        isinstance(value, (list, tuple))
        and len(value) in (3, 4)
        and all(isinstance(part, int) and not isinstance(part, bool) and 0 <= part <= 255 for part in value)
    ):
        red, green, blue, alpha = (*value, 255)[:4]
        return red, green, blue, alpha
    raise Invalid(
        f"{str(value)[:40]!r} is no colour.", path=where, rule="color", hint="Send '#rrggbb', '#rrggbbaa' or null."
    )


def color_text(color: Color) -> str:
    """Return a colour as `#rrggbb`, with its alpha where it is not opaque."""
    return "#" + bytes(color if color[3] != 255 else color[:3]).hex()


def mixed(color: Color, other: Color, share: int) -> Color:
    """Return a colour with so many percent of another; its alpha stays."""
    red, green, blue = (
        (own * (100 - share) + their * share + 50) // 100 for own, their in zip(color[:3], other[:3], strict=True)
    )
    return red, green, blue, color[3]


def nearest(color: Color, palette: Sequence[Color]) -> Color:
    """Return the colour of a palette that looks most alike; the first of several."""
    return min(palette, key=lambda other: _distance(color, other))


def _distance(one: Color, other: Color) -> int:
    """How far apart two colours look: green counts most, red more where both are red."""
    red = (one[0] + other[0]) // 2
    dr, dg, db = (a - b for a, b in zip(one[:3], other[:3], strict=True))
    return (512 + red) * dr * dr // 256 + 4 * dg * dg + (767 - red) * db * db // 256
