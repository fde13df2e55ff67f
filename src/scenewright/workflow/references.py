"""References to earlier outputs, in the inputs of a step.

    {"$from": "list", "path": "files[0].path"}     a value of an earlier step's output, "default" if there is none
    {"$item": "name"}, {"$index": true}            of the item that a for-each step is at; {"$item": ""} is all of it
    {"$join": ["res://", {"$from": "a", "path": "name"}]}   text put together

Everything else stays as it is: a text is never searched for references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from scenewright.core.faults import Invalid

__all__ = ["MISSING", "ReferenceScope", "find", "references_in", "resolve"]

MISSING = msgspec.UNSET
_PARTS = re.compile(r"[^.\[\]]+")
_KEYS = {"$from": {"path", "default"}, "$item": {"default"}, "$index": set(), "$join": set()}


@dataclass(frozen=True, slots=True)
class ReferenceScope:
    """What a reference can reach: outputs of earlier steps, by their ids, and the item of a loop."""

    outputs: Mapping[str, Any]
    item: Any = MISSING
    index: int | None = None


def find(value: Any, path: str | None) -> Any:
    """Return the value at a dot-path, with [n] or .n for arrays; MISSING where there is none."""
    for part in _PARTS.findall(path or ""):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
    return value


def kind_of(value: Any) -> str | None:
    """Return which reference an object is, if any."""
    if not isinstance(value, dict):
        return None
    kinds = [key for key in _KEYS if key in value]
    return kinds[0] if len(kinds) == 1 and value.keys() <= {kinds[0], *_KEYS[kinds[0]]} else None


def references_in(value: Any, place: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield every reference in an input: where, the object, and its kind."""
    kind = kind_of(value)
    if kind is not None:
        yield place, value, kind
        value = value[kind] if kind == "$join" else None
        place = f"{place}.{kind}"
    if isinstance(value, dict):
        for key, part in value.items():
            yield from references_in(part, f"{place}.{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from references_in(part, f"{place}[{index}]")


def resolve(value: Any, scope: ReferenceScope, place: str) -> Any:
    """Return the value with its references filled in.

    Raises:
        Invalid: a reference leads nowhere.
    """
    kind = kind_of(value)
    if kind is not None:
        return _resolved(value, kind, scope, place)
    if isinstance(value, dict):
        return {key: resolve(part, scope, f"{place}.{key}") for key, part in value.items()}
    if isinstance(value, list):
        return [resolve(part, scope, f"{place}[{index}]") for index, part in enumerate(value)]
    return value


def _resolved(value: dict[str, Any], kind: str, scope: ReferenceScope, place: str) -> Any:
    if kind == "$join":
        return "".join(_text(resolve(part, scope, place)) for part in value["$join"])
    if kind == "$index":
        return scope.index
    if kind == "$item":
        target = find(scope.item, value["$item"])
    else:
        source = scope.outputs.get(value["$from"], MISSING)
        target = MISSING if source is MISSING else find(source, value.get("path"))
    if target is MISSING:
        target = value.get("default", MISSING)
    if target is MISSING:
        where = f"'{value['$from']}'" if kind == "$from" else "the item"
        raise Invalid(
            f"There is no '{value.get('path', value[kind])}' in the output of {where}.",
            path=place,
            rule="reference",
            hint="Correct the path, or give the reference a default.",
        )
    return target


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
