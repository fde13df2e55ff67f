"""Says of plain arguments that they fit a schema, without the library that knows all of JSON Schema.

Loading that and compiling a schema takes longer than a call, and most calls bring a few texts and numbers. What cannot
be said for certain here is left to the library, and so is everything that does not fit.
"""

from __future__ import annotations

from typing import Any

from scenewright.core.operations.model import JsonSchema

__all__ = ["is_plainly_valid"]

_TEXTS = frozenset(("description", "title", "default", "examples", "$defs"))
_OF_OBJECTS = _TEXTS | {"type", "properties", "required", "additionalProperties"}
_OF_VALUES = _TEXTS | {"type", "enum", "minLength", "maxLength", "minimum", "maximum"}
_OF_LISTS = _TEXTS | {"type", "items", "minItems", "maxItems"}
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
_MOST_ITEMS = 100
_LARGEST = 2**53  # beyond it, readers of JSON differ


def is_plainly_valid(schema: JsonSchema, arguments: dict[str, Any]) -> bool:
    """Return whether the arguments certainly fit; False says nothing."""
    if schema.get("type") != "object" or not schema.keys() <= _OF_OBJECTS or type(arguments) is not dict:
        return False
    if schema.get("additionalProperties", False) is not False:
        return False
    known = schema.get("properties", {})
    return all(name in arguments for name in schema.get("required", ())) and all(
        name in known and _fits(known[name], value) for name, value in arguments.items()
    )


def _fits(schema: JsonSchema, value: Any) -> bool:
    wanted = schema.get("type")
    if wanted == "array":
        return _fits_list(schema, value)
    names = wanted if isinstance(wanted, list) else [wanted]
    if not schema.keys() <= _OF_VALUES or not any(type(value) in _TYPES.get(str(name), ()) for name in names):
        return False
    if "enum" in schema:
        return type(value) is str and value in schema["enum"]
    if type(value) is str:
        return _is_between(len(value), schema, "minLength", "maxLength")
    if type(value) in (int, float):
        return abs(value) < _LARGEST and _is_between(value, schema, "minimum", "maximum")
    return True


def _fits_list(schema: JsonSchema, value: Any) -> bool:
    if not schema.keys() <= _OF_LISTS or type(value) is not list or len(value) > _MOST_ITEMS:
        return False
    items = schema.get("items", {})
    fits = _is_between(len(value), schema, "minItems", "maxItems")
    return fits and items.get("type") != "array" and all(_fits(items, item) for item in value)


def _is_between(size: float, schema: JsonSchema, least: str, most: str) -> bool:
    return bool(schema.get(least, size) <= size <= schema.get(most, size))
