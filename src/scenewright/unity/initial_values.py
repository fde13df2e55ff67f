"""What stands behind the equals sign of a C# field, as a value; None where only running it would tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scenewright.unity.class_types.table import Field

__all__ = ["initial_value"]

_LONGEST = 300
_NUMBER = re.compile(r"(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-?0[xX][0-9a-fA-F]+)[fFdDmMuUlL]*")
_MADE = re.compile(r"new(?:\s+(?:[\w.]+\.)?(\w+))?\s*\(([^()]*)\)")
_NEW_LIST = re.compile(
    r"new\s+[\w.<>\[\]\s]+?(?:\(\s*0?\s*\)|\[\s*0\s*\]|(?:\[\s*\]|\(\s*\))?\s*\{\s*\})"
    r"|new\s*\(\s*\)|\[\s*\]|\{\s*\}"
)
_EMPTY_LIST = re.compile(r"(?:System\.)?Array\.Empty<[\w.<>]+>\(\)")
_NAMED = re.compile(r"(?:\w+\.)*(\w+)\.(\w+)")
_AXES: dict[str, tuple[float, float, float]] = {
    "zero": (0, 0, 0),
    "one": (1, 1, 1),
    "up": (0, 1, 0),
    "down": (0, -1, 0),
    "right": (1, 0, 0),
    "left": (-1, 0, 0),
    "forward": (0, 0, 1),
    "back": (0, 0, -1),
}
_COLORS: dict[str, tuple[float, ...]] = {
    "white": (1, 1, 1, 1),
    "black": (0, 0, 0, 1),
    "red": (1, 0, 0, 1),
    "green": (0, 1, 0, 1),
    "blue": (0, 0, 1, 1),
    "cyan": (0, 1, 1, 1),
    "magenta": (1, 0, 1, 1),
    "yellow": (1, 0.92156863, 0.015686275, 1),
    "gray": (0.5, 0.5, 0.5, 1),
    "grey": (0.5, 0.5, 0.5, 1),
    "clear": (0, 0, 0, 0),
}
_VECTORS = {"Vector2f": "Vector2", "Vector3f": "Vector3", "Vector4f": "Vector4", "ColorRGBA": "Color"}
_VECTORS |= {"int2_storage": "Vector2Int", "int3_storage": "Vector3Int", "Quaternionf": "Quaternion"}


def initial_value(text: str, field: Field, members: Mapping[str, int]) -> Any:
    """Return the value that a field has at first; `members` are the names of an enum's numbers."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if text in ("null", "default"):
        return ... if field.refers_to is not None or text == "default" or field.kind in ("vector", "string") else None
    if field.kind in _VECTORS:
        return _vector(text, field)
    if field.kind == "vector":
        return ... if _NEW_LIST.fullmatch(text) or _EMPTY_LIST.fullmatch(text) else None
    if field.kind.startswith("enum "):
        return _together(text, members)
    if field.kind == "BitField":
        number = _number({"~0": "-1"}.get(text, text))
        return None if not isinstance(number, int) else {"m_Bits": number & 0xFFFF_FFFF}
    if field.kind == "string":
        quoted = re.fullmatch(r'"([^"\\]*)"', text)
        return "" if text in ("string.Empty", "String.Empty") else quoted[1] if quoted is not None else None
    if field.kind == "bool":
        return {"true": True, "false": False}.get(text)
    if field.children or field.refers_to is not None:
        return None
    number = _number(text)
    return number if number is None or field.kind in ("float", "double") else int(number)


def _number(text: str) -> int | float | None:
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    word = match[1]
    if "x" in word.lower():
        return int(word, 16)
    return int(word) if word.lstrip("-").isdigit() else float(word)


def _together(text: str, members: Mapping[str, int]) -> int | None:
    """Return the number of a name, or of several with `|` between them."""
    numbers = [members.get(word.strip().rpartition(".")[2]) for word in text.split("|")]
    total = 0
    for number in numbers:
        if number is None:
            return None
        total |= number
    return total


def _vector(text: str, field: Field) -> dict[str, float] | None:
    """Return `new Vector3(1, 2, 3)`, `Vector3.up` or `Color.red` by its parts."""
    keys = [child.name for child in field.children]
    made, named = _MADE.fullmatch(text), _NAMED.fullmatch(text)
    numbers: Sequence[int | float | None] = []
    if made is not None and made[1] in (None, _VECTORS[field.kind]):
        numbers = [_number(part) for part in made[2].split(",") if part.strip()]
        if field.kind == "ColorRGBA" and len(numbers) == 3:
            numbers = [*numbers, 1]
        if not numbers or field.kind in ("Vector3f", "Vector4f"):
            numbers = [*numbers, *[0] * (len(keys) - len(numbers))]
    elif named is not None and named[1] == _VECTORS[field.kind]:
        if field.kind == "ColorRGBA":
            numbers = _COLORS.get(named[2], ())
        elif field.kind == "Quaternionf":
            numbers = [0, 0, 0, 1] if named[2] == "identity" else []
        elif named[2] in _AXES and (len(keys) < 4 or named[2] in ("zero", "one")):
            numbers = [*_AXES[named[2]], _AXES[named[2]][0]][: len(keys)]
    parts = dict(zip(keys, numbers, strict=False))
    if len(numbers) != len(keys) or any(part is None for part in parts.values()):
        return None
    return {key: part for key, part in parts.items() if part is not None}
