"""Where the runs of a project are kept, and under which names there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scenewright.workflow.liveness import Liveness, LockFiles

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime

__all__ = ["FILE", "Place", "place_of"]

FILE = "workflows.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A database, and one project's part of it."""

    url: str
    executor: str
    workflow: str  # the name of its workflows
    queue: str
    editor_queue: str
    queues: dict[str, int]
    liveness: Liveness


def place_of(runtime: Runtime, executor: str) -> Place:
    """The place of a runtime's own project.

    Raises:
        Denied: the project's folder cannot be written.
    """
    from scenewright.workflow.transact import sqlite_url

    state, limits = runtime.state, runtime.config.workflow
    state.open_for_writing()
    name = f"scenewright-{hashlib.sha256(str(state.project.root).encode()).hexdigest()[:16]}"
    url = runtime.config.database or sqlite_url(state.folder / FILE)
    return Place(
        url=url,
        executor=executor,
        workflow=name,
        queue=name,
        editor_queue=f"{name}-editor",
        queues={name: limits.max_concurrent_runs, f"{name}-editor": limits.runs_per_editor},
        liveness=LockFiles(state.folder / "workers", executor),
    )
