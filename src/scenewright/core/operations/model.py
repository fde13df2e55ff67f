"""The typed inputs and outputs of operations, and the JSON Schemas that follow from them.

Inputs and outputs are msgspec structs: a class costs about 30 µs to define where a frozen dataclass costs 560, and an
MCP server is started by every client anew. Field names are snake_case here and camelCase on the wire.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from inspect import get_annotations
from types import MappingProxyType, UnionType
from typing import Annotated, Any, ClassVar, Union, cast, get_args, get_origin

import msgspec

__all__ = [
    "Compiled",
    "Inputs",
    "JsonSchema",
    "NoInputs",
    "Outputs",
    "Record",
    "about",
    "as_tried",
    "field_texts",
    "schema_of",
    "to_wire",
]

JsonSchema = dict[str, Any]
_Fields = tuple[msgspec.structs.FieldInfo, ...]
_Structs = dict[type[msgspec.Struct], _Fields]
_KINDS = ("string", "number", "boolean", "object", "array", "null")


def about(text: str, **limits: Any) -> msgspec.Meta:
    """Describe a field: `Annotated[int, about("Items per page.", ge=1, le=100)]`."""
    return msgspec.Meta(description=text, **limits)


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A part of an output; fields that hold their default are left out of the reply."""


class Outputs(Record, frozen=True, kw_only=True):
    """What a handler returns."""

    in_dry_run: ClassVar[Mapping[str, Any]] = MappingProxyType({})  # fields that say otherwise where nothing was done
    told_by_diff: ClassVar[tuple[str, ...]] = ()  # fields that a model is not shown beside the diff
    writes_what_was_sent: ClassVar[bool] = False  # or tells what arrived otherwise, so new lines say nothing new

    @classmethod
    def shorten(cls, output: dict[str, Any]) -> dict[str, Any]:
        """Return the output on the wire without what says little to a model that made the call."""
        return output


class Compiled(Outputs, frozen=True, kw_only=True):
    """What a handler returns that may write code; the fields are filled in once the engine has seen it."""

    compiled: (
        Annotated[bool, about("Whether the engine compiled the code; absent where there is no Godot, or no code.")]
        | None
    ) = None
    compiled_files: Annotated[list[str], about("What was compiled; nothing else was looked at.")] | None = None
    errors: Annotated[list[dict[str, Any]], about("What the compiler says: path, line, message.")] | None = None
    code_warnings: (
        Annotated[list[dict[str, Any]], about("Of the language server, new first: path, line, code, message, fix.")]
        | None
    ) = None


