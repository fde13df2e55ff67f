"""Seed 001's run records: what ran, when, and how it ended. Kept in SQLite, written by a thread of its own."""

from __future__ import annotations

import queue
import sqlite3
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

__all__ = ["Run", "RunLog", "new_run_id"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
    runId TEXT PRIMARY KEY, correlationId TEXT NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL,
    status TEXT NOT NULL, startedAt TEXT NOT NULL, endedAt TEXT, actor TEXT,
    errorCode TEXT, errorMessage TEXT, diffSummary TEXT
);
CREATE INDEX IF NOT EXISTS run_started ON run(startedAt);
"""
_COLUMNS = (
    "runId", "correlationId", "type", "name", "status", "startedAt", "endedAt", "actor",
    "errorCode", "errorMessage", "diffSummary",
)  # fmt: skip
_STOP = None


def new_run_id() -> str:
    return f"run-{uuid.uuid4().hex[:16]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run, as seed 001's resources show it."""

    run_id: str
    correlation_id: str
    name: str
    type: str = "action"
    status: str = "running"
    started_at: str = ""
    ended_at: str | None = None
    actor: str | None = None
    error_code: str | None = None
    error_message: str | None = None
    diff_summary: str | None = None

    def started(self) -> Run:
        return replace(self, started_at=_now())

    def ended(self, status: str, **fields: str | None) -> Run:
        return replace(self, status=status, ended_at=_now(), **fields)  # type: ignore[arg-type]

    def row(self) -> tuple[str | None, ...]:
        return (
            self.run_id, self.correlation_id, self.type, self.name, self.status, self.started_at,
            self.ended_at, self.actor, self.error_code, self.error_message, self.diff_summary,
        )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RunLog:
    """The runs of a project, or of this process alone where there is no state folder."""

    def __init__(self, path: Path | None, *, max_age: float = 259_200.0) -> None:
        self._path = path
        self._max_age = max_age
        self._work: queue.SimpleQueue[Callable[[sqlite3.Connection], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def put(self, run: Run) -> None:
        """Stores a run, or its newer form; does not wait for the disk."""
        marks = ", ".join("?" * len(_COLUMNS))
        self._later(lambda database: database.execute(f"INSERT OR REPLACE INTO run VALUES ({marks})", run.row()))

    def recent(self, limit: int = 100) -> list[dict[str, Any]]:
        """The newest runs first."""
        return self._read("SELECT * FROM run ORDER BY startedAt DESC, rowid DESC LIMIT ?", limit)

    def find(self, run_id: str) -> dict[str, Any] | None:
        found = self._read("SELECT * FROM run WHERE runId = ?", run_id)
        return found[0] if found else None

    def ids_with_prefix(self, prefix: str, limit: int = 100) -> list[str]:
        rows = self._read(
            "SELECT * FROM run WHERE substr(runId, 1, length(?1)) = ?1 ORDER BY startedAt DESC LIMIT ?2",
            prefix, limit,
        )  # fmt: skip
        return [row["runId"] for row in rows]

    def close(self) -> None:
        """Writes what is waiting and stops the thread."""
        if self._thread is not None:
            self._work.put(_STOP)
            self._thread.join()
            self._thread = None

    def _read(self, query: str, *values: Any) -> list[dict[str, Any]]:
        answer: queue.SimpleQueue[list[dict[str, Any]]] = queue.SimpleQueue()

        def work(database: sqlite3.Connection) -> None:
            rows: list[dict[str, Any]] = []
            try:
                rows = [
                    {key: value for key, value in zip(_COLUMNS, row, strict=True) if value is not None}
                    for row in database.execute(query, values)
                ]
            finally:
                answer.put(rows)

        # In the same queue as the writes, so that it sees them.
        self._later(work)
        return answer.get()

    def _later(self, work: Callable[[sqlite3.Connection], Any]) -> None:
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._serve, name="runlog", daemon=True)
                    self._thread.start()
        self._work.put(work)

    def _serve(self) -> None:
        database = self._open()
        try:
            while (work := self._work.get()) is not _STOP:
                try:
                    work(database)
                except sqlite3.Error:
                    # A lost record must not stop the calls; a broken file shows in `scenewright doctor`.
                    _log().exception("run log: a record was not stored")
        finally:
            database.close()

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path or ":memory:", timeout=10, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
        oldest = datetime.now(UTC) - timedelta(seconds=self._max_age)
        database.execute("DELETE FROM run WHERE startedAt < ?", (oldest.isoformat(),))
        return database


def _log() -> Any:
    import logging

    return logging.getLogger(__name__)
