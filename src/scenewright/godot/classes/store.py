"""Reads an index file: the class tree, one compressed record per class, names, and an FTS5 index of words.

Records are compressed one by one against a shared dictionary, so the shipped file is used where it lies, read-only,
and a look-up unpacks only the classes it touches. `writer` writes the file.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

from scenewright.godot.classes.records import ClassInfo

__all__ = ["RAW_DEFLATE", "SCHEMA", "ClassRow", "ClassStore", "Outdated"]

SCHEMA: Final = 1
_KEPT_CLASSES = 256
RAW_DEFLATE: Final = -15


class Outdated(Exception):
    """The file was written by another version of this module."""


class ClassRow(NamedTuple):
    """What is known of every class without unpacking it."""

    id: int
    name: str
    inherits: str
    kind: str
    instantiable: bool
    editor_only: bool


class ClassStore:
    """An open index file. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        """Opens it read-only; it must not change while open.

        Raises:
            Outdated, sqlite3.DatabaseError: it is not an index of this version.
        """
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(address, uri=True, check_same_thread=False)
        self._lock = Lock()
        try:
            if self._rows("PRAGMA user_version")[0][0] != SCHEMA:
                raise Outdated(path)
            meta: dict[str, Any] = dict(self._rows("SELECT key, value FROM meta WHERE key != 'names'"))
        except BaseException:
            self._database.close()
            raise
        self.version: str = meta["version"]
        self.build: str = meta["build"]
        self._dictionary: bytes = meta["dictionary"]
        self._decoder = msgspec.msgpack.Decoder(ClassInfo)
        self.class_info = lru_cache(_KEPT_CLASSES)(self._class_info)

    def close(self) -> None:
        self._database.close()

    def tree(self) -> Iterator[ClassRow]:
        return map(ClassRow._make, self._rows("SELECT * FROM tree"))

    def packed_names(self) -> bytes:
        """Return every name there is to search; `Names` unpacks them."""
        packed: bytes = self._rows("SELECT value FROM meta WHERE key = 'names'")[0][0]
        return packed

    def matches(self, expression: str, rows: Iterable[range], limit: int) -> list[tuple[int, float]]:
        """Return the rows that match best by bm25, each with a score of which more is better."""
        return self._rows(
            f"SELECT rowid, -bm25(words, 10, 4, 1) AS score FROM words WHERE words MATCH ? AND ({_row_condition(rows)})"
            " ORDER BY score DESC, rowid LIMIT ?",
            expression,
            limit,
        )

    def count(self, expression: str, rows: Iterable[range]) -> int:
        """Return how many of the rows match."""
        counted = self._rows(f"SELECT count(*) FROM words WHERE words MATCH ? AND ({_row_condition(rows)})", expression)
        total: int = counted[0][0]
        return total

    def _class_info(self, class_id: int) -> ClassInfo:
        packed = self._rows("SELECT record FROM body WHERE id = ?", class_id)[0][0]
        unpacker = zlib.decompressobj(RAW_DEFLATE, self._dictionary)
        return self._decoder.decode(unpacker.decompress(packed))

    def _rows(self, statement: str, *values: object) -> list[Any]:
        with self._lock:
            return self._database.execute(statement, values).fetchall()


def _row_condition(rows: Iterable[range]) -> str:
    return " OR ".join(f"rowid BETWEEN {part.start} AND {part.stop - 1}" for part in rows)
