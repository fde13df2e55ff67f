"""Node trees as compact text: one line a node, indented by depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["flattened", "outline"]


def outline(nodes: Iterable[dict[str, Any]]) -> str:
    """Return a tree as text such as `Player: CharacterBody2D (player.gd)`, indented by two spaces per level."""
    rows = list(nodes)
    first = min((int(row["depth"]) for row in rows), default=0)
    return "\n".join("  " * (int(row["depth"]) - first) + _line(row) for row in rows)


def flattened(tree: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Return a nested tree as rows, in order."""
    waiting = [(tree, depth)]
    while waiting:
        node, level = waiting.pop()
        children = node.get("children") or []
        yield {key: value for key, value in node.items() if key != "children"} | {"depth": level}
        waiting += [(child, level + 1) for child in reversed(children)]


def _line(row: dict[str, Any]) -> str:
    marks = [str(row[key]).removeprefix("res://") for key in ("instance", "script") if row.get(key)]
    marks += [f"%{row['name']}"] if row.get("unique") else []
    hidden = int(row.get("hidden_nodes") or 0)
    marks += [f"+{hidden} inside"] if hidden else []
    return f"{row['name']}: {row['type']}" + (f" ({', '.join(marks)})" if marks else "")
