"""What we use of DBOS that is not public. No other module may; a test pins every name.

Each is here because the public way would cost a promise of ours:

- `DBOS.run_step_async` makes two transactions of every step. With it, runs on PostgreSQL took 1.54 times as long as
  with DBOS alone, and 1.5 is the most that `make bench` allows; recorded together, 1.14 times (on SQLite 1.18 and
  0.86). So steps of new runs are recorded by `reserve_position`, `transaction`, `insert_step` and `insert_step_alone`.
  It is still DBOS that writes the row and makes sure that the run is this process's.
- `DBOS.resume_workflows` forgets how often a run was begun, so that a run that kills its process would do so for ever;
  and it does not ask whose the run is, so that two servers could both carry it out. `recover_runs` does neither.
- DBOS unpickles whatever claims to be a pickle, whichever serializer it is given: a row in the database could run any
  code. `refuse_pickles` puts an end to that.
- `DBOS.destroy` ends its event loop before the threads that look for runs, and one of them could still take a run that
  nobody then carries out. `stop_taking_runs` ends them first.
"""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbos import DBOS, Serializer, _serialization
from dbos._context import snapshot_step_context

if TYPE_CHECKING:
    import sqlalchemy
    from dbos._sys_db import OperationResultInternal

__all__ = [
    "StepPosition",
    "StepRecord",
    "insert_step",
    "insert_step_alone",
    "recover_runs",
    "refuse_pickles",
    "reserve_position",
    "stop_taking_runs",
    "transaction",
]


@dataclass(frozen=True, slots=True)
class StepPosition:
    """A step's place among the records of its run, and the token of the process that the run is given to."""

    run_id: str
    number: int
    owner: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """What is recorded of a step that was done."""

    position: StepPosition
    name: str
    output: str
    serialization: str
    began_ms: int
    ended_ms: int


def reserve_position() -> StepPosition:
    """Return the position of the next step of the run that the caller carries out."""
    context = snapshot_step_context()
    assert context is not None
    return StepPosition(context.workflow_id, context.function_id, context.owner_xid)


def transaction(dbos: DBOS) -> AbstractContextManager[sqlalchemy.Connection]:
    """Begin a transaction in which `insert_step` may be called."""
    return dbos._sys_db.engine.begin()


def insert_step(dbos: DBOS, record: StepRecord, connection: sqlalchemy.Connection) -> None:
    """Record a step in a transaction that may record others.

    Raises:
        DBOSWorkflowConflictIDError: the run is no longer this process's.
    """
    owner = record.position.owner
    dbos._sys_db._record_operation_result_txn(_row(record), record.ended_ms, connection, owner_xid=owner)


def insert_step_alone(dbos: DBOS, record: StepRecord) -> None:
    """Record a step in a transaction of its own; wait for the database where it is away.

    Raises:
        DBOSWorkflowConflictIDError: the run is no longer this process's.
    """
    owner = record.position.owner
    dbos._sys_db.record_operation_result(_row(record), completed_at_epoch_ms=record.ended_ms, owner_xid=owner)


def recover_runs(executor: str) -> None:
    """Put the runs of a process that is dead back into their queues."""
    DBOS._recover_pending_workflows([executor])


def stop_taking_runs(dbos: DBOS, seconds: float) -> None:
    """End the threads that look for runs, or wait so long for them."""
    for stop in dbos.background_thread_stop_events:
        stop.set()
    until = time.monotonic() + seconds
    while (workers := _queue_workers()) and (left := until - time.monotonic()) > 0:
        for worker in workers:
            if worker.is_alive():
                worker.join(left)
            else:  # about to start, and cannot be waited for yet
                time.sleep(0.001)


def _queue_workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("queue-worker-")]


def refuse_pickles(serializer: Serializer) -> None:
    """Make DBOS fail to read what claims to be a pickle, and write with this serializer where it would pickle."""
    _serialization.DBOSDefaultSerializer = _PickleRefusal(serializer)


class _PickleRefusal(Serializer):
    """Stands in for DBOS's pickling serializer, under its name."""

    def __init__(self, serializer: Serializer) -> None:
        self._serializer = serializer

    def serialize(self, data: Any) -> str:
        return self._serializer.serialize(data)

    def deserialize(self, serialized_data: str) -> Any:
        del serialized_data
        raise ValueError("a pickled record is not read")

    def name(self) -> str:
        return "py_pickle"


def _row(record: StepRecord) -> OperationResultInternal:
    return {
        "workflow_uuid": record.position.run_id,
        "function_id": record.position.number,
        "function_name": record.name,
        "output": record.output,
        "error": None,
        "serialization": record.serialization,
        "started_at_epoch_ms": record.began_ms,
        "child_workflow_id": None,
    }
