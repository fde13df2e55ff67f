"""What a value is to look like, in one line: `[{layer, name}, …]`, `{x?: number, mode?: a|b}`, `text`.

Signatures show parameters; this shows what is inside of one, for those who have no schema before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenewright.core.operations.model import JsonSchema

__all__ = ["follow", "shape"]

_WORDS = {"string": "text", "integer": "whole number", "boolean": "true|false", "null": "null", "number": "number"}
_PLAIN = ("text", "value")  # what a field takes unless something is said of it
_DEEPEST = 2
_MOST_CHOICES = 12


def shape(schema: JsonSchema, root: JsonSchema, depth: int = 0) -> str:
    """Return a schema in one line; what is further inside than a reader needs is left out."""
    node = _resolved(schema, root)
    if "enum" in node:
        choices = [str(value) for value in node["enum"]]
        return "|".join([*choices[:_MOST_CHOICES], *(["…"] if len(choices) > _MOST_CHOICES else [])])
    if "anyOf" in node:
        return _either(node["anyOf"], root, depth)
    kind = node.get("type")
    if kind == "array":
        return f"[{shape(node.get('items', {}), root, depth + 1)}, …]" if depth < _DEEPEST else "[…]"
    if kind == "object":
        return _fields(node, root, depth)
    return _WORDS.get(kind, "value") if isinstance(kind, str) else "value"


def follow(root: JsonSchema, path: Sequence[str | int]) -> list[JsonSchema]:
    """Return the schemas on the way to a value, the whole one first; fewer where the way is not said."""
    way = [root]
    for key in path:
        node = _resolved(way[-1], root)
        inside: Any = node.get("items") if isinstance(key, int) else node.get("properties", {}).get(key)
        if not isinstance(inside, dict):
            break
        way.append(_resolved(inside, root))
    return way


def _fields(node: JsonSchema, root: JsonSchema, depth: int) -> str:
    properties = node.get("properties")
    if not isinstance(properties, dict) or not properties or depth >= _DEEPEST:
        return "{…}"
    required = node.get("required", [])
    first = sorted(properties, key=lambda name: name not in required)
    shapes = {name: shape(properties[name], root, depth + 1) for name in first}
    fields = [
        f"{name}{'' if name in required else '?'}{'' if shapes[name] in _PLAIN else f': {shapes[name]}'}"
        for name in first
    ]
    return f"{{{', '.join(fields)}}}"


def _either(branches: Sequence[JsonSchema], root: JsonSchema, depth: int) -> str:
    shapes = list(dict.fromkeys(shape(branch, root, depth) for branch in branches))
    return "value" if len(shapes) > 3 else " or ".join(shapes)  # JSON of any kind has six


def _resolved(schema: JsonSchema, root: JsonSchema) -> JsonSchema:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    definition: Any = root.get("$defs", {}).get(reference.rpartition("/")[2], {})
    return definition if isinstance(definition, dict) else {}
