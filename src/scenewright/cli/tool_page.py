"""A tool as a page for a person: what it does, its parameters, and calls to copy."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from scenewright.core.operations.declaration import Example, Manager, Operation
from scenewright.core.operations.model import JsonSchema
from scenewright.core.operations.registry import Registry

__all__ = ["manager_page", "operation_page"]

_DEEPEST = 2
_MOST_WORDS = 6  # of an example; a longer one is easier to write as JSON
_QUOTED = frozenset(" [](),;&|<>*?~{}'^")  # what some shell reads in its own way outside quotes
_UNSAFE = frozenset('"$`\\!%\n')  # and inside them


def operation_page(operation: Operation, registry: Registry, *, width: int) -> list[str]:
    """Return the page of one operation."""
    return [
        *_paragraph(f"{operation.flat_name}: {operation.description}", width),
        *_facts(operation),
        "",
        "Parameters" if operation.input_schema.get("properties") else "No parameters.",
        *_parameter_lines(operation.input_schema, width, depth=1),
        *(["", *_paragraph(operation.notes, width)] if operation.notes else []),
        *(line for example in operation.examples for line in _example(operation, example, registry)),
    ]


def manager_page(manager: Manager, registry: Registry, *, width: int) -> list[str]:
    """Return the page of a manager: its actions, each in a line or two."""
    lines = [*_paragraph(f"{manager.name}: {manager.description}", width), "", "Actions"]
    for name, operation in registry.actions[manager.name].items():
        lines += _paragraph(f"{name}: {operation.description}", width, indent="  ")
    return [*lines, "", f"scenewright tools {manager.name} ACTION shows the parameters of one."]


def _facts(operation: Operation) -> Iterator[str]:
    place = [f"action {operation.action[1]} of {operation.action[0]}"] if operation.action else []
    marks = {
        "takes --dry-run": operation.writes and operation.supports_dry_run,
        "runs code of the project": operation.may_execute,
        "needs an open editor": operation.requires_bridge,
    }
    yield "; ".join([operation.safety.value, *(mark for mark, holds in marks.items() if holds), *place])


def _parameter_lines(schema: JsonSchema, width: int, *, depth: int, names: tuple[str, ...] = ()) -> Iterator[str]:
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        need = ", required" if name in required else ""
        default = f", default {_short(part['default'])}" if part.get("default") not in (None, [], {}, "") else ""
        head = f"{'.'.join((*names, name))} ({_type_of(part)}{need}{default})"
        yield from _paragraph(f"{head}: {part.get('description', '')}".rstrip(": "), width, indent="  " * depth)
        inner = part.get("items", part)
        if depth < _DEEPEST and isinstance(inner, dict) and "properties" in inner:
            number = ("0",) if inner is not part else ()
            yield from _parameter_lines(inner, width, depth=depth + 1, names=(*names, name, *number))


def _type_of(schema: JsonSchema) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type_of(each) for each in schema["anyOf"] if each.get("type") != "null"))
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {_type_of(schema.get('items', {}))}"
    return {"string": "text", "boolean": "true | false", "integer": "whole number"}.get(str(kind), str(kind))


def _example(operation: Operation, example: Example, registry: Registry) -> Iterator[str]:
    """A call to copy: as words where every shell takes them in double quotes, else as a file's content."""
    name = operation.flat_name if registry.named(operation.flat_name) is operation else operation.id
    words = [word for key, value in example.input.items() for word in _words(key, value)]
    yes = " --yes" if operation.safety.value == "destructive" else ""
    yield from ("", f"{example.description}:")
    if len(words) <= _MOST_WORDS and not any(set(word) & _UNSAFE for word in words):
        given = " ".join(f'"{word}"' if set(word) & _QUOTED else word for word in words)
        yield f"  scenewright call {name} {given}".rstrip() + yes
    else:
        yield f"  scenewright call {name} @arguments.json{yes}, with this in the file:"
        yield f"  {json.dumps(example.input, ensure_ascii=False)}"


def _words(key: str, value: Any) -> Iterator[str]:
    """A parameter as words: what is in an object or in a list of objects by its own name."""
    if isinstance(value, dict) and value and not any("." in inner or "=" in inner for inner in value):
        yield from (word for inner, each in value.items() for word in _words(f"{key}.{inner}", each))
    elif isinstance(value, list) and any(isinstance(item, (dict, list, str)) for item in value):
        yield from (word for at, item in enumerate(value) for word in _words(f"{key}.{at}", item))
    else:
        yield f"{key}={_short(value)}"


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _paragraph(text: str, width: int, indent: str = "") -> list[str]:
    further = indent + ("    " if indent else "")
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=further, break_on_hyphens=False)
