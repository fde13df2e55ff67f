"""The journal's book: entries with the old and the new content of their files, in SQLite.

Knows nothing of the disk outside its own database; `journal` decides what is written where.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from scenewright.core.projects.live import Steps
from scenewright.core.records.database import Damaged, connect, connect_read_only, is_refusal
from scenewright.core.writes.changeset import Change

__all__ = ["Author", "Deed", "Entry", "FileRecord", "Ledger", "State", "digest_of"]

# `pending` will be carried through, `reverting` will be taken back, whatever happens in between.
State = Literal["pending", "reverting", "applied"]
DEED_AGE = timedelta(days=30)  # longer than any run that may still ask

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL, operation TEXT NOT NULL, actor TEXT, correlation_id TEXT NOT NULL, summary TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'reverting', 'applied')),
    folders TEXT NOT NULL, undoes TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS file (
    entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE,
    path TEXT NOT NULL, before TEXT, after TEXT, mode INTEGER,
    PRIMARY KEY (entry, path)
);
CREATE TABLE IF NOT EXISTS deed (
    key TEXT PRIMARY KEY, entry INTEGER, at TEXT NOT NULL, output TEXT
);
CREATE INDEX IF NOT EXISTS deed_entry ON deed(entry);
CREATE TABLE IF NOT EXISTS live (
    entry INTEGER NOT NULL REFERENCES entry(id) ON DELETE CASCADE, path TEXT NOT NULL, step TEXT NOT NULL,
    PRIMARY KEY (entry, path)
);
CREATE TABLE IF NOT EXISTS blob (hash TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS unfinished ON entry(id) WHERE state != 'applied';
"""


@dataclass(frozen=True, slots=True)
class Deed:
    """A call that is made once under its key, and what it returned; without output it was only begun."""

    key: str
    output: Any = None
    done: bool = True
    entry: int | None = None  # what it changed, as far as that is files


