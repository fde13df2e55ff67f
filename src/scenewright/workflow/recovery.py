"""Runs that nobody carries out any more are taken up by whichever server of the project is there.

Costs a server next to nothing: until there is such a run, it looks at a file now and then and loads no engine.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from scenewright.workflow.engines import engine_of

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.workflow.run_storage import RunStorage

__all__ = ["take_up_runs"]

FIRST_LOOK = 0.3  # after the client has got its first answer
LOOK_SECONDS = 5.0
_OPEN = (
    "SELECT 1 FROM workflow_status WHERE status IN ('ENQUEUED', 'PENDING', 'DELAYED')"
    " AND queue_name IN (?, ?, ?, ?) LIMIT 1"
)
_SCHEDULED = "SELECT 1 FROM workflow_schedules WHERE status = 'ACTIVE' AND workflow_name = ? LIMIT 1"


async def take_up_runs(runtime: Runtime) -> None:
    """Start the engine as soon as it is needed, and then end; a read-only server goes on with nobody's runs."""
    if runtime.config.read_only:
        return
    await anyio.sleep(FIRST_LOOK)
    engine = engine_of(runtime)
    while not engine.is_started and not await anyio.to_thread.run_sync(_is_needed, engine.storage):
        await anyio.sleep(LOOK_SECONDS)
    await engine.started()


def _is_needed(storage: RunStorage) -> bool:
    from scenewright.workflow.liveness import LockFiles

    if storage.file is None:
        return True  # who names a server of databases wants its work done
    if not storage.file.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{storage.file.as_uri()}?mode=ro", uri=True)) as database:
            waiting = database.execute(_OPEN, storage.queues).fetchone()
            waiting = waiting or database.execute(_SCHEDULED, (storage.timer,)).fetchone()
    except sqlite3.Error:
        return False  # being made, or damaged: the first call that needs it says so
    return waiting is not None and not LockFiles.any_alive(storage.workers, storage.kind)
