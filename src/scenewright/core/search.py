"""Ranked full-text search over the registry, in an in-memory SQLite index that is built on the first query."""

from __future__ import annotations

import re
import sqlite3

from scenewright.core.operation import Operation
from scenewright.core.registry import Registry

__all__ = ["ToolIndex"]

_WORD = re.compile(r"[a-z0-9]+|[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")


class ToolIndex:
    """Finds operations by what they are called and what they do."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._database: sqlite3.Connection | None = None

    def search(self, query: str, limit: int) -> list[tuple[Operation, float]]:
        """The best matches first, each with a score between 0 and 1."""
        words = _words(query)
        if not words:
            return []
        terms = " OR ".join(f'"{word}"*' for word in dict.fromkeys(words))
        rows = self._index().execute(
            "SELECT id, bm25(tool, 0, 8, 6, 3, 1) AS rank FROM tool WHERE tool MATCH ? ORDER BY rank, id LIMIT ?",
            (terms, limit),
        )
        found = [(self._registry.operations[identifier], -rank) for identifier, rank in rows]
        best = max((score for _, score in found), default=1.0) or 1.0
        return [(operation, round(score / best, 3)) for operation, score in found]

    def _index(self) -> sqlite3.Connection:
        if self._database is None:
            database = sqlite3.connect(":memory:", check_same_thread=False)
            database.execute(
                "CREATE VIRTUAL TABLE tool USING fts5(id UNINDEXED, name, action, text, parameters,"
                " tokenize='porter unicode61', prefix='2 3')"
            )
            database.executemany(
                "INSERT INTO tool VALUES (?, ?, ?, ?, ?)", map(_row, self._registry.operations.values())
            )
            self._database = database
        return self._database


def _row(operation: Operation) -> tuple[str, str, str, str, str]:
    properties = operation.input_schema.get("properties", {})
    return (
        operation.id,
        _spread(f"{operation.id} {operation.name} {operation.flat_name}"),
        _spread(" ".join((*(operation.action or ()), *operation.aliases))),
        f"{operation.description} {operation.notes or ''} {operation.category}",
        _spread(" ".join(f"{key} {part.get('description', '')}" for key, part in properties.items())),
    )


def _spread(text: str) -> str:
    """The text with its camelCase and snake_case names taken apart."""
    return " ".join([text, *_words(text)])


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text[:400])]
