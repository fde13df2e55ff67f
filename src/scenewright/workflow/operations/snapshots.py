"""A run as it is shown: the snapshot of the Gox MCP contract, and what we add to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from scenewright.core.operations.model import Outputs, Record, about

if TYPE_CHECKING:
    from scenewright.workflow.store import RunRecord

__all__ = ["EXAMPLE", "RUN_ID", "RunSnapshot", "fields_of", "snapshot_of", "step_of"]

RUN_ID = Annotated[str, about("The run's id.", min_length=1)]
EXAMPLE = {
    "runId": "wf-19a8f7c3b21-0c5e1f9a3d",
    "workflowId": "greet",
    "correlationId": "5b0c…",
    "status": "running",
    "startedAt": "2026-01-01T12:00:00.000Z",
    "endedAt": None,
    "totalSteps": 1,
    "completedSteps": 0,
    "cancelRequested": False,
}


class LastError(Record, frozen=True, kw_only=True):
    code: Annotated[str, about("VALIDATION_ERROR, NOT_FOUND, ACCESS_DENIED, UNIMPLEMENTED or INTERNAL_ERROR.")]
    message: Annotated[str, about("What went wrong.")]
    step_id: Annotated[str, about("In which step.")] | None = None
    hint: Annotated[str, about("What to do about it.")] | None = None


class StepState(Record, frozen=True, kw_only=True):
    id: Annotated[str, about("The step.")]
    action_id: Annotated[str, about("What it calls.")]
    status: Annotated[
        str, about("succeeded, skipped, failed, canceled, interrupted; undone or standing if rolled back.")
    ]
    attempts: Annotated[int, about("How often it was tried.")] | None = None
    diff_summary: Annotated[str, about("How much it changed.")] | None = None
    history_entries: Annotated[list[int], about("The changes it made, for history.")] | None = None
    error: Annotated[LastError, about("Why it failed.")] | None = None
    output: Annotated[Any, about("What it returned.")] = None


class RolledBack(Record, frozen=True, kw_only=True):
    undone: Annotated[list[str], about("Steps that were taken back.")]
    standing: Annotated[list[str], about("Steps that could not be.")]


class RunSnapshot(Outputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id.")]
    workflow_id: Annotated[str, about("The definition's id.")]
    correlation_id: Annotated[str, about("The correlation id of all its calls.")]
    status: Annotated[
        Literal["running", "succeeded", "failed", "canceled", "interrupted"],
        about("State; interrupted where a step may or may not have been carried out."),
    ]
    started_at: Annotated[str, about("When it was accepted.")]
    ended_at: Annotated[str | None, about("When it ended, or null.")]
    total_steps: Annotated[int, about("Steps in the definition.")]
    completed_steps: Annotated[int, about("Steps that are done or were skipped.")]
    cancel_requested: Annotated[bool, about("Whether it was asked to stop.")]
    last_error: Annotated[LastError, about("Why it did not succeed.")] | None = None
    phase: Annotated[Literal["queued", "executing", "waiting"], about("Phase, while it runs.")] | None = None
    waiting_for: Annotated[str, about("The step that a person must approve or reject.")] | None = None
    dry_run: Annotated[bool, about("Whether it is a dry run.")] = False
    diff: Annotated[dict[str, Any], about("Of a dry run: summary and entries of all that it would change.")] | None = (
        None
    )
    rollback: Annotated[RolledBack, about("What was taken back after a failure.")] | None = None
    steps: Annotated[list[StepState], about("How each step ended, if asked for.")] | None = None


def fields_of(run: RunRecord) -> dict[str, Any]:
    """Return the fields of a snapshot."""
    back = run.ending.get("rollback")
    return {
        "run_id": run.run_id,
        "workflow_id": run.workflow_id,
        "correlation_id": run.correlation_id,
        "status": run.status,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "total_steps": run.total,
        "completed_steps": run.completed,
        "cancel_requested": run.cancel_requested,
        "phase": run.phase,
        "waiting_for": run.waiting_for,
        "dry_run": run.dry_run,
        "diff": run.ending.get("diff"),
        "last_error": _error(run.ending.get("lastError")),
        "rollback": None if back is None else RolledBack(undone=back["undone"], standing=back["standing"]),
    }


def _error(error: dict[str, Any] | None) -> LastError | None:
    if error is None:
        return None
    return LastError(code=error["code"], message=error["message"], step_id=error.get("stepId"), hint=error.get("hint"))


def step_of(made: dict[str, Any], *, with_output: bool) -> StepState:
    """Return how a step ended, by its record."""
    return StepState(
        id=made["id"],
        action_id=made["actionId"],
        status=made["status"],
        attempts=made.get("attempts"),
        diff_summary=made.get("diff"),
        history_entries=made.get("entries"),
        error=_error(made.get("error")),
        output=made.get("output") if with_output else None,
    )


def snapshot_of(run: RunRecord) -> RunSnapshot:
    """Return a run as it stands."""
    return RunSnapshot(**fields_of(run))
