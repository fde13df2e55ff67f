"""Ranked full-text search over the registry, in an in-memory SQLite index that is built on the first query."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import defaultdict

from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import Registry

__all__ = ["ToolIndex"]

RELATED_WEIGHT = 0.5
RELATED_COVER = 0.75
NAME_WEIGHT = 0.6
_QUERY = "SELECT id, -bm25(tool, 0, 8, 6, 3, 1) FROM tool WHERE tool MATCH ?"
_WORD = re.compile(r"[a-z0-9]+|[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")
_DIMENSION = re.compile(r"([23])D(?![a-z])")  # one word, also at the end of another: Node3D
_STOP_WORDS = {
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "could",
    "do",
    "does",
    "down",
    "for",
    "from",
    "have",
    "how",
    "i",
    "in",
    "into",
    "is",
    "it",
    "its",
    "like",
    "me",
    "my",
    "of",
    "on",
    "or",
    "please",
    "some",
    "that",
    "the",
    "there",
    "this",
    "to",
    "up",
    "want",
    "was",
    "we",
    "what",
    "when",
    "where",
    "which",
    "with",
    "would",
    "you",
}
# Words that people use for the same thing; a match by them counts less than one by the word itself.
_RELATED = (
    "delete remove erase",
    "undo revert rollback restore",
    "write create new make add",
    "edit change modify replace",
    "size big large long count stats",
    "list show all available",
    "move rename",
    "copy duplicate clone",
    "run play start launch execute",
    "picture screenshot image capture see",
    "error problem warning diagnostics",
    "batch bulk several many multiple",
    "slow slower fast faster speed",
)


class ToolIndex:
    """Finds operations by what they are called and what they do."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._database: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def search(self, query: str) -> list[tuple[Operation, float]]:
        """Return every match, the best first, each with a score between 0 and 1."""
        words = [word for word in dict.fromkeys(_words(query)) if word not in _STOP_WORDS]
        scores: dict[str, float] = {}
        with self._lock:
            for weight, terms in ((1.0, words), (RELATED_WEIGHT, _related_words(words))):
                for identifier, score in self._matches(terms):
                    scores[identifier] = scores.get(identifier, 0.0) + weight * score
            covered, named = self._coverage(words), self._coverage(words, "name : ")
        scores = {identifier: score * max(1.0, covered[identifier]) for identifier, score in scores.items()}
        best = max(scores.values(), default=1.0) or 1.0
        # Words that most tools have, such as "scene", weigh nothing; a tool that is called so is meant nevertheless.
        for identifier, count in named.items():
            own = len(_words(self._registry.operations[identifier].flat_name))
            scores[identifier] += NAME_WEIGHT * best * count / max(len(words), own)
        best = max(scores.values(), default=1.0) or 1.0
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(self._registry.operations[identifier], round(score / best, 3)) for identifier, score in ranked]

    def _coverage(self, words: list[str], where: str = "") -> dict[str, float]:
        """Return how many of the words each has: one that has every word comes before one that says the rarest
        often.
        """
        covered: defaultdict[str, float] = defaultdict(float)
        for word in words:
            itself = {identifier for identifier, _ in self._matches([word], where)}
            alike = {identifier for identifier, _ in self._matches(_related_words([word]), where)} - itself
            for identifier in itself | alike:
                covered[identifier] += 1.0 if identifier in itself else RELATED_COVER
        return covered

    def _matches(self, words: list[str], where: str = "") -> list[tuple[str, float]]:
        if not words:
            return []
        # The start of a long word will do; that of a short one says too little ("new" is not "newest").
        terms = " OR ".join(f'"{word}"' + ("*" if len(word) > 3 else "") for word in words)
        return self._index().execute(_QUERY, (f"{where}({terms})",)).fetchall()

    def close(self) -> None:
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _index(self) -> sqlite3.Connection:
        if self._database is None:
            database = sqlite3.connect(":memory:", check_same_thread=False)
            database.execute(
                "CREATE VIRTUAL TABLE tool USING fts5(id UNINDEXED, name, action, text, parameters,"
                " tokenize='porter unicode61', prefix='2 3')"
            )
            rows = (_row(op, self._registry.aliases_of(op)) for op in self._registry.operations.values())
            database.executemany("INSERT INTO tool VALUES (?, ?, ?, ?, ?)", rows)
            self._database = database
        return self._database


def _row(operation: Operation, aliases: list[str]) -> tuple[str, str, str, str, str]:
    parameters = operation.parameter_texts
    return (
        operation.id,
        _split_names(f"{operation.id} {operation.name} {operation.flat_name}"),
        _split_names(" ".join((*(operation.action or ()), *aliases, operation.asked_for))),
        f"{operation.description} {operation.notes or ''} {operation.category}",
        _split_names(" ".join(f"{name} {text}" for name, text in parameters.items())),
    )


def _split_names(text: str) -> str:
    """Return the text with its camelCase and snake_case names taken apart."""
    return " ".join([text, *_words(text)])


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_DIMENSION.sub(r" \1d ", text[:400]))]


def _related_words(words: list[str]) -> list[str]:
    groups = [group.split() for group in _RELATED]
    return [other for group in groups for other in group if other not in words and not set(words).isdisjoint(group)]
