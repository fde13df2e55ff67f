"""Colours: hexadecimal, of 0 to 1 or of 0 to 255, or of the palette."""

from __future__ import annotations

import re
from typing import Any

from scenewright.core.faults import did_you_mean
from scenewright.roblox import palette
from scenewright.roblox.value_forms.records import parts_of, split_text
from scenewright.roblox.value_forms.refusal import Refused
from scenewright.roblox.value_forms.scalars import as_number, as_single
from scenewright.roblox.values import f32

__all__ = ["as_brick", "as_color"]
_LITERAL = re.compile(r"\s*+([A-Za-z]\w*)?(?:\.(\w+))?\s*+\((.*)\)\s*", re.DOTALL)
_HEX = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")


def as_color(given: Any) -> tuple[float, ...]:
    """Of 0 to 1, or of 0 to 255 where a part is above 1 or the form says so."""
    if isinstance(given, str):
        return _color_text(given)
    kind = given.get("_type") if isinstance(given, dict) else None
    parts = [as_number(part) for part in parts_of(given, ("r", "g", "b"), str(kind or "Color3"))]
    if kind not in (None, "Color3", "Color3Float"):
        raise Refused("a Color3")
    if kind == "Color3" or (kind is None and max(parts) > 1):
        if not all(0 <= part <= 255 for part in parts):
            raise Refused("a Color3 of 0 to 255")
        return tuple(f32(part / 255) for part in parts)
    return tuple(f32(part) for part in parts)


def _color_text(given: str) -> tuple[float, ...]:
    text = given.strip()
    from_hex = re.fullmatch(r"Color3\.fromHex\(\s*+[\"']?(.{0,100}?)[\"']?\s*\)", text)
    if hexed := _HEX.fullmatch(from_hex.group(1) if from_hex else text):
        digits = hexed.group(1)
        digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        return tuple(f32(part / 255) for part in bytes.fromhex(digits))
    literal = _LITERAL.fullmatch(text)
    numbers = split_text(literal.group(3) if literal else text, "Color3")
    if len(numbers) != 3 or (literal and literal.group(1) != "Color3"):
        raise Refused(
            "a Color3", 'For example "#ff8800", [255, 136, 0] or {"_type": "Color3", "r": 255, "g": 136, "b": 0}.'
        )
    if literal and literal.group(2) == "new":
        return tuple(as_single(number) for number in numbers)
    return as_color({"_type": "Color3"} | dict(zip("rgb", numbers, strict=True))) if literal else as_color(numbers)


def as_brick(given: Any) -> int:
    if isinstance(given, dict) and given.get("_type", "BrickColor") == "BrickColor":
        given = given.get("name") or given.get("number")
    if isinstance(given, int) and not isinstance(given, bool) and palette.by_number(given):
        return given
    if isinstance(given, str):
        literal = re.fullmatch(r"\s*BrickColor\.new\([\"'](.*)[\"']\)\s*", given)
        known = palette.by_name(literal.group(1) if literal else given.strip())
        if known is not None:
            return known.number
        raise Refused(
            "the name of a BrickColor", did_you_mean(given, [color.name for color in palette.palette().values()])
        )
    raise Refused("a BrickColor, by name or number")
