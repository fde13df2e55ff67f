"""A run's slot among those that are carried out at once: given up while it waits for a person, and taken again.

DBOS counts what is under way in a queue. So a run that waits moves to a queue without a limit, and moves back once
there is room. None of this is on record: a second pass through a run does it again, and comes to the same.
"""

from __future__ import annotations

import sqlalchemy

from scenewright.core.config import WorkflowLimits
from scenewright.workflow.dbos_setup import database
from scenewright.workflow.dbos_tables import execute
from scenewright.workflow.run_storage import WAITING, RunStorage

__all__ = ["Slots"]

_LEAVE = (
    "UPDATE {}workflow_status SET queue_name = queue_name || :waiting"
    " WHERE workflow_uuid = :run AND status = 'PENDING' AND queue_name IN (:queue, :editor)"
)
_WHERE = "SELECT queue_name FROM {}workflow_status WHERE workflow_uuid = :run"
_UNDER_WAY = "SELECT count(*) FROM {}workflow_status WHERE queue_name = :home AND status = 'PENDING'"
_RETURN = "UPDATE {}workflow_status SET queue_name = :home WHERE workflow_uuid = :run AND queue_name = :away"
# A server that is taking runs from the queue is done with that first; SQLite has one writer at a time anyway.
_ALONE = "SELECT pg_advisory_xact_lock(hashtext(:home))"
_STILL = "SELECT 1 FROM {}workflow_status WHERE queue_name = :home AND status = 'ENQUEUED' FOR UPDATE"


class Slots:
    """The slots of a project's queues. Every method blocks."""

    passing = sqlalchemy.exc.SQLAlchemyError  # what is no reason to give a run up

    def __init__(self, storage: RunStorage, limits: WorkflowLimits) -> None:
        self._storage = storage
        self._limits = {storage.queue: limits.max_concurrent_runs, storage.editor_queue: limits.runs_per_editor}

    def give_up(self, run_id: str) -> None:
        """Let another run have the slot of this one."""
        queues = {"queue": self._storage.queue, "editor": self._storage.editor_queue}
        with database().begin() as connection:
            execute(connection, _LEAVE, run=run_id, waiting=WAITING, **queues)

    def take(self, run_id: str) -> bool:
        """Return whether the run has a slot now: the one it had never given up, or a free one."""
        with database().begin() as connection:
            away = str(execute(connection, _WHERE, run=run_id).scalar())
            home = away.removesuffix(WAITING)
            if home == away or home not in self._limits:
                return True
            if connection.dialect.name == "postgresql":
                execute(connection, _ALONE, home=home)
                execute(connection, _STILL, home=home)
            if int(execute(connection, _UNDER_WAY, home=home).scalar_one()) >= self._limits[home]:
                return False
            execute(connection, _RETURN, run=run_id, home=home, away=away)
            return True
