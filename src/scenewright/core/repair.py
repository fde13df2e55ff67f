"""Mends what models often get wrong in arguments, without guessing: every repair has one possible meaning.

scene_path           -> scenePath, where only that parameter exists
"{\\"x\\": 1}"         -> {"x": 1}, where an object or an array is expected
"5", "true"          -> 5, true, where only a number or a boolean is allowed
null                 -> left out, where the parameter is optional
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from scenewright.core.model import JsonSchema

__all__ = ["repair"]

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def repair(arguments: dict[str, Any], schema: JsonSchema) -> tuple[dict[str, Any], list[str]]:
    """The mended arguments and what was mended, each as a sentence. The given dict is not changed."""
    notes: list[str] = []
    return _object(arguments, schema, "", notes), notes


def _object(value: dict[str, Any], schema: JsonSchema, path: str, notes: list[str]) -> dict[str, Any]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return value
    required = schema.get("required", [])
    result: dict[str, Any] = {}
    for key, item in value.items():
        name = _name(key, properties, value)
        if name != key:
            notes.append(f"Read '{path}{key}' as '{path}{name}'.")
        part = properties.get(name)
        if part is None:
            result[name] = item
        elif item is None and name not in required and _needs_a_value(part):
            continue
        else:
            result[name] = _value(item, part, f"{path}{name}", notes)
    return result


def _name(key: str, properties: dict[str, Any], siblings: dict[str, Any]) -> str:
    if key in properties or "_" not in key:
        return key
    head, *tail = key.split("_")
    camel = head + "".join(word[:1].upper() + word[1:] for word in tail)
    return camel if camel in properties and camel not in siblings else key


def _needs_a_value(schema: JsonSchema) -> bool:
    return "type" in schema and schema["type"] != "null" and None not in schema.get("enum", ())


def _value(value: Any, schema: JsonSchema, path: str, notes: list[str]) -> Any:
    if isinstance(value, str):
        value = _parsed(value, schema, path, notes)
    if isinstance(value, dict):
        return _object(value, schema, f"{path}.", notes)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [_value(item, schema["items"], f"{path}[{i}]", notes) for i, item in enumerate(value)]
    return value


def _parsed(text: str, schema: JsonSchema, path: str, notes: list[str]) -> Any:
    kind = schema.get("type")
    result: Any = text
    if kind in ("object", "array") and text.lstrip()[:1] in ("{", "["):
        result = _json(text, dict if kind == "object" else list)
    elif kind == "boolean" and text.lower() in ("true", "false"):
        result = text.lower() == "true"
    elif kind in ("integer", "number") and len(text) < 40 and _NUMBER.fullmatch(text):
        result = float(text) if kind == "number" or "." in text else int(text)
    if result is not text:
        notes.append(f"Read the text in '{path}' as {kind}.")
    return result


def _json(text: str, kind: type) -> Any:
    try:
        value = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
    return value if isinstance(value, kind) else text
