"""Reads a `PropertyInfo` dictionary of the engine as a type a person would write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.godot.classes.variant import VARIANT_TYPES, Hint, PropertyUsage

__all__ = ["enum_of", "from_docs", "type_of", "variant_of"]


def variant_of(info: Mapping[str, Any]) -> str:
    """Return the name of the Variant type, or `Nil` where the value may be of any."""
    return VARIANT_TYPES[int(info["type"])]


def enum_of(info: Mapping[str, Any]) -> str:
    """Return the enumeration or bit field the engine declares for a whole number."""
    named = int(info["usage"]) & (PropertyUsage.CLASS_IS_ENUM | PropertyUsage.CLASS_IS_BITFIELD)
    return str(info["class_name"]) if named and variant_of(info) == "int" else ""


def type_of(info: Mapping[str, Any], *, nothing: str = "Variant") -> str:
    """Return the declared type: `Texture2D`, `Array[Node]`, `Dictionary[String, int]`, `Vector2`."""
    variant, hint, detail = variant_of(info), int(info["hint"]), str(info["hint_string"])
    if variant == "Nil":
        return "Variant" if int(info["usage"]) & PropertyUsage.NIL_IS_VARIANT else nothing
    if variant == "Object":
        by_hint = detail if hint in (Hint.RESOURCE_TYPE, Hint.NODE_TYPE) else ""
        return str(info["class_name"]) or by_hint or "Object"
    if variant == "Array" and hint in (Hint.ARRAY_TYPE, Hint.TYPE_STRING) and detail:
        return f"Array[{_element(detail)}]"
    if variant == "Dictionary" and hint in (Hint.DICTIONARY_TYPE, Hint.TYPE_STRING) and ";" in detail:
        key, _, value = detail.partition(";")
        return f"Dictionary[{_element(key)}, {_element(value)}]"
    return variant


def _element(detail: str) -> str:
    """An element's type from `Texture2D`, `int` or the long form `24/17:Texture2D`, which may nest."""
    head, colon, rest = detail.partition(":")
    number, _, hint = head.partition("/")
    if not colon or not number.isdigit():
        return detail
    kind = {"type": number, "hint": hint or 0, "hint_string": rest, "usage": 0, "class_name": ""}
    return type_of(kind)


def from_docs(text: str) -> str:
    """Read a type as the class reference writes it: `Node[]` for `Array[Node]`."""
    return f"Array[{text.removesuffix('[]')}]" if text.endswith("[]") else text
