"""A call in one line: `outline` for a listing, `signature` for a list of hits, `whole` with what is inside of values.

`?` marks what may be left out, `=` its default, `|` choices, `[…]` a list, `{…}` an object. Knows only schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scenewright.core.operations.model import JsonSchema

__all__ = ["form_of", "inlined", "is_outdated", "outline", "says_its_name", "signature", "whole", "without"]

_MOST_OUTLINED = 2
_MOST_BRANCHES = 4  # a value of any kind has six
_LONG = 40  # characters of a form, from which on it is told once
_KINDS = {"integer": "int", "boolean": "bool", "number": "number"}
_SCALARS = ("", *_KINDS.values())
_UNREMARKABLE = (None, False, 0, "", ".")  # defaults that one expects
_OUTDATED = re.compile(r"Kept for compatibility|(?:Older|Another) name")
_SMALL_WORDS = frozenset(
    ["a", "all", "also", "and", "as", "has", "include", "of", "only", "return", "s", "the", "this", "with"]
)
_Inside = tuple[frozenset[str], ...]


def signature(name: str, schema: JsonSchema) -> str:
    """Return the call with its choices and defaults: `show(entry, diff?=false)`."""
    parts = [_parameter(key, part, optional=optional) for key, part, optional in _parameters(schema)]
    return f"{name}({', '.join(parts)})"


def outline(name: str, schema: JsonSchema) -> str:
    """Return the call in fewer words: `show(entry,diff?)`, with `…` for more that may be left out."""
    required = [_parameter(key, part, optional=False) for key, part, optional in _parameters(schema) if not optional]
    further = [f"{key}?" for key, _, optional in _parameters(schema) if optional]
    rest = further if len(further) <= _MOST_OUTLINED else [*further[: _MOST_OUTLINED - 1], "…"]
    return f"{name}({','.join([*required, *rest])})"


def whole(name: str, schema: JsonSchema, forms: Mapping[str, str], told: dict[str, str] | None = None) -> str:
    """Return the call with every parameter and what its value looks like; what is required comes first.

    `forms` says what a value looks like where its schema does not: by its name, or by its path such as `tiles.size`.
    `told` keeps the long forms of the lines before this one, which are then named and not told again.
    """
    writer = _Forms(forms, told if told is not None else {}, name)
    return f"{name}({writer.fields(inlined(schema), '', ())})"


def without(schema: JsonSchema, names: frozenset[str]) -> JsonSchema:
    """Return a schema without some parameters that may be left out."""
    kept = {key: part for key, part in schema.get("properties", {}).items() if key not in names}
    return {**schema, "properties": kept} if names else schema


def is_outdated(schema: JsonSchema) -> bool:
    """Return whether a parameter is there only for those who know an older name or an older way."""
    return _OUTDATED.match(schema.get("description", "")) is not None


def says_its_name(text: str, name: str) -> bool:
    """Return whether a parameter's description says nothing that its name does not."""
    words = set(re.findall(r"[a-z]+", text.lower())) - _SMALL_WORDS
    return words <= set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r" \1", name).lower()))


def form_of(schema: JsonSchema) -> str:
    """Return what a value looks like: `[{tool,args?:{},id?}]`, or nothing where it may be anything."""
    return _Forms({}, {}, "").form(schema, "", ())


class _Forms:
    """Writes the forms of values; an object that holds itself is written out once."""

    def __init__(self, forms: Mapping[str, str], told: dict[str, str], call: str) -> None:
        self._forms = forms
        self._told = told
        self._call = call

    def fields(self, schema: JsonSchema, path: str, inside: _Inside) -> str:
        required = schema.get("required", [])
        parts = schema.get("properties", {})
        names = sorted((name for name in parts if not is_outdated(parts[name])), key=lambda name: name not in required)
        return ",".join(self._field(name, parts[name], f"{path}{name}", inside, name not in required) for name in names)

    def _field(self, name: str, schema: JsonSchema, path: str, inside: _Inside, optional: bool) -> str:  # noqa: FBT001
        form = self._forms.get(path) or self._forms.get(name) or self.form(schema, path, inside)
        default = schema.get("default")
        if form in _SCALARS and default not in _UNREMARKABLE:
            return f"{name}?={_literal(default)}"
        given = f"={default}" if isinstance(default, str) and default not in _UNREMARKABLE else ""
        if path == name:
            form = self._first_time(name, form)
        return f"{name}{'?' if optional else ''}{f':{form}' if form else ''}{given}"

    def _first_time(self, name: str, form: str) -> str:
        if len(form) < _LONG:
            return form
        before = self._told.setdefault(f"{name}:{form}", self._call)
        return form if before == self._call else f"as in {before}()"

    def form(self, schema: JsonSchema, path: str, inside: _Inside) -> str:
        if "enum" in schema:
            return "|".join(str(value) for value in schema["enum"])
        if "anyOf" in schema:
            return self._either(schema["anyOf"], path, inside)
        if schema.get("type") == "array":
            return f"[{self._item(schema.get('items', {}), path, inside)}]"
        if schema.get("type") == "object":
            return self._object(schema, path, inside)
        return _KINDS.get(schema.get("type", ""), "")

    def _item(self, schema: JsonSchema, path: str, inside: _Inside) -> str:
        return "text" if schema.get("type") == "string" and "enum" not in schema else self.form(schema, path, inside)

    def _either(self, branches: list[JsonSchema], path: str, inside: _Inside) -> str:
        if len(branches) > _MOST_BRANCHES:
            return ""
        return "|".join(dict.fromkeys(self._item(branch, path, inside) for branch in branches))

    def _object(self, schema: JsonSchema, path: str, inside: _Inside) -> str:
        if names := frozenset(schema.get("properties", {})):
            return "{same}" if names in inside else f"{{{self.fields(schema, f'{path}.', (*inside, names))}}}"
        of_any_name = schema.get("additionalProperties")
        return f"{{name:{self._item(of_any_name, path, inside)}}}" if of_any_name else "{}"


def inlined(schema: JsonSchema) -> JsonSchema:
    """Return the schema with a type that holds itself put in the place of the first reference to it."""
    definitions = schema.get("$defs", {})

    def follow(part: Any, inside: tuple[str, ...]) -> Any:
        if isinstance(part, list):
            return [follow(item, inside) for item in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in inside:
            return follow(definitions.get(name, {}), (*inside, name))
        if name:
            return {"type": "object", "properties": {key: {} for key in definitions[name]["properties"]}}
        return {key: follow(value, inside) for key, value in part.items() if key != "$defs"}

    inlined: JsonSchema = follow(schema, ())
    return inlined


def _parameters(schema: JsonSchema) -> Iterator[tuple[str, JsonSchema, bool]]:
    required = schema.get("required", [])
    for key, part in schema.get("properties", {}).items():
        yield key, part, key not in required


def _parameter(key: str, schema: JsonSchema, *, optional: bool) -> str:
    text = f"{key}?" if optional else key
    if "enum" in schema:
        text += ":" + "|".join(str(value) for value in schema["enum"])
    elif schema.get("type") in ("array", "object"):
        text += ":" + ("[]" if schema["type"] == "array" else "{}")
    return f"{text}={_literal(schema['default'])}" if "default" in schema else text


def _literal(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
