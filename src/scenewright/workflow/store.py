"""The records of runs, as DBOS keeps them. Every method blocks and belongs into a worker thread."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from scenewright.core.faults import Denied, NotFound
from scenewright.core.text.counts import count_noun
from scenewright.workflow.plan import RunPlan
from scenewright.workflow.records import DONE, Line
from scenewright.workflow.run_storage import WAITING, RunStorage

if TYPE_CHECKING:
    from dbos import WorkflowStatus

    from scenewright.core.config import WorkflowLimits

__all__ = ["RunRecord", "WorkflowStore", "new_run", "started_at", "topic"]

_OPEN = ("ENQUEUED", "PENDING", "DELAYED")
_CLOSED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
PRUNED_AT_ONCE = 500


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One run, as it stands."""

    run_id: str
    workflow_id: str
    correlation_id: str
    status: str
    started_at: str
    ended_at: str | None
    total: int
    completed: int
    cancel_requested: bool
    dry_run: bool = False
    phase: str | None = None
    actor: str | None = None
    waiting_for: str | None = None
    ending: dict[str, Any] = {}

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None


def new_run(plan: RunPlan, total: int, run_id: str | None = None) -> RunRecord:
    """Return a run that is about to be taken in."""
    run_id = run_id or f"wf-{time.time_ns() // 1_000_000:x}-{secrets.token_hex(5)}"
    return RunRecord(
        run_id=run_id,
        workflow_id=plan.definition.id,
        correlation_id=plan.correlation_id,
        status="running",
        started_at=started_at(run_id),
        ended_at=None,
        total=total,
        completed=0,
        cancel_requested=False,
        dry_run=plan.dry_run,
        phase="queued",
        actor=plan.actor,
    )


