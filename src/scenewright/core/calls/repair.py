"""Mends what models often get wrong in arguments, without guessing: every repair has one possible meaning.

scene_path           -> scenePath, where only that parameter exists; and the other way round
directory            -> folder, where the operation says that it goes by that name too
"{\\"x\\": 1}"         -> {"x": 1}, where an object or an array is expected
{"x": 1, "y": 2}     -> [1, 2], where a row of numbers is expected; "Vector2(1, 2)" too
"5", "true"          -> 5, true, where only a number or a boolean is allowed
null                 -> left out, where the parameter is optional
5.0                  -> 5, where a whole number is expected; the same number, so nobody is told
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType, UnionType
from typing import Any

import msgspec

from scenewright.core.operations.model import JsonSchema
from scenewright.core.text.counts import count_noun

__all__ = ["MAX_NOTES", "as_numbers", "repair"]

MAX_NOTES = 10
NO_OTHER_NAMES: Mapping[str, str] = MappingProxyType({})
_LARGEST = 2.0**63  # beyond it no whole number is taken
_SNAKE = re.compile(r"[a-z][a-zA-Z0-9]*(_[a-z0-9]+)+")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][+-]?[0-9]{1,2})?")
_VECTOR = re.compile(r"\s*Vector[234]i?(?:\.new)?\(([^()]{1,200})\)\s*")
_AXES = ("x", "y", "z", "w")


class _Notes(list[str]):
    """What was mended, each as a sentence; of very many only the first."""

    more = 0

    def add(self, note: str) -> None:
        if len(self) < MAX_NOTES:
            self.append(note)
        else:
            self.more += 1

    def told(self) -> list[str]:
        return [*self, f"{count_noun(self.more, 'more repair')} of this kind."] if self.more else list(self)


def repair(
    arguments: dict[str, Any], schema: JsonSchema, also: Mapping[str, str] = NO_OTHER_NAMES
) -> tuple[dict[str, Any], list[str]]:
    """Return the mended arguments and what was mended, each as a sentence. The given dict is not changed."""
    notes = _Notes()
    return _object(_renamed(arguments, schema, also, notes), schema, "", notes), notes.told()


def as_numbers(value: Any) -> Any:
    """Return a vector as the row of its numbers, given by its axes or as an engine writes it; anything
    else as it is.
    """
    if isinstance(value, dict) and 2 <= len(value) <= len(_AXES) and set(value) == set(_AXES[: len(value)]):
        return [value[axis] for axis in _AXES[: len(value)]]
    written = _VECTOR.fullmatch(value) if isinstance(value, str) else None
    parts = [part.strip() for part in written[1].split(",")] if written else []
    return [_json(part, float | int) for part in parts] if parts and all(map(_NUMBER.fullmatch, parts)) else value


def _renamed(arguments: dict[str, Any], schema: JsonSchema, also: Mapping[str, str], notes: _Notes) -> dict[str, Any]:
    """Return the arguments by the names the schema has; what is given under both names stays, and is refused later."""
    result = dict(arguments)
    for name, meant in also.items():
        given = name if name in result else _snake(name)
        parameter, _, entry = meant.partition(".")
        beside = result.get(parameter, {})
        if given not in result or not isinstance(beside, dict) or (entry in beside if entry else parameter in result):
            continue
        value = result.pop(given)
        lists = schema.get("properties", {}).get(parameter, {}).get("type") == "array"
        result[parameter] = {**beside, entry: value} if entry else [value] if lists and _is_one(value) else value
        notes.add(f"Read '{given}' as '{meant}'.")
    return result


def _is_one(value: Any) -> bool:
    return value is not None and not isinstance(value, list) and not str(value).lstrip().startswith("[")


def _object(value: dict[str, Any], schema: JsonSchema, path: str, notes: _Notes) -> dict[str, Any]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return value
    required = schema.get("required", [])
    result: dict[str, Any] = {}
    for key, item in value.items():
        name = _name(key, properties, value)
        if name != key:
            notes.add(f"Read '{path}{key}' as '{path}{name}'.")
        part = properties.get(name)
        if part is None:
            result[name] = item
        elif item is None and name not in required and _needs_a_value(part):
            notes.add(f"Left out '{path}{name}', which was null.")
        else:
            result[name] = _value(item, part, f"{path}{name}", notes)
    return result


def _name(key: str, properties: dict[str, Any], siblings: dict[str, Any]) -> str:
    if key in properties or len(key) > 100:
        return key
    other = _camel(key) if _SNAKE.fullmatch(key) else _snake(key)
    # Where two spellings of one name are given, which of them is meant is not for us to say.
    return other if other in properties and other not in siblings else key


def _camel(key: str) -> str:
    head, *tail = key.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in tail)


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", key).lower() if key.isascii() else key


def _needs_a_value(schema: JsonSchema) -> bool:
    if "anyOf" in schema:
        return all(_needs_a_value(branch) for branch in schema["anyOf"])
    kind = schema.get("type")
    return kind is not None and "null" not in (kind if isinstance(kind, list) else [kind])


def _value(value: Any, schema: JsonSchema, path: str, notes: _Notes) -> Any:
    if _is_row(schema) and (row := as_numbers(value)) is not value:
        notes.add(f"Read '{path}' as {row}.")
        value = row
    if isinstance(value, str):
        value = _parsed(value, schema, path, notes)
    if isinstance(value, dict):
        return _object(value, schema, f"{path}.", notes)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [_value(item, schema["items"], f"{path}[{i}]", notes) for i, item in enumerate(value)]
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST and schema.get("type") == "integer":
        return int(value)
    return value


def _is_row(schema: JsonSchema) -> bool:
    items = schema.get("items")
    return schema.get("type") == "array" and isinstance(items, dict) and items.get("type") in ("number", "integer")


def _parsed(text: str, schema: JsonSchema, path: str, notes: _Notes) -> Any:
    kind = schema.get("type")
    result: Any = text
    if kind in ("object", "array") and text.lstrip()[:1] in ("{", "["):
        result = _json(text, dict if kind == "object" else list)
    elif kind == "boolean" and text.lower() in ("true", "false"):
        result = text.lower() == "true"
    elif kind == "integer" and _WHOLE.fullmatch(text):
        result = int(text)
    elif kind == "number" and _NUMBER.fullmatch(text):
        result = float(text)
    if result is not text:
        notes.add(f"Read the text in '{path}' as {kind}.")
    return result


def _json(text: str, kind: type | UnionType) -> Any:
    try:
        value = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
    return value if isinstance(value, kind) else text
