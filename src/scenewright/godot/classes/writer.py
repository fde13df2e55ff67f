"""Writes the SQLite file that `store` reads."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from scenewright.godot.classes.entries import Entry, all_entries
from scenewright.godot.classes.names import Names
from scenewright.godot.classes.records import ClassInfo
from scenewright.godot.classes.store import RAW_DEFLATE, SCHEMA, ClassRow
from scenewright.godot.classes.terms import text_words

__all__ = ["write"]

_DICTIONARY_BYTES = 32_768
_TABLES = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE tree (
        id INTEGER PRIMARY KEY, name TEXT, inherits TEXT, kind TEXT, instantiable INTEGER, editor_only INTEGER
    );
    CREATE TABLE body (id INTEGER PRIMARY KEY, record BLOB);
    CREATE VIRTUAL TABLE words USING fts5 (name, class, text, content='', tokenize='porter unicode61');
"""


def write(path: Path, classes: Sequence[ClassInfo], *, version: str, build: str) -> None:
    """Write a new index file; the same classes give the same bytes."""
    encoded = [msgspec.msgpack.encode(info) for info in classes]
    dictionary = _dictionary(encoded)
    entries = all_entries(classes)
    meta = {"version": version, "build": build, "dictionary": dictionary, "names": Names.of(entries).pack()}
    with closing(sqlite3.connect(path)) as database:
        database.executescript(_TABLES)
        with database:
            database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            database.executemany(
                "INSERT INTO tree VALUES (?, ?, ?, ?, ?, ?)", map(_tree_row, range(len(classes)), classes)
            )
            database.executemany("INSERT INTO body VALUES (?, ?)", enumerate(_compressed(encoded, dictionary)))
            database.executemany("INSERT INTO words (rowid, name, class, text) VALUES (?, ?, ?, ?)", _words(entries))
            database.execute("INSERT INTO words (words) VALUES ('optimize')")
        database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute("VACUUM")


def _tree_row(class_id: int, info: ClassInfo) -> ClassRow:
    return ClassRow(class_id, info.name, info.inherits, info.kind, info.instantiable, info.editor_only)


def _words(entries: Iterable[Entry]) -> Iterator[tuple[int, str, str, str]]:
    for row, entry in enumerate(entries):
        yield row, entry.name_words, entry.class_words, text_words(entry.text)


def _dictionary(encoded: Sequence[bytes]) -> bytes:
    """The beginnings of records of all sizes: what most others repeat."""
    spread = sorted(encoded, key=len)[len(encoded) // 4 :: 12]
    return b"".join(record[:600] for record in spread)[-_DICTIONARY_BYTES:]


def _compressed(encoded: Iterable[bytes], dictionary: bytes) -> Iterator[bytes]:
    for record in encoded:
        packer = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE, 9, zlib.Z_DEFAULT_STRATEGY, dictionary)
        yield packer.compress(record) + packer.flush()
