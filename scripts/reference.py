"""Writes docs/reference.md and a page per manager from the registry; with --check, fails where they differ."""

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

DOCS = Path(__file__).parent.parent / "docs"
INDEX, PAGES = "reference.md", "reference"
_HEAD = """\
# Tool reference

Generated from the registry by `make docs`; do not edit. Each operation is on the page of its manager, under its own
tool name, which can always be called, whatever the listing shows. There `?` marks what may be left out.
"""
_SAFETY = {"read-only": "reads only", "safe-write": "writes, undoable", "destructive": "destructive, needs approval"}

_RUNS = {"never": [], "sometimes": ["may run project code"], "always": ["runs project code"]}
# The operations that no manager has, by the first word of their ids.
_UNMANAGED = {
    "roblox": "The tools of Gox's contract, which are listed as they are.",
    "scene": "The tools of Gox's scene plans.",
    "workflow": "Plans of calls that survive a crash.",
}
_OTHERS = ("other_tools", "Tools that are listed as they are.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()
    pages = dict(_written(build_registry(catalogues())))
    there = {f"{PAGES}/{file.name}" for file in (DOCS / PAGES).glob("*.md")} | {INDEX}
    if not options.check:
        (DOCS / PAGES).mkdir(exist_ok=True)
        for name in there - set(pages):
            (DOCS / name).unlink(missing_ok=True)
        for name, text in pages.items():
            (DOCS / name).write_text(text, encoding="utf-8")
        return 0
    drifted = [name for name in sorted(there | set(pages)) if _read(name) != pages.get(name)]
    for name in drifted:
        print(f"docs/{name} is not up to date: run `make docs` and commit it.", file=sys.stderr)
    return 1 if drifted else 0


def _read(name: str) -> str | None:
    return (DOCS / name).read_text(encoding="utf-8") if (DOCS / name).is_file() else None


def _written(registry: Registry) -> Iterator[tuple[str, str]]:
    """Yield each page by its name below docs/."""
    sorted_in: dict[str, list[Operation]] = {}
    for operation in registry.operations.values():
        sorted_in.setdefault(_page_of(operation), []).append(operation)
    yield INDEX, "\n".join(_index(registry, sorted_in)) + "\n"
    for page, operations in sorted_in.items():
        lines = [f"# {page}\n", f"{_about(registry, page)}\n"]
        lines += [line for operation in operations for line in _operation(operation)]
        yield f"{PAGES}/{page}.md", "\n".join(lines) + "\n"


def _page_of(operation: Operation) -> str:
    if operation.action:
        return operation.action[0]
    area = operation.id.partition(".")[0]
    return f"{area}_tools" if area in _UNMANAGED else _OTHERS[0]


def _about(registry: Registry, page: str) -> str:
    manager = registry.managers.get(page)
    return manager.description if manager else _UNMANAGED.get(page.removesuffix("_tools"), _OTHERS[1])


def _index(registry: Registry, sorted_in: dict[str, list[Operation]]) -> Iterator[str]:
    yield _HEAD
    for page, operations in sorted_in.items():
        yield f"## [{page}]({PAGES}/{page}.md)\n"
        yield f"{_about(registry, page)}\n"
        links = [
            f"[`{operation.action[1] if operation.action else operation.flat_name}`]"
            f"({PAGES}/{page}.md#{operation.flat_name})"
            for operation in operations
        ]
        yield ", ".join(links) + "\n"
    yield "## Resources\n"
    for resource in registry.resources:
        yield f"- `{resource.uri}`: {resource.description}"
    yield "\n## Prompts\n"
    for prompt in registry.prompts.values():
        arguments = ", ".join(a.name if a.required else f"{a.name}?" for a in prompt.arguments)
        yield f"- `{prompt.name}({arguments})`: {prompt.description}"


def _operation(operation: Operation) -> Iterator[str]:
    definition = define(operation)
    yield f"## {operation.flat_name}\n"
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
