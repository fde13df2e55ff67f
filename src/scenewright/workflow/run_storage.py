"""Where the runs of a project are kept, and under which names there."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scenewright.core.faults import Unsupported
from scenewright.workflow.liveness import Liveness, LockFiles

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["WAITING", "RunStorage", "check_sqlite", "storage_of"]

FILE = "workflows.sqlite"
WORKERS = "workers"
WAITING = "-waiting"  # ends the name of the queue for those of another that wait for a person
_SQLITE_NEEDED, _BY_PYTHON = (3, 42), (3, 12)  # DBOS waits for ever on an older one
_ADVICE = "Use a Python that brings SQLite 3.42 or newer, or PostgreSQL by SCENEWRIGHT_DATABASE_URL."


def check_sqlite() -> None:
    """Check that runs can be kept in a file by this Python.

    Raises:
        Unsupported: its SQLite is too old.
    """
    if sys.version_info >= _BY_PYTHON and sqlite3.sqlite_version_info < _SQLITE_NEEDED:
        told = f"SQLite {sqlite3.sqlite_version} is too old for workflows on this Python."
        raise Unsupported(told, hint=_ADVICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStorage:
    """A database, and one project's part of it."""

    file: Path | None  # None where it is a server's
    url: str | None
    folder: Path
    workflow: str  # the name of the project's workflows
    queue: str
    editor_queue: str
    kind: str  # what the names of processes begin with that carry out runs of these queues
    executor: str

    def liveness(self) -> Liveness:
        """Return how the processes of this database know of each other."""
        if self.url is None:
            return LockFiles(self.workers, self.executor)
        from scenewright.workflow.postgres_liveness import AdvisoryLocks

        return AdvisoryLocks(self.url, self.executor)

    @property
    def workers(self) -> Path:
        return self.folder / WORKERS

    @property
    def queues(self) -> tuple[str, ...]:
        """Every queue that holds runs."""
        return (self.queue, self.editor_queue, f"{self.queue}{WAITING}", f"{self.editor_queue}{WAITING}")

    @property
    def timer(self) -> str:
        """The name of the workflows that start a scheduled run."""
        return f"{self.workflow}-timer"


def storage_of(runtime: Runtime) -> RunStorage:
    """Return the storage of a runtime's own project; nothing is made by asking.

    A run is carried out under the settings under which it was taken in: a read-only server must not fail the writes
    of another one's run. So each combination of gates has queues of its own.
    """
    state, config = runtime.state, runtime.config
    name = f"scenewright-{_short(str(state.project.root))}"
    settings = (
        config.read_only,
        config.allow_run,
        config.allow_external,
        config.tier,
        config.policy_rules,
        config.policy_mode,
    )
    gates = _short(repr(settings))[:6]
    return RunStorage(
        file=None if config.database else state.folder / FILE,
        url=config.database,
        folder=state.folder,
        workflow=name,
        queue=f"{name}-{gates}",
        editor_queue=f"{name}-{gates}-editor",
        kind=f"{gates}-",
        executor=f"{gates}-{uuid.uuid4().hex}",
    )


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
