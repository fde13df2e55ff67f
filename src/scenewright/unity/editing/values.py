"""A value as it may be given, in the form the property has: by its shape in the file, or refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.unity.presentation import kind_of_value

__all__ = ["Resolve", "coerce", "color_parts"]

Resolve = Callable[[Any, str], dict[str, str]]  # what a reference is given as, and the property, to how it is written
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_COLOR = re.compile(r"#([0-9a-fA-F]{6})([0-9a-fA-F]{2})?")


def coerce(value: Any, existing: Any, path: str, resolve: Resolve) -> Any:
    """Return the value as text, mapping or list, in the shape of what is there.

    Raises:
        Invalid: it does not fit.
    """
    if isinstance(existing, dict):
        if "fileID" in existing:
            return resolve(value, path)
        return _mapping(value, existing, path, resolve)
    if isinstance(existing, list):
        return _list(value, existing, path, resolve)
    if isinstance(value, dict) and ("fileId" in value or "fileID" in value or "assetPath" in value):
        return resolve(value, path)
    if isinstance(value, (dict, list)) and existing not in ("", None):
        raise _refusal(value, existing, path)
    return _scalar(value, existing, path)


def _scalar(value: Any, existing: Any, path: str) -> Any:
    if value is None:
        if kind_of_value(str(existing or "x")) in ("integer", "number"):
            raise _refusal(value, existing, path)
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, dict):
        return {str(key): _scalar(item, "", path) for key, item in value.items()}
    if isinstance(value, list):
        return [_scalar(item, "", path) for item in value]
    text = str(value)
    if isinstance(value, str) and kind_of_value(str(existing or "x")) in ("integer", "number"):
        return _number_text(text, existing, path)
    return text


def _number_text(text: str, existing: Any, path: str) -> str:
    word = {"true": "1", "false": "0"}.get(text.strip().lower())
    if word is not None:
        return word
    # A text that happens to hold digits looks like a number; only the engine's own properties surely are numbers.
    if not _NUMBER.fullmatch(text.strip()) and path.startswith("m_") and not path.lower().endswith(("name", "text")):
        raise _refusal(text, existing, path)
    return text


def _mapping(value: Any, existing: dict[str, Any], path: str, resolve: Resolve) -> dict[str, Any]:
    if isinstance(value, str) and set(existing) == set("rgba"):
        value = color_parts(value, path)
    if isinstance(value, (list, tuple)) and len(value) == len(existing) and existing:
        value = dict(zip(existing, value, strict=True))
    if not isinstance(value, dict):
        raise _refusal(value, existing, path)
    for key in value:
        if key not in existing:
            raise Invalid(
                f"'{path}' has no '{key}'.",
                path="input.value",
                rule="additionalProperties",
                hint=did_you_mean(str(key), list(existing)) or f"It has: {', '.join(existing)}.",
            )
    return {
        key: coerce(value[key], before, f"{path}.{key}", resolve) if key in value else before
        for key, before in existing.items()
    }


def _list(value: Any, existing: list[Any], path: str, resolve: Resolve) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise _refusal(value, existing, path)
    return [
        coerce(item, existing[min(number, len(existing) - 1)] if existing else "", f"{path}[{number}]", resolve)
        for number, item in enumerate(value)
    ]


def color_parts(text: str, path: str) -> dict[str, float]:
    match = _COLOR.fullmatch(text.strip())
    if match is None:
        raise Invalid(f"'{text}' is not a colour.", path="input.value", rule="type", hint=f"'{path}' takes '#rrggbb'.")
    digits = match[1] + (match[2] or "ff")
    parts = [int(digits[at : at + 2], 16) for at in range(0, 8, 2)]
    return {key: part / 255 for key, part in zip("rgba", parts, strict=True)}


def _refusal(value: Any, existing: Any, path: str) -> Invalid:
    kind = kind_of_value(existing if isinstance(existing, (dict, list)) else str(existing))
    hints = {
        "vector2": "such as [0, 1] or {'x': 0, 'y': 1}",
        "vector3": "such as [0, 1, 2] or {'x': 0}",
        "vector4": "such as [0, 0, 0, 1]",
        "color": "such as '#ff8800' or [1, 0.5, 0, 1]",
        "array": "a list",
        "object": "an object with the keys it has",
        "integer": "a whole number, or true and false for 1 and 0",
        "number": "a number",
    }
    return Invalid(
        f"'{str(value)[:80]}' does not fit '{path}', which is of kind {kind}.",
        path="input.value",
        rule="type",
        hint=f"Pass {hints[kind]}." if kind in hints else None,
    )
