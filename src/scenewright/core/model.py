"""The typed inputs and outputs of operations, and the JSON Schemas that follow from them.

Inputs and outputs are msgspec structs: a class costs about 30 µs to define where a frozen dataclass costs 560, and an
MCP server is started by every client anew. Field names are snake_case here and camelCase on the wire.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import msgspec

__all__ = ["Inputs", "NoInputs", "Outputs", "Record", "about", "schema_of", "to_wire"]

JsonSchema = dict[str, Any]


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A part of an output; fields that hold their default are left out of the reply."""


class Outputs(Record, frozen=True, kw_only=True):
    """What a handler returns."""


class Inputs(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What a handler takes."""


class NoInputs(Inputs, frozen=True, kw_only=True):
    """An operation that takes nothing."""


def about(text: str, **limits: Any) -> msgspec.Meta:
    """Describes a field: `Annotated[int, about("Items per page.", ge=1, le=100)]`."""
    return msgspec.Meta(description=text, **limits)


def to_wire(value: Any) -> Any:
    """The plain JSON form of an output."""
    return msgspec.to_builtins(value, str_keys=True)


@cache
def schema_of(model: type[msgspec.Struct]) -> JsonSchema:
    """The JSON Schema of a struct: self-contained, without titles, null never part of an optional field."""
    (root,), components = msgspec.json.schema_components([model], ref_template="#/$defs/{name}")
    definitions = cast("dict[str, JsonSchema]", components)
    return _Cleaner(definitions).document(root)


class _Cleaner:
    """Inlines `$ref`s, except in types that contain themselves, and drops what no client needs."""

    def __init__(self, definitions: dict[str, JsonSchema]) -> None:
        self._definitions = definitions
        self._open: list[str] = []
        self._recursive: set[str] = set()

    def document(self, root: JsonSchema) -> JsonSchema:
        schema = self._clean(root)
        if self._recursive:
            schema["$defs"] = {name: self._definition(name) for name in sorted(self._recursive)}
        return schema

    def _definition(self, name: str) -> JsonSchema:
        self._open = [name]
        try:
            return self._clean(self._definitions[name])
        finally:
            self._open = []

    def _clean(self, schema: JsonSchema) -> JsonSchema:
        if "$ref" in schema:
            return self._inline(schema)
        if "anyOf" in schema:
            return self._optional(schema)
        result = {key: self._value(key, value) for key, value in schema.items() if key != "title"}
        if "enum" in result and "type" not in result and all(isinstance(v, str) for v in result["enum"]):
            result["type"] = "string"
        return result

    def _value(self, key: str, value: Any) -> Any:
        if key == "properties":
            return {name: self._property(part) for name, part in value.items()}
        if key in ("items", "additionalProperties") and isinstance(value, dict):
            return self._clean(value)
        return value

    def _property(self, schema: JsonSchema) -> JsonSchema:
        cleaned = self._clean(schema)
        if cleaned.get("default", ...) in (None, [], {}):
            del cleaned["default"]
        return cleaned

    def _inline(self, schema: JsonSchema) -> JsonSchema:
        name = schema["$ref"].rpartition("/")[2]
        if name in self._open:
            self._recursive.add(name)
            return {"$ref": f"#/$defs/{name}"}
        self._open.append(name)
        try:
            return self._clean(self._definitions[name]) | {k: v for k, v in schema.items() if k != "$ref"}
        finally:
            self._open.pop()

    def _optional(self, schema: JsonSchema) -> JsonSchema:
        branches = [branch for branch in schema["anyOf"] if branch.get("type") != "null"]
        rest = {key: value for key, value in schema.items() if key not in ("anyOf", "title")}
        optional = len(branches) < len(schema["anyOf"]) and rest.get("default", ...) is None
        if optional and len(branches) == 1:
            return self._clean(branches[0]) | rest
        kept = branches if optional else schema["anyOf"]
        return {"anyOf": [self._clean(branch) for branch in kept]} | rest
