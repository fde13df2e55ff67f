"""Writes docs/reference.md from the registry; with --check, fails where the file is not what it would write."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scenewright.app import catalogues
from scenewright.contracts.editormcp.definition import define
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import Registry, build_registry

TARGET = Path(__file__).parent.parent / "docs" / "reference.md"
_HEAD = """\
# Tool reference

Generated from the registry by `make docs`; do not edit. Each operation is listed under its own tool name, which can
always be called, whatever the listing shows. `?` marks what may be left out.
"""
_SAFETY = {"read-only": "reads only", "safe-write": "writes, undoable", "destructive": "destructive, needs approval"}

_RUNS = {"never": [], "sometimes": ["may run project code"], "always": ["runs project code"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()
    text = "\n".join(_lines(build_registry(catalogues()))) + "\n"
    if not options.check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"docs/{TARGET.name} is not up to date: run `make docs` and commit it.", file=sys.stderr)
    return 1


def _lines(registry: Registry) -> Iterator[str]:
    yield _HEAD
    yield from _overview(registry)
    for operation in registry.operations.values():
        yield from _operation(operation)
    yield "## Resources\n"
    for resource in registry.resources:
        yield f"- `{resource.uri}`: {resource.description}"
    yield "\n## Prompts\n"
    for prompt in registry.prompts.values():
        arguments = ", ".join(a.name if a.required else f"{a.name}?" for a in prompt.arguments)
        yield f"- `{prompt.name}({arguments})`: {prompt.description}"


def _overview(registry: Registry) -> Iterator[str]:
    yield "## Managers\n"
    for manager in registry.managers.values():
        actions = ", ".join(f"[`{name}`](#{op.flat_name})" for name, op in registry.actions[manager.name].items())
        yield f"- `{manager.name}`: {manager.description} Actions: {actions}."
    yield "\n## Operations\n"


def _operation(operation: Operation) -> Iterator[str]:
    definition = define(operation)
    yield f"### {operation.flat_name}\n"
    yield f"{operation.description}\n"
    yield f"`{operation.signature()}`\n"
    also = f", also `{operation.action[0]}` with action `{operation.action[1]}`" if operation.action else ""
    facts = [
        _SAFETY[operation.safety],
        *_RUNS[operation.executes],
        f"reply: {operation.contract}",
        f"category {operation.category}",
    ]
    yield f"Id `{operation.id}`{also}; {'; '.join(facts)}.\n"
    if operation.notes:
        yield f"{operation.notes}\n"
    yield from _table("parameter", definition["inputs"])
    yield from _table("output", definition["outputs"])
    for example in operation.examples:
        yield f"{example.description}:\n"
        yield "```json\n" + _json(example.input) + "\n" + _json(example.output) + "\n```\n"


def _table(what: str, parts: dict[str, dict[str, Any]]) -> Iterator[str]:
    if not parts:
        return
    yield f"| {what} | type | |"
    yield "|---|---|---|"
    for name, part in parts.items():
        mark = "" if part.get("required", True) else "?"
        yield f"| `{name}`{mark} | {part['type']} | {part['description']}{_limits(part)} |"
    yield ""


def _limits(part: dict[str, Any]) -> str:
    said = []
    if "enum" in part:
        said.append("one of " + ", ".join(f"`{value}`" for value in part["enum"]))
    if "minimum" in part or "maximum" in part:
        said.append(f"{part.get('minimum', '…')} to {part.get('maximum', '…')}")
    if "default" in part:
        said.append(f"default `{_json(part['default'])}`")
    return f" ({'; '.join(said)})" if said else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    raise SystemExit(main())