@dataclass(frozen=True, slots=True)
class Author:
    """Who changed something and by which call."""

    operation: str
    correlation_id: str
    actor: str | None
    summary: str
    undoes: tuple[int, ...] = ()
    deed: Deed | None = None
    live: Steps = field(default_factory=dict)  # what was changed in an editor, and how that is taken back


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of an entry; a hash is None where the file did not exist."""

    path: str
    before: str | None
    after: str | None
    mode: int | None

    @property
    def kind(self) -> str:
        if self.before is None:
            return "created"
        return "deleted" if self.after is None else "modified"

    def reversed(self) -> FileRecord:
        """Return the same file on the way back."""
        return FileRecord(self.path, self.after, self.before, self.mode)


@dataclass(frozen=True, slots=True)
class Entry:
    """One committed call."""

    id: int
    at: str
    operation: str
    actor: str | None
    correlation_id: str
    summary: str
    undoes: tuple[int, ...]
    folders: tuple[str, ...]  # made for it, outermost first, or to go with their last file
    files: tuple[FileRecord, ...]
    live: Steps = field(default_factory=dict)

    @property
    def places(self) -> Steps:
        """What was edited in an editor and is no file."""
        paths = {file.path for file in self.files}
        return {place: step for place, step in self.live.items() if place not in paths}


class Ledger:
    """The entries, newest last."""

    def __init__(self, path: Path) -> None:
        """Open the book, and make it where there is none.

        Raises:
            sqlite3.Error: it cannot be opened, or is none.
        """
        self._path = path
        self.writable = True
        try:
            self._database = connect(path, _SCHEMA, synchronous="FULL")
        except sqlite3.OperationalError as error:
            if not path.exists() or not is_refusal(error):
                raise
            # Where nothing can be written the history can still be read.
            self._database = connect_read_only(path)
            self.writable = False
        self._identity = _identity(path)

    @property
    def is_current(self) -> bool:
        """Whether the file is still there; who cleans a folder up may delete it under us."""
        return _identity(self._path) == self._identity

    def close(self) -> None:
        self._database.close()

    def record(
        self, changes: Sequence[Change], author: Author, *, folders: Sequence[str], modes: Sequence[int | None]
    ) -> Entry:
        """Add a pending entry, durably."""
        with self.transaction():
            number = self._database.execute(
                "INSERT INTO entry (at, operation, actor, correlation_id, summary, state, folders, undoes)"
                " VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)",
                (
                    datetime.now(UTC).isoformat(timespec="milliseconds"),
                    author.operation,
                    author.actor,
                    author.correlation_id,
                    author.summary,
                    json.dumps(folders),
                    json.dumps(author.undoes),
                ),
            ).lastrowid
            assert number is not None
            self._insert_parts(number, changes, author, modes)
        entry = self.find(number)
        assert entry is not None
        return entry

    def amend(self, number: int, changes: Sequence[Change], author: Author) -> Entry:
        """Add to an entry what an editor did after its files were written."""
        with self.transaction():
            self._insert_parts(number, changes, author, [None] * len(changes))
        entry = self.find(number)
        assert entry is not None
        return entry

    def _insert_parts(
        self, number: int, changes: Sequence[Change], author: Author, modes: Sequence[int | None]
    ) -> None:
        for change, mode in zip(changes, modes, strict=True):
            hashes = (self._store(change.before), self._store(change.after))
            self._database.execute("INSERT INTO file VALUES (?, ?, ?, ?, ?)", (number, change.path, *hashes, mode))
        if author.deed is not None:
            self._insert_deed(author.deed, number)
        for path, step in author.live.items():
            self._database.execute("INSERT INTO live VALUES (?, ?, ?)", (number, path, json.dumps(step)))

    def mark(self, number: int, state: State) -> None:
        with self.transaction():
            self._database.execute("UPDATE entry SET state = ? WHERE id = ?", (state, number))

    def discard(self, number: int) -> None:
        with self.transaction():
            self._database.execute("DELETE FROM deed WHERE entry = ?", (number,))
            self._database.execute("DELETE FROM entry WHERE id = ?", (number,))

    def deed(self, key: str) -> Deed | None:
        """Return what is known of a call that was to be made once."""
        row = self._database.execute("SELECT output, entry FROM deed WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        output, entry = row
        return Deed(key, None if output is None else json.loads(output), output is not None, entry)

    def announce(self, key: str) -> None:
        """Note durably that a call is about to be made."""
        with self.transaction():
            self._insert_deed(Deed(key, done=False), None)

    def conclude(self, key: str, output: Any) -> None:
        """Note what an announced call returned."""
        with self.transaction():
            self._database.execute("UPDATE deed SET output = ? WHERE key = ?", (json.dumps(output), key))

    def withdraw(self, key: str) -> None:
        """Forget an announced call that was refused and changed nothing."""
        with self.transaction():
            self._database.execute("DELETE FROM deed WHERE key = ? AND output IS NULL", (key,))

    def _insert_deed(self, deed: Deed, entry: int | None) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        output = json.dumps(deed.output) if deed.done else None
        self._database.execute(
            "INSERT INTO deed VALUES (?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, output = excluded.output",
            (deed.key, entry, at, output),
        )

    def has_unfinished(self) -> bool:
        return self._database.execute("SELECT 1 FROM entry WHERE state != 'applied' LIMIT 1").fetchone() is not None

    def unfinished(self) -> list[tuple[Entry, State]]:
        """Return entries that were begun and neither finished nor taken back, oldest first."""
        rows = self._database.execute("SELECT id, state FROM entry WHERE state != 'applied' ORDER BY id").fetchall()
        return [(entry, state) for number, state in rows if (entry := self.find(number))]

    def newest(self, *, limit: int, before: int | None, path: str | None) -> list[Entry]:
        rows = self._database.execute(
            "SELECT id FROM entry WHERE state = 'applied' AND (:before IS NULL OR id < :before) AND (:path IS NULL OR"
            " EXISTS (SELECT 1 FROM file WHERE file.entry = entry.id AND file.path = :path))"
            " ORDER BY id DESC LIMIT :limit",
            {"before": before, "path": path, "limit": limit},
        ).fetchall()
        return [entry for (number,) in rows if (entry := self.find(number))]

    def find(self, number: int) -> Entry | None:
        row = self._database.execute(
            "SELECT id, at, operation, actor, correlation_id, summary, undoes, folders FROM entry WHERE id = ?",
            (number,),
        ).fetchone()
        if row is None:
            return None
        files = self._database.execute(
            "SELECT path, before, after, mode FROM file WHERE entry = ? ORDER BY path", (number,)
        ).fetchall()
        live = self._database.execute("SELECT path, step FROM live WHERE entry = ?", (number,)).fetchall()
        *identity, undoes, folders = row
        parts = (tuple(json.loads(undoes)), tuple(json.loads(folders)), tuple(FileRecord(*file) for file in files))
        return Entry(*identity, *parts, {path: json.loads(step) for path, step in live})  # type: ignore[call-arg]  # six columns and three parts

    def content(self, digest: str | None) -> bytes | None:
        """Return the content behind a hash of an entry.

        Raises:
            Damaged: it is not in the book, or not what it was.
        """
        if digest is None:
            return None
        row = self._database.execute("SELECT data FROM blob WHERE hash = ?", (digest,)).fetchone()
        try:
            content = zlib.decompress(row[0]) if row else None
        except zlib.error as error:
            raise Damaged(self._path, error) from error
        if digest_of(content) != digest:
            raise Damaged(self._path, "the content of a file is missing")
        return content

    def mode_before(self, path: str, entries: Sequence[int]) -> int | None:
        """Return the permissions a file had before these entries, where one of them found it there."""
        for number in sorted(entries):
            row = self._database.execute(
                "SELECT mode FROM file WHERE entry = ? AND path = ? AND mode IS NOT NULL", (number, path)
            ).fetchone()
            if row:
                return int(row[0])
        return None

    def folders_made(self) -> set[str]:
        """Return every folder that an entry made."""
        rows = self._database.execute("SELECT folders FROM entry WHERE folders != '[]'").fetchall()
        return {folder for (folders,) in rows for folder in json.loads(folders)}

    def prune(self, keep: int) -> None:
        """Forget the oldest entries, a tenth at a time so that a full book does not prune on every commit."""
        (count,) = self._database.execute("SELECT count(*) FROM entry").fetchone()
        if count <= keep + keep // 10:
            return
        with self.transaction():
            oldest = (datetime.now(UTC) - DEED_AGE).isoformat(timespec="milliseconds")
            self._database.execute("DELETE FROM deed WHERE at < ?", (oldest,))
            self._database.execute(
                "DELETE FROM entry WHERE state = 'applied' AND id <="
                " (SELECT id FROM entry ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (keep,),
            )
            self._database.execute(
                "DELETE FROM blob WHERE hash NOT IN (SELECT before FROM file WHERE before IS NOT NULL"
                " UNION SELECT after FROM file WHERE after IS NOT NULL)"
            )

    def _store(self, content: bytes | None) -> str | None:
        digest = digest_of(content)
        if content is not None:
            data = zlib.compress(content, 1)
            self._database.execute("INSERT OR IGNORE INTO blob VALUES (?, ?)", (digest, data))
        return digest

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all that is written meanwhile, or nothing; what is inside of another is a part of it."""
        if self._database.in_transaction:
            yield
            return
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:  # SQLite may have rolled back by itself
                self._database.execute("ROLLBACK")
            raise


def digest_of(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
