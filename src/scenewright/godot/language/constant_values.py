"""Constant values of scripts and how the engine writes them."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from scenewright.godot.classes.variant import PACKED_ELEMENTS

__all__ = ["COMPONENTS", "NIL", "EnumRef", "Folded", "converted", "float_text", "literal", "zero_of"]

# How many numbers the types have that are made of numbers alone.
COMPONENTS: Final = {
    "Vector2": 2,
    "Vector2i": 2,
    "Rect2": 4,
    "Rect2i": 4,
    "Vector3": 3,
    "Vector3i": 3,
    "Transform2D": 6,
    "Vector4": 4,
    "Vector4i": 4,
    "Plane": 4,
    "Quaternion": 4,
    "AABB": 6,
    "Basis": 9,
    "Transform3D": 12,
    "Projection": 16,
    "Color": 4,
}
_IDENTITIES: Final[dict[str, tuple[int, ...]]] = {
    "Transform2D": (1, 0, 0, 1, 0, 0),
    "Quaternion": (0, 0, 0, 1),
    "Basis": (1, 0, 0, 0, 1, 0, 0, 0, 1),
    "Transform3D": (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
    "Projection": (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
    "Color": (0, 0, 0, 1),
}
_ZEROS: Final[dict[str, Any]] = {"bool": False, "int": 0, "float": 0.0, "String": "", "StringName": "", "NodePath": ""}


class EnumRef(msgspec.Struct, frozen=True):
    """An enumeration by its full name, with what its members are worth."""

    name: str
    members: dict[str, int]


class Folded(msgspec.Struct, frozen=True):
    """A value known without running the script.

    `raw` is a Python value; the items of an Array or packed array, the pairs of a Dictionary; the numbers of a type of
    `COMPONENTS`. `enum` is the enumeration a whole number was taken from.
    """

    type: str
    raw: Any = None
    enum: EnumRef | None = None


NIL: Final = Folded("Nil")


def zero_of(type_: str) -> Folded | None:
    """Return the initial value of a variable of a built-in type."""
    if type_ in _ZEROS:
        return Folded(type_, _ZEROS[type_])
    if type_ in COMPONENTS:
        return Folded(type_, _IDENTITIES.get(type_, (0,) * COMPONENTS[type_]))
    if type_ in ("Array", "Dictionary") or type_ in PACKED_ELEMENTS:
        return Folded(type_, ())
    return Folded(type_) if type_ in ("Callable", "Signal", "RID") else None


def converted(value: Folded, type_: str) -> Folded | None:
    """Return the value as a variable of a built-in type takes it, or None where it does not."""
    raw = value.raw
    if value.type == type_:
        return value
    if type_ in ("int", "float") and value.type in ("bool", "int", "float"):
        return Folded(type_, int(raw) if type_ == "int" else float(raw))
    texts = ("String", "StringName", "NodePath")
    if type_ in texts and value.type in texts:
        return Folded(type_, raw)
    if type_ in PACKED_ELEMENTS and value.type == "Array":
        items = [converted(item, PACKED_ELEMENTS[type_]) for item in raw]
        return None if None in items else Folded(type_, tuple(items))
    if COMPONENTS.get(type_, 0) == COMPONENTS.get(value.type, -1) and type_.rstrip("i") == value.type.rstrip("i"):
        return Folded(type_, tuple(map(int, raw)) if type_.endswith("i") else raw)
    return None


def literal(value: Folded) -> str:
    """Return the value as the engine writes it into a file."""
    if value.type in COMPONENTS:
        return f"{value.type}({', '.join(map(_component, value.raw))})"
    if value.type in PACKED_ELEMENTS:
        return f"{value.type}({', '.join(_packed(value))})"
    writer = _WRITERS.get(value.type)
    return writer(value.raw) if writer else f"{value.type}()"


def float_text(number: float) -> str:
    """Write a float as text: always with a point, never with an exponent where the engine has none."""
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    text = repr(float(number))
    if "e" in text:
        text = f"{number:.17f}".rstrip("0") if abs(number) < 1 else text
    return f"{text}0" if text.endswith(".") else text


def _packed(value: Folded) -> Iterator[str]:
    """Vectors and colours stand there as bare numbers."""
    for item in value.raw:
        if item.type in COMPONENTS:
            yield from map(_component, item.raw)
        else:
            yield literal(item)


def _component(number: float) -> str:
    """Vectors and colours keep their numbers in single precision."""
    if not math.isfinite(number) or number == int(number):
        return float_text(number + 0.0).removesuffix(".0")
    packed = struct.pack("f", number)
    single = struct.unpack("f", packed)[0]
    texts = (f"{single:.{digits}g}" for digits in range(6, 10))
    return float_text(float(next(text for text in texts if struct.pack("f", float(text)) == packed)))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _dictionary(pairs: tuple[tuple[Folded, Folded], ...]) -> str:
    if not pairs:
        return "{}"
    return "{\n" + ",\n".join(f"{literal(key)}: {literal(value)}" for key, value in pairs) + "\n}"


_WRITERS: Final[dict[str, Callable[[Any], str]]] = {
    "Nil": lambda _: "null",
    "bool": lambda raw: str(raw).lower(),
    "int": str,
    "float": float_text,
    "String": _quoted,
    "StringName": lambda raw: f"&{_quoted(raw)}",
    "NodePath": lambda raw: f"NodePath({_quoted(raw)})",
    "Array": lambda raw: f"[{', '.join(map(literal, raw))}]",
    "Dictionary": _dictionary,
}