class WorkflowStore:
    """The runs of one project."""

    def __init__(self, storage: RunStorage, limits: WorkflowLimits) -> None:
        from scenewright.workflow.dbos_setup import DBOS, RECORD_VERSION

        self._dbos = DBOS
        self._version = RECORD_VERSION
        self._storage = storage
        self._limits = limits

    def check_room(self) -> None:
        """Raise Denied where too many runs are under way or waiting already."""
        limits = self._limits
        room = limits.max_concurrent_runs + limits.max_queued_runs
        if self.count_open(room) >= room:
            raise Denied(
                f"{count_noun(room, 'workflow run')} under way or waiting; no more are accepted.",
                hint="Wait for some to end, or raise GOX_WORKFLOW_MAX_CONCURRENT_RUNS or"
                " SCENEWRIGHT_WORKFLOW_MAX_QUEUED_RUNS.",
            )

    def submit(self, run: RunRecord, plan: RunPlan, *, uses_editor: bool) -> None:
        """Put a run into the queue; the same run twice is one."""
        about = {
            "workflowId": run.workflow_id,
            "correlationId": run.correlation_id,
            "total": run.total,
            "actor": run.actor,
            "dryRun": run.dry_run,
        }
        self._dbos.enqueue_workflow_with_options(
            {
                "workflow_name": self._storage.workflow,
                "queue_name": self._storage.editor_queue if uses_editor else self._storage.queue,
                "workflow_id": run.run_id,
                "app_version": self._version,
                "attributes": about,
            },
            msgspec.to_builtins(plan),
        )

    def find(self, run_id: str) -> RunRecord:
        """Return the record of a run.

        Raises:
            NotFound: there is none with this id.
        """
        statuses = self._list(workflow_ids=[run_id], load_output=True)
        if not statuses:
            raise NotFound(f"There is no workflow run '{run_id[:100]}'.", hint="workflow.list shows all runs.")
        return self._record(statuses[0])

    def plan(self, run_id: str) -> RunPlan:
        """Return what a run was started with."""
        status = self._list(workflow_ids=[run_id], load_input=True)[0]
        return msgspec.convert(status.input["args"][0] if status.input else None, RunPlan)

    def newest(self, *, limit: int, offset: int) -> list[RunRecord]:
        """Return runs, newest first."""
        # By their ids, which begin with the moment: SQLite's clock in older Pythons knows only whole seconds.
        page = sorted((each.workflow_id for each in self._list()), reverse=True)[offset : offset + limit]
        statuses = self._list(workflow_ids=page, load_output=True) if page else []
        return [self._record(each) for each in sorted(statuses, key=lambda each: each.workflow_id, reverse=True)]

    def steps(self, run_id: str) -> list[dict[str, Any]]:
        """Return the records of a run's steps, in the order in which they began."""
        from scenewright.workflow import dbos_setup

        made = [each for each in dbos_setup.read_steps(run_id) if isinstance(each, dict) and "status" in each]
        return [part for each in made for part in each.get("parts", [each])]

    def logs(self, run_id: str) -> list[Line]:
        return [entry for step in self.steps(run_id) for entry in step["logs"]]

    def request_cancel(self, run_id: str) -> None:
        """Ask for a run to be stopped; one that nobody has begun yet is stopped at once."""
        self._dbos.update_workflow_attributes(run_id, {"cancel": True}, merge=True)
        status = self._list(workflow_ids=[run_id])[0]
        if status.status in ("ENQUEUED", "DELAYED"):
            self._dbos.cancel_workflow(run_id)
        elif waiting := (status.attributes or {}).get("waiting"):
            self.answer(run_id, waiting, {"decision": "cancel"})

    def answer(self, run_id: str, step_id: str, answer: dict[str, Any]) -> None:
        """Tell a run what a person says to a step that it waits for."""
        self._dbos.send(run_id, answer, topic(step_id))

    # Schedules

    def schedule(self, name: str, cron: str, timezone: str | None, context: dict[str, Any]) -> None:
        """Make or replace a schedule.

        Raises:
            ValueError: the times or the time zone cannot be understood.
        """
        from scenewright.workflow import dbos_setup

        dbos_setup.schedule(self._storage, name, cron, timezone, context)

    def schedules(self) -> list[dict[str, Any]]:
        from scenewright.workflow.dbos_setup import scheduled_as

        prefix = scheduled_as(self._storage, "")
        stored = self._dbos.list_schedules(schedule_name_prefix=prefix)
        rows = [
            {
                "name": each["schedule_name"].removeprefix(prefix),
                "cron": each["schedule"],
                "workflowId": each["context"]["plan"]["definition"]["id"],
                "timezone": each["cron_timezone"],
                "lastFiredAt": each["last_fired_at"],
            }
            for each in stored
        ]
        return sorted(rows, key=lambda row: str(row["name"]))

    def unschedule(self, name: str) -> None:
        from scenewright.workflow.dbos_setup import scheduled_as

        self._dbos.delete_schedule(scheduled_as(self._storage, name))

    # For the keeper

    def count_open(self, most: int) -> int:
        """Return how many runs are under way or waiting, up to a number."""
        from scenewright.workflow import dbos_setup

        return dbos_setup.count_open(self._storage, most)

    def cancelled_among(self, run_ids: Iterable[str]) -> dict[str, str | None]:
        """Return those of some runs that were asked to stop, each with the step that it waits at."""
        wanted = list(run_ids)
        statuses = self._list(workflow_ids=wanted) if wanted else []
        about = {each.workflow_id: each.attributes or {} for each in statuses}
        return {run_id: each.get("waiting") for run_id, each in about.items() if each.get("cancel")}

    def other_owners(self) -> set[str]:
        """Return the other processes that have runs under way."""
        owners = {each.executor_id for each in self._list(status="PENDING")}
        return {owner for owner in owners if owner is not None and owner != self._storage.executor}

    def hand_over(self, executor: str) -> None:
        """Put the runs of a dead process back into the queue."""
        from scenewright.workflow import dbos_setup

        dbos_setup.put_back_runs(executor)

    def prune(self) -> None:
        """Drop ended runs that are too old, or too many."""
        before = datetime.fromtimestamp(time.time() - self._limits.retention_ttl, UTC).isoformat()
        old = self._list(status=_CLOSED, completed_before=before, limit=PRUNED_AT_ONCE)
        many = self._list(status=_CLOSED, offset=self._limits.retention_runs, limit=PRUNED_AT_ONCE, sort_desc=True)
        if dropped := sorted({each.workflow_id for each in (*old, *many)}):
            self._dbos.delete_workflows(dropped)

    def _list(self, **criteria: Any) -> list[WorkflowStatus]:
        options = {"load_input": False, "load_output": False} | criteria
        return self._dbos.list_workflows(name=self._storage.workflow, **options)

    def _record(self, row: WorkflowStatus) -> RunRecord:
        about = row.attributes or {}
        ending = row.output if isinstance(row.output, dict) else {}
        over = row.status in _CLOSED
        status = _status(row, ending)
        completed = ending.get("completed")
        return RunRecord(
            run_id=row.workflow_id,
            workflow_id=about.get("workflowId", ""),
            correlation_id=about.get("correlationId", ""),
            status=status,
            started_at=(started := started_at(row.workflow_id)),
            ended_at=max(started, ending.get("endedAt") or _moment(row.completed_at or 0)) if over else None,
            total=about.get("total", 0),
            completed=self._completed(row.workflow_id) if completed is None else completed,
            cancel_requested=bool(about.get("cancel")),
            dry_run=bool(about.get("dryRun")),
            phase=None if over else _phase(row),
            actor=about.get("actor"),
            waiting_for=None if over else about.get("waiting"),
            ending=ending or _unfinished(row),
        )

    def _completed(self, run_id: str) -> int:
        return len({step["id"] for step in self.steps(run_id) if step["status"] in DONE})


def started_at(run_id: str) -> str:
    """Return when a run was taken in, which its id begins with."""
    return _moment(int(run_id.split("-")[1], 16))


def topic(step_id: str) -> str:
    return f"approval: {step_id}"


def _phase(row: WorkflowStatus) -> str:
    if row.status != "PENDING":
        return "queued"
    if (row.attributes or {}).get("waiting"):
        return "waiting"
    return "queued" if str(row.queue_name).endswith(WAITING) else "executing"  # answered, and not yet its turn again


def _status(row: WorkflowStatus, ending: dict[str, Any]) -> str:
    if row.status in _OPEN:
        return "running"
    if row.status == "CANCELLED":
        return "canceled"
    return str(ending.get("status", "interrupted"))


def _unfinished(row: WorkflowStatus) -> dict[str, Any]:
    """Return how a run ended that could not say so itself."""
    if row.status == "MAX_RECOVERY_ATTEMPTS_EXCEEDED":
        message = "The run was begun too often by processes that died; it may be what kills them."
    elif row.status == "ERROR":
        message = f"The engine failed: {row.error}"
    else:
        return {}
    return {"lastError": {"code": "INTERNAL_ERROR", "message": message, "kind": "interrupted"}}


def _moment(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
