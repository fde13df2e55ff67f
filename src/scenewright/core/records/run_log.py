"""The run records of the Gox MCP contract: what ran, when, and how it ended.

A thread of its own keeps them in a `run_store`.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from scenewright.core.records.run_store import COLUMNS, RunStore

__all__ = ["Run", "RunLog", "new_run_id"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Work:
    run: Callable[[sqlite3.Connection], Any]
    give_up: Callable[[], None]  # called instead, where it cannot be done


_STOP = None
GATHER_SECONDS = 0.005


def new_run_id() -> str:
    return f"run-{uuid.uuid4().hex[:16]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run, as the resources of the Gox MCP contract show it."""

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
            self.run_id,
            self.correlation_id,
            self.type,
            self.name,
            self.status,
            self.started_at,
            self.ended_at,
            self.actor,
            self.error_code,
            self.error_message,
            self.diff_summary,
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RunLog:
    """The runs of a project, or of this process alone where there is no state folder.

    A record that cannot be kept never stops a call: where the file cannot be written the runs stay in memory, and a
    damaged file is set aside.
    """

    def __init__(self, path: Path | None, *, max_age: float = 259_200.0) -> None:
        self._path = path
        self._max_age = max_age
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._wanted = threading.Event()  # somebody waits for what is in the queue
        self._thread: threading.Thread | None = None

    def put(self, run: Run) -> None:
        """Store a run, or its newer form, without waiting for the disk."""
        marks = ", ".join("?" * len(COLUMNS))
        self._run_later(lambda database: database.execute(f"INSERT OR REPLACE INTO run VALUES ({marks})", run.row()))

    def recent(self, limit: int = 100) -> list[dict[str, Any]]:
        """Return the newest runs first."""
        return self._read_rows("SELECT * FROM run ORDER BY startedAt DESC, rowid DESC LIMIT ?", limit)

    def find(self, run_id: str) -> dict[str, Any] | None:
        rows = self._read_rows("SELECT * FROM run WHERE runId = ?", run_id)
        return rows[0] if rows else None

    def ids_with_prefix(self, prefix: str, limit: int = 100) -> list[str]:
        rows = self._read_rows(
            "SELECT * FROM run WHERE substr(runId, 1, length(?)) = ? ORDER BY startedAt DESC LIMIT ?",
            prefix,
            prefix,
            limit,
        )
        return [row["runId"] for row in rows]

    def close(self) -> None:
        """Write what is waiting and stop the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
            self._work.put(_STOP)
            self._wanted.set()
        if thread is not None:
            thread.join()

    def _read_rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        answer: queue.SimpleQueue[list[dict[str, Any]]] = queue.SimpleQueue()

        def work(database: sqlite3.Connection) -> None:
            rows = database.execute(query, values).fetchall()
            answer.put(
                [{key: item for key, item in zip(COLUMNS, row, strict=True) if item is not None} for row in rows]
            )

        # In the same queue as the writes, so that it sees them.
        self._run_later(work, lambda: answer.put([]))
        self._wanted.set()
        return answer.get()

    def _run_later(self, run: Callable[[sqlite3.Connection], Any], give_up: Callable[[], None] = lambda: None) -> None:
        with self._lock:
            if self._thread is None:
                # A queue of its own, so that it does not take the sign to stop that was meant for the one before.
                self._work = queue.SimpleQueue()
                store = RunStore(self._path, max_age=self._max_age)
                self._wanted = threading.Event()
                arguments = (self._work, store, self._wanted)
                self._thread = threading.Thread(target=_serve, args=arguments, name="runlog", daemon=True)
                self._thread.start()
            self._work.put(_Work(run, give_up))


def _serve(waiting: queue.SimpleQueue[_Work | None], store: RunStore, wanted: threading.Event) -> None:
    going_on = True
    while going_on:
        batch, going_on = _next_batch(waiting, wanted)
        try:
            store.use(partial(_do_all, batch), records=len(batch))
        except Exception:  # noqa: BLE001 each is tried by itself, and says what is wrong with it
            for work in batch:
                _do_alone(store, work)
    store.close()


def _next_batch(waiting: queue.SimpleQueue[_Work | None], wanted: threading.Event) -> tuple[list[_Work], bool]:
    """Return what there is to do, once there is something, and whether to go on after it.

    What comes in the next moment is taken, too: to wake this thread for each record takes longer than a call.
    """
    batch: list[_Work] = []
    work = waiting.get()
    wanted.wait(GATHER_SECONDS)
    wanted.clear()
    with suppress(queue.Empty):
        while work is not _STOP:
            batch.append(work)
            work = waiting.get_nowait()
        return batch, False
    return batch, True


def _do_all(batch: list[_Work], database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    try:
        for work in batch:
            work.run(database)
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _do_alone(store: RunStore, work: _Work) -> None:
    try:
        store.use(work.run)
    except Exception:
        # A lost record must not stop the calls, and whoever waits for an answer must get one.
        logger.exception("run log: a record was not stored or read")
        work.give_up()
