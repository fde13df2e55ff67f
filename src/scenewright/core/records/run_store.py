"""Where run records lie: a SQLite file that several processes share. Belongs to one thread."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from scenewright.core.faults import Fault
from scenewright.core.records.database import connect, is_damage
from scenewright.core.writes.locks import locked

__all__ = ["COLUMNS", "RunStore"]

COLUMNS = (
    "runId",
    "correlationId",
    "type",
    "name",
    "status",
    "startedAt",
    "endedAt",
    "actor",
    "errorCode",
    "errorMessage",
    "diffSummary",
)
PRUNE_EVERY = 1000  # records
_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
    runId TEXT PRIMARY KEY, correlationId TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL,
    status TEXT NOT NULL, startedAt TEXT NOT NULL, endedAt TEXT, actor TEXT,
    errorCode TEXT, errorMessage TEXT, diffSummary TEXT
);
CREATE INDEX IF NOT EXISTS run_started ON run(startedAt);
"""
logger = logging.getLogger(__name__)


class RunStore:
    """An open database that is replaced when its file is damaged or deleted, by one in memory if need be."""

    def __init__(self, path: Path | None, *, max_age: float) -> None:
        self._path = path
        self._max_age = max_age
        self._database: sqlite3.Connection | None = None
        self._inode: int | None = None
        self._until_prune = 0

    def use(self, work: Callable[[sqlite3.Connection], Any], *, records: int = 1) -> None:
        """Do something with the database; once more with a new one where the file turns out to be damaged.

        `records` is how many it is about: old ones are looked for now and then.

        Raises:
            sqlite3.Error: it cannot be done.
        """
        try:
            work(self._current(records))
        except sqlite3.Error as error:
            if self._path is None or not is_damage(error):
                raise
            self.close()
            self._set_aside(self._path)
            work(self._current(records))

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _current(self, records: int) -> sqlite3.Connection:
        if self._database is not None and _inode(self._path) != self._inode:
            self.close()  # someone cleaned the folder up
        if self._database is None:
            self._database = self._open()
            self._inode = _inode(self._path)
            self._until_prune = 0
        if self._until_prune <= 0:
            oldest = datetime.now(UTC) - timedelta(seconds=self._max_age)
            self._database.execute("DELETE FROM run WHERE startedAt < ?", (oldest.isoformat(),))
            self._until_prune = PRUNE_EVERY
        self._until_prune -= records
        return self._database

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.Error as error:
            if self._path is not None and is_damage(error):
                self._set_aside(self._path)
            else:
                logger.warning("run log: %s; runs are kept in memory", error)
        try:
            return self._connect()
        except sqlite3.Error:
            self._path = None
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        if self._path is not None:
            with suppress(OSError):  # SQLite says it again
                self._path.parent.mkdir(mode=0o700, exist_ok=True)
        return connect(self._path, _SCHEMA, synchronous="NORMAL")

    def _set_aside(self, path: Path) -> None:
        """Move a damaged file out of the way, unless another process has done so already."""
        try:
            with locked(path.with_suffix(".lock")):
                if not _is_damaged(path):
                    return
                logger.warning("run log: %s is damaged and was renamed to %s.damaged", path, path.name)
                for ending in ("", "-wal", "-shm"):
                    part = path.with_name(path.name + ending)
                    if part.exists():
                        part.replace(path.with_name(f"{path.name}.damaged{ending}"))
        except (OSError, Fault) as error:
            logger.warning("run log: %s is damaged and cannot be moved: %s", path, error)


def _is_damaged(path: Path) -> bool:
    try:
        database = sqlite3.connect(path)
        try:
            return bool(database.execute("PRAGMA quick_check").fetchone() != ("ok",))
        finally:
            database.close()
    except UnicodeDecodeError:  # SQLite quotes the damaged part
        return True
    except sqlite3.Error as error:
        return is_damage(error)


def _inode(path: Path | None) -> int | None:
    try:
        return os.stat(path).st_ino if path is not None else None
    except OSError:
        return None
