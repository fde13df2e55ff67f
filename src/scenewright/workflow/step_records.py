"""The records of runs' steps: a table of ours beside DBOS's, dropped row by row with the runs that they belong to.

DBOS makes two transactions of each of its own steps, which more than doubles what a run takes. Here a record is
written together with those of other runs (`step_batches`), and a run that goes on after a crash reads all of its
records at once. The record and the proof that the run is still this process's are one transaction, so a process that
was taken for dead and comes back can record nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy
from dbos import error

from scenewright.workflow.dbos_tables import execute

__all__ = ["RunRecords", "StepRecord", "insert_step", "look_up_run", "make_table", "read_steps"]

_TABLE = """
CREATE TABLE IF NOT EXISTS {0}scenewright_steps (
    run_id TEXT NOT NULL REFERENCES {0}workflow_status (workflow_uuid) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    record TEXT NOT NULL,
    began_ms BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL,
    PRIMARY KEY (run_id, number)
)"""
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('scenewright_steps'))"
_OWNER = (
    "SELECT owner_xid FROM {}workflow_status"
    " WHERE workflow_uuid = :run AND executor_id = :executor AND status = 'PENDING'"
)
_INSERT = (
    "INSERT INTO {0}scenewright_steps (run_id, number, name, record, began_ms, ended_ms)"
    " SELECT workflow_uuid, :number, :name, :record, :began, :ended FROM {0}workflow_status"
    " WHERE workflow_uuid = :run AND owner_xid = :owner AND status = 'PENDING'"
)
# The run cannot be given to another process between the look at its owner and the end of the transaction.
_HOLD = " FOR NO KEY UPDATE"
_ONCE = " ON CONFLICT DO NOTHING"
_STEPS = "SELECT number, name, record FROM {}scenewright_steps WHERE run_id = :run ORDER BY number"
_SAME = (
    "SELECT 1 FROM {}scenewright_steps WHERE run_id = :run AND number = :number AND name = :name"
    " AND record = :record AND began_ms = :began AND ended_ms = :ended"
)


@dataclass(frozen=True, slots=True)
class RunRecords:
    """What is on record of a run, and the token of the process that carries it out."""

    owner: str
    steps: dict[int, tuple[str, Any]]  # by number: the name of the step and its record


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """What is to be recorded of a step that was done."""

    run_id: str
    owner: str
    number: int
    name: str
    made: str  # JSON
    began_ms: int
    ended_ms: int


def make_table(engine: sqlalchemy.Engine) -> None:
    """Make the table where it is not there yet."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            execute(connection, _ALONE)
        execute(connection, _TABLE)


def look_up_run(connection: sqlalchemy.Connection, run_id: str, executor: str) -> RunRecords:
    """Return what is on record of a run that was given to this process.

    Raises:
        DBOSWorkflowConflictIDError: the run is no longer this process's.
    """
    owner = execute(connection, _OWNER, run=run_id, executor=executor).scalar()
    if owner is None:
        raise error.DBOSWorkflowConflictIDError(run_id)
    rows = execute(connection, _STEPS, run=run_id)
    return RunRecords(str(owner), {row.number: (row.name, msgspec.json.decode(row.record)) for row in rows})


def insert_step(connection: sqlalchemy.Connection, record: StepRecord) -> None:
    """Record a step in a transaction that may record others; the same record twice is one.

    Raises:
        DBOSWorkflowConflictIDError: the run is no longer this process's.
    """
    values = {
        "run": record.run_id,
        "number": record.number,
        "name": record.name,
        "record": record.made,
        "began": record.began_ms,
        "ended": record.ended_ms,
    }
    hold = "" if connection.dialect.name == "sqlite" else _HOLD
    if execute(connection, _INSERT + hold + _ONCE, owner=record.owner, **values).rowcount:
        return
    if execute(connection, _SAME, **values).first() is None:
        raise error.DBOSWorkflowConflictIDError(record.run_id)


def read_steps(engine: sqlalchemy.Engine, run_id: str) -> list[Any]:
    """Return the records of a run's steps, in the order in which they began."""
    with engine.connect() as connection:
        return [msgspec.json.decode(row.record) for row in execute(connection, _STEPS, run=run_id)]