class Inputs(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What a handler takes."""


class NoInputs(Inputs, frozen=True, kw_only=True):
    """An operation that takes nothing."""


def as_tried(output: Any) -> Any:
    """Return the output of a dry run: what the handler says it did, it only would do."""
    otherwise = getattr(output, "in_dry_run", None)
    return msgspec.structs.replace(output, **otherwise) if otherwise else output


def to_wire(value: Any) -> Any:
    """Return the plain JSON form of an output: objects, lists and scalars, nothing else."""
    return _tuples_to_lists(msgspec.to_builtins(value, str_keys=True))


def _tuples_to_lists(value: Any) -> Any:
    """Return the value with lists for tuples, which JSON does not know."""
    if isinstance(value, dict):
        return {key: _tuples_to_lists(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_tuples_to_lists(item) for item in value]
    return value


@cache
def schema_of(model: type[msgspec.Struct]) -> JsonSchema:
    """Return the JSON Schema of a struct: self-contained, without titles, null never part of an optional field."""
    structs: _Structs = {}
    _collect(model, structs)
    references, components = msgspec.json.schema_components(structs, ref_template="#/$defs/{name}")
    definitions = cast("dict[str, JsonSchema]", components)
    for fields, reference in zip(structs.values(), references, strict=True):
        _describe(fields, definitions[_name(reference)])
    return _Cleaner(definitions).document(references[0])


def _collect(kind: Any, structs: _Structs) -> None:
    """All structs that a type is made of, itself first."""
    parts = get_args(kind)
    if not parts and isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in structs:
        _resolve_annotations(kind)
        structs[kind] = msgspec.structs.fields(kind)
        parts = tuple(field.type for field in structs[kind])
    for part in parts:
        _collect(part, structs)


def _resolve_annotations(struct: type[msgspec.Struct]) -> None:
    """Put types in the place of their names, once: msgspec makes them anew each of the times that it looks, and
    `typing.get_type_hints` takes five times as long.
    """
    for each in struct.__mro__:
        own = get_annotations(each)
        if any(isinstance(annotation, str) for annotation in own.values()):
            module = vars(sys.modules[each.__module__])
            each.__annotations__ = {name: _resolved(annotation, module) for name, annotation in own.items()}


def _resolved(annotation: Any, module: dict[str, Any]) -> Any:
    return eval(annotation, module) if isinstance(annotation, str) else annotation


def _describe(fields: _Fields, schema: JsonSchema) -> None:
    """Give `Annotated[Struct, about(…)] | None` its description, which msgspec drops."""
    for field in fields:
        if get_origin(field.type) in (Union, UnionType) and (text := _text_of(field.type)):
            schema["properties"][field.encode_name].setdefault("description", text)


def field_texts(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Return what is said of each field, by its name on the wire; a tenth of the work of a schema."""
    _resolve_annotations(struct)
    return {field.encode_name: _text_of(field.type) for field in msgspec.structs.fields(struct)}


def _text_of(kind: Any) -> str:
    branches = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    notes = (note for branch in branches for note in getattr(branch, "__metadata__", ()))
    texts = (note.description for note in notes if isinstance(note, msgspec.Meta) and note.description)
    return next(texts, "")


def _name(reference: JsonSchema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


class _Cleaner:
    """Inlines `$ref`s, except in types that contain themselves, and drops what no client needs."""

    def __init__(self, definitions: dict[str, JsonSchema]) -> None:
        self._definitions = definitions
        self._open: list[str] = []
        self._recursive: set[str] = set()

    def document(self, root: JsonSchema) -> JsonSchema:
        schema = self._clean(root)
        schema.pop("description", None)  # the struct's docstring, which is for us
        kept: dict[str, JsonSchema] = {}
        while waiting := self._recursive - kept.keys():
            kept |= {name: self._definition(name) for name in waiting}
        return schema | ({"$defs": dict(sorted(kept.items()))} if kept else {})

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
        if "enum" in result and "type" not in result:
            result |= _enum(result)
        if not result.keys() - {"description", "default"}:
            # Any value at all. Some hosts refuse a schema that says nothing, so it says everything.
            result["anyOf"] = [{"type": kind} for kind in _KINDS]
        return result

    def _value(self, key: str, value: Any) -> Any:
        if key == "properties":
            return {name: self._property(part) for name, part in value.items()}
        if key == "prefixItems":
            return [self._clean(part) for part in value]
        if key in ("items", "additionalProperties") and isinstance(value, dict):
            return self._clean(value)
        return value

    def _property(self, schema: JsonSchema) -> JsonSchema:
        cleaned = self._clean(schema)
        if cleaned.get("default", ...) in (None, [], {}):
            del cleaned["default"]
        return cleaned

    def _inline(self, schema: JsonSchema) -> JsonSchema:
        name = _name(schema)
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        if name in self._open:
            self._recursive.add(name)
            return {"$ref": f"#/$defs/{name}"} | beside
        self._open.append(name)
        try:
            return self._clean(self._definitions[name]) | beside
        finally:
            self._open.pop()

    def _optional(self, schema: JsonSchema) -> JsonSchema:
        branches = [branch for branch in schema["anyOf"] if branch.get("type") != "null"]
        # A discriminator points into definitions that are inlined here, and only OpenAPI knows it.
        rest = {key: value for key, value in schema.items() if key not in ("anyOf", "title", "discriminator")}
        optional = len(branches) < len(schema["anyOf"]) and rest.get("default", ...) is None
        if optional and len(branches) == 1:
            return self._clean(branches[0]) | rest
        kept = branches if optional else schema["anyOf"]
        return {"anyOf": [self._clean(branch) for branch in kept]} | rest


def _enum(schema: JsonSchema) -> JsonSchema:
    """Return the type of an enum's values, where they have one; null goes where it is only what an absent
    value means.
    """
    values = schema["enum"]
    if schema.get("default", ...) is None and len(values) > 1:
        values = [value for value in values if value is not None]
    for kind, name in ((str, "string"), (int, "integer")):
        if all(type(value) is kind for value in values):
            return {"type": name, "enum": values}
    return {"enum": values}
