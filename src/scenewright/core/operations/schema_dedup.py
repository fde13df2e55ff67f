"""A schema made short for a reader: what it repeats is said once, and a value of any kind says nothing of its kinds.

Hosts want schemas without references, and some refuse one that allows anything; a model that asks for help needs
neither, and pays for every byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from scenewright.core.operations.model import JsonSchema

__all__ = ["shared"]

_WORTH_IT = 100  # bytes of a part, from which on a reference to it is shorter
_BESIDE = ("description", "default")  # what a place says of a part, and the part not of itself
_ALL_KINDS = 6


def shared(schema: JsonSchema) -> JsonSchema:
    """Return the schema with its repeated parts in `$defs`."""
    plain: JsonSchema = _drop_defaults(schema)
    names = {_key(part): name for name, part in plain.get("$defs", {}).items()}
    counts = Counter(_key(part) for _, part in _parts(plain, ""))
    for name, part in _parts(plain, ""):
        key = _key(part)
        if counts[key] > 1 and key not in names:
            names[key] = _free(name, set(names.values()))
    bodies = {name: _refer_to_parts(msgspec.json.decode(key), names, inside=key) for key, name in names.items()}
    result: JsonSchema = _refer_to_parts({key: value for key, value in plain.items() if key != "$defs"}, names)
    return result | ({"$defs": bodies} if bodies else {})


def _drop_defaults(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_drop_defaults(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(fields := schema.get("properties"), dict):
        schema = schema | {"properties": {name: _drop_defaults(part) for name, part in fields.items()}}
    return {
        key: value if key == "properties" else _drop_defaults(value)
        for key, value in schema.items()
        if not _says_nothing(key, value)
    }


def _says_nothing(key: str, value: Any) -> bool:
    """Return whether a reader knows it anyway: nothing required, nothing else allowed, all six kinds of JSON."""
    if key in ("required", "additionalProperties"):
        return not value
    return key == "anyOf" and len(value) == _ALL_KINDS and all(part.keys() == {"type"} for part in value)


def _parts(schema: Any, name: str) -> Iterator[tuple[str, JsonSchema]]:
    """Yield every part that is worth a name, with the name of the property it is found in; the outer ones first."""
    if isinstance(schema, list):
        for part in schema:
            yield from _parts(part, name)
    elif isinstance(schema, dict):
        if name and "type" in schema and len(_key(schema)) >= _WORTH_IT:
            yield name, schema
        for key, part in schema.items():
            if key == "properties":
                for inner, field in part.items():
                    yield from _parts(field, inner)
            elif key == "$defs":
                yield from (named_part for definition in part.values() for named_part in _parts(definition, ""))
            elif key in ("items", "additionalProperties", "anyOf"):
                yield from _parts(part, name or key)


def _key(part: JsonSchema) -> bytes:
    return msgspec.json.encode({key: value for key, value in part.items() if key not in _BESIDE})


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _refer_to_parts(schema: Any, names: dict[bytes, str], inside: bytes | None = None) -> Any:
    if isinstance(schema, list):
        return [_refer_to_parts(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    key = _key(schema) if "type" in schema else b""
    if key in names and key != inside:
        return {"$ref": f"#/$defs/{names[key]}"} | {word: schema[word] for word in _BESIDE if word in schema}
    return {word: _refer_to_parts(part, names) for word, part in schema.items()}
