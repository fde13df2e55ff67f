"""Mends what models often get wrong in arguments, without guessing: every repair has one possible meaning.

scene_path           -> scenePath, where only that parameter exists; and the other way round
directory            -> folder, where the operation says that it goes by that name too
"{\\"x\\": 1}"         -> {"x": 1}, where an object or an array is expected
{"x": 1, "y": 2}     -> [1, 2], where a row of numbers is expected; "Vector2(1, 2)" too
"enemies"            -> ["enemies"], where a list of texts is expected
props, from, to      -> properties, source, target, where only that parameter exists
path, instancePath   -> nodePath, where that is what the operation is about; and so among the engines
{"$path": "a.tscn"}  -> "a.tscn", where a text is expected
"5", "true"          -> 5, true, where only a number or a boolean is allowed
null                 -> left out, where the parameter is optional
5.0                  -> 5, where a whole number is expected; the same number, so nobody is told
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
_OBJECTS = ("nodePath", "instancePath", "gameObjectPath", "hierarchyPath")
_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "props": ("properties",),
    "from": ("source",),
    "to": ("target",),
    "node": ("nodePath",),
    # What the tools of other engines, and other servers, call the same thing.
    "path": (*_OBJECTS, "scriptPath", "assetPath"),
    **dict.fromkeys(_OBJECTS, _OBJECTS),
    **dict.fromkeys(("maxResults", "maxItems", "maxMatches", "pageSize"), ("limit",)),
    **dict.fromkeys(("propertyName", "propertyPath"), ("property",)),
    "newValue": ("value",),
    "name": ("namePattern", "nameContains"),
}


class _Notes(list[str]):
    """What was mended, each as a sentence, of very many only the first; and the shapes that the schema names."""

    more = 0

    def __init__(self, shapes: Mapping[str, JsonSchema]) -> None:
        super().__init__()
        self._shapes = shapes

    def resolved(self, schema: JsonSchema) -> JsonSchema:
        """Return a schema, or the one that it stands for, as in a tree of things of one shape."""
        name = schema.get("$ref")
        return self._shapes.get(name.rpartition("/")[2], schema) if isinstance(name, str) else schema

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
    notes = _Notes(schema.get("$defs", {}))
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
    spelt = _camel(key) if _SNAKE.fullmatch(key) else _snake(key)
    other = spelt if spelt in properties else next(_meant(key, properties), key)
    # Where two spellings of one name are given, which of them is meant is not for us to say.
    return key if other in siblings else other


def _meant(key: str, properties: dict[str, Any]) -> Iterator[str]:
    for name in _SYNONYMS.get(key, ()):
        # A node that is an instance of a scene has an instancePath, too, which is not the node's.
        if name in properties and (name != "instancePath" or "instanceId" in properties):
            yield name


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
    schema = notes.resolved(schema)
    if _is_row(schema) and (row := as_numbers(value)) is not value:
        notes.add(f"Read '{path}' as {row}.")
        value = row
    if isinstance(value, str):
        value = _parsed(value, schema, path, notes)
    if isinstance(value, dict) and set(value) == {"$path"} and schema.get("type") == "string":
        notes.add(f"Read '{path}' as the text in $path.")
        value = value["$path"]
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
    elif _is_name(text) and kind == "array" and schema.get("items", {}).get("type") == "string":
        result = [text]
    if result is not text:
        notes.add(f"Read the text in '{path}' as {kind}.")
    return result


def _is_name(text: str) -> bool:
    """Whether a text can only be one entry of a list."""
    return bool(text.strip()) and not any(mark in text for mark in ",;[]{}|\n")


def _json(text: str, kind: type | UnionType) -> Any:
    try:
        value = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
    return value if isinstance(value, kind) else text
