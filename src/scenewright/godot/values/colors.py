"""Colors by number, by hex digits and by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import NotFound, did_you_mean
from scenewright.godot.classes.index import ClassIndex
from scenewright.godot.documents.variant import Color
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.values.numbers import component
from scenewright.godot.values.refusal import Mismatch, shown
from scenewright.godot.values.vectors import flat, named

__all__ = ["color", "color_from_text"]

_HEX = re.compile(r"#?((?:[0-9a-fA-F]{3,4}){1,2})")
_THREE = re.compile(r"Color\(([^(),\"]+),([^(),\"]+),([^(),\"]+)\)")
_BARE = re.compile(r"(\d+(?:\.\d+)?|\.\d+),(\d+(?:\.\d+)?|\.\d+),(\d+(?:\.\d+)?|\.\d+)(?:,(\d+(?:\.\d+)?|\.\d+))?")
_QUOTED = re.compile(r"Color\(\s*\"([^\"]*)\"\s*\)")
_RGB = (("r", 1), ("g", 1), ("b", 1))
_BYTES_FROM = 16  # brighter than any light a scene has: who writes whole numbers that large counts to 255


def color(value: Any) -> Color:
    """Read a color from `[1, 0.5, 0]`, with or without an alpha, or `{"r": 1, …}`."""
    if isinstance(value, Mapping):
        components = named(value, (_RGB, (*_RGB, ("a", 1))))
        parts = list(value.values())
    elif isinstance(value, list | tuple) and len(value) in (3, 4):
        components, parts = flat(value, len(value)), list(value)
    else:
        raise Mismatch(f"{shown(value)} does not have the 3 or 4 numbers of a color")
    if all(isinstance(part, int) for part in parts) and max(parts) >= _BYTES_FROM:
        raise Mismatch("the parts of a color go from 0 to 1, not to 255", hint="Hex digits can express them.")
    return Color(*components)


def color_from_text(text: str, index: ClassIndex) -> Color | None:
    """Read `#ff8800`, `red`, `Color.RED`, `Color(1, 0.5, 0)`, `Color("red")` or `1,0.5,0`; None for anything else.

    Raises:
        Mismatch: it is a word, but no color's name.
    """
    plain = text.strip()
    if quoted := _QUOTED.fullmatch(plain):
        plain = quoted[1].strip()
    if bare := _BARE.fullmatch(plain.replace(" ", "")):
        return Color(*(float(part) for part in bare.groups() if part is not None))
    if three := _THREE.fullmatch(plain):
        return Color(*(_parse_number(part) for part in three.groups()))
    if plain.startswith("#") or (quoted and _HEX.fullmatch(plain)):
        return _from_hex(plain)
    name = plain.removeprefix("Color.")
    return _from_name(name, index) if re.fullmatch(r"[A-Za-z][A-Za-z_ ]*", name) else None


def _from_hex(text: str) -> Color:
    match = _HEX.fullmatch(text)
    if match is None:
        raise Mismatch(f"'{text}' does not have 3, 4, 6 or 8 hex digits")
    digits = match[1]
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    return Color(*(int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2)))


def _from_name(name: str, index: ClassIndex) -> Color:
    wanted = re.sub(r"[\s_]", "", name).upper()
    names = [constant.name for constant in index.constants("Color")]
    match = next((known for known in names if known.replace("_", "") == wanted), None)
    try:
        color = parse_variant(index.constant("Color", match or name).value)
    except NotFound:
        lower = [known.lower() for known in names]
        raise Mismatch(f"'{name}' is not the name of a color", hint=did_you_mean(name.lower(), lower)) from None
    assert isinstance(color, Color)
    return color


def _parse_number(text: str) -> float:
    try:
        return component(float(text))
    except ValueError:
        raise Mismatch(f"'{text.strip()}' is not a number") from None
