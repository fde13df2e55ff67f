"""`workflow.run`, `.status`, `.cancel`, `.list` and `.logs`, as seed 001 has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio
import anyio.to_thread

from scenewright.core.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.model import Inputs, Outputs, Record, about
from scenewright.core.operation import Example, Safety, operation
from scenewright.workflow.engines import engine_of

if TYPE_CHECKING:
    from scenewright.workflow.engine import Engine
    from scenewright.workflow.store import RunRecord, Store

__all__ = ["OPERATIONS"]

MAX_WAIT_MS = 300_000
LOOK_SECONDS = 0.25
# The whole schema is long, and most plans need none of the rest; the resource has it.
SHAPE = (
    "{id, steps: [{actionId, input?, id?, timeoutMs?, retry?: {maxAttempts, backoffMs}, when?: {stepId, path?,"
    " equals}, expect?, forEach?, allowFailure?} or {parallel: [steps]}], onFailure?: stop|rollback}. An input may hold"
    ' {"$from": stepId, "path"?}. JSON Schema: scenewright://schemas/workflow'
)
RUN_ID = Annotated[str, about("The run's id.", min_length=1)]
_SNAPSHOT = {
    "runId": "wf-19a8f7c3b21-0c5e1f9a3d", "workflowId": "greet", "correlationId": "5b0c…", "status": "running",
    "startedAt": "2026-01-01T12:00:00.000Z", "endedAt": None, "totalSteps": 1, "completedSteps": 0,
    "cancelRequested": False,
}  # fmt: skip


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


class Snapshot(Outputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id.")]
    workflow_id: Annotated[str, about("The definition's id.")]
    correlation_id: Annotated[str, about("The correlation id of all its calls.")]
    status: Annotated[
        Literal["running", "succeeded", "failed", "canceled", "interrupted"],
        about("How it stands; interrupted where a step may or may not have been carried out."),
    ]
    started_at: Annotated[str, about("When it was taken in.")]
    ended_at: Annotated[str | None, about("When it ended, or null.")]
    total_steps: Annotated[int, about("Steps in the definition.")]
    completed_steps: Annotated[int, about("Steps that are done or were skipped.")]
    cancel_requested: Annotated[bool, about("Whether it was asked to stop.")]
    last_error: Annotated[LastError, about("Why it did not succeed.")] | None = None
    phase: Annotated[Literal["queued", "executing", "waiting"], about("What it is at while it runs.")] | None = None
    waiting_for: Annotated[str, about("The step that a person must approve or reject.")] | None = None
    dry_run: Annotated[bool, about("Whether nothing is written.")] = False
    diff: Annotated[dict[str, Any], about("Of a dry run: summary and entries of all that it would change.")] | None = (
        None
    )
    rollback: Annotated[RolledBack, about("What was taken back after a failure.")] | None = None
    steps: Annotated[list[StepState], about("How each step ended, if asked for.")] | None = None


class RunInputs(Inputs, frozen=True, kw_only=True):
    definition: Annotated[dict[str, Any], about(SHAPE)]
    actor: Annotated[str, about("Who is asking, for the records.", max_length=200)] | None = None
    correlation_id: Annotated[str, about("An id to trace all its calls by.", max_length=200)] | None = None
    approved: Annotated[bool, about("Whether a person approved all its steps.")] = False
    wait_ms: Annotated[int, about("Wait so long for its end before answering.", ge=0, le=MAX_WAIT_MS)] = 0


@operation(
    id="workflow.run", name="Run Workflow", category="workflow", safety=Safety.SAFE_WRITE, contract="workflow",
    runs_others=True, timeout=MAX_WAIT_MS / 1000 + 60,
    examples=(
        Example("One step", {"definition": {"id": "greet", "steps": [{"actionId": "core.ping"}]}}, _SNAPSHOT),
    ),
)  # fmt: skip
async def run(call: Call, inputs: RunInputs) -> Snapshot:
    """Starts a workflow and returns at once; workflow.status tells how it goes. It goes on after a crash."""
    from scenewright.workflow.accepting import accepted
    from scenewright.workflow.checking import check_definition, read_definition
    from scenewright.workflow.editors import uses_editor
    from scenewright.workflow.store import new_run

    engine = engine_of(call.runtime)
    checked = check_definition(read_definition(inputs.definition), call)
    plan = await accepted(call, checked)
    store = await engine.started()
    await anyio.to_thread.run_sync(store.check_room)
    fresh = new_run(plan, checked.total)
    # Before anyone can begin it, so that the run log does not go back to the beginning.
    engine.note(fresh)
    await anyio.to_thread.run_sync(lambda: store.submit(fresh, plan, uses_editor=uses_editor(plan, call.runtime)))
    if not inputs.wait_ms:
        return _snapshot(fresh)
    return _snapshot(await _awaited(call, engine, store, fresh.run_id, inputs.wait_ms))


class StatusQuery(Inputs, frozen=True, kw_only=True):
    run_id: RUN_ID
    steps: Annotated[bool, about("Also how each step ended.")] = False
    outputs: Annotated[bool, about("Also what each step returned.")] = False
    wait_ms: Annotated[int, about("Wait so long for its end before answering.", ge=0, le=MAX_WAIT_MS)] = 0


@operation(
    id="workflow.status", name="Workflow Status", category="workflow", safety=Safety.READ_ONLY, contract="workflow",
    timeout=MAX_WAIT_MS / 1000 + 60,
    examples=(Example("A run", {"runId": _SNAPSHOT["runId"]}, _SNAPSHOT),),
)  # fmt: skip
async def status(call: Call, inputs: StatusQuery) -> Snapshot:
    """Tells how a run stands."""
    engine = engine_of(call.runtime)
    store = await engine.started()
    found = await _awaited(call, engine, store, inputs.run_id, inputs.wait_ms)
    if not (inputs.steps or inputs.outputs):
        return _snapshot(found)
    made = await anyio.to_thread.run_sync(store.steps, found.run_id)
    return Snapshot(**_fields(found), steps=[_step(each, with_output=inputs.outputs) for each in made])


class RunQuery(Inputs, frozen=True, kw_only=True):
    run_id: RUN_ID


class Cancelled(Snapshot, frozen=True, kw_only=True):
    acknowledged: Annotated[bool, about("Whether the run was still going and will stop.")]


@operation(
    id="workflow.cancel", name="Cancel Workflow", category="workflow", safety=Safety.SAFE_WRITE, contract="workflow",
    idempotent=True,
    examples=(
        Example("A run", {"runId": _SNAPSHOT["runId"]}, _SNAPSHOT | {"cancelRequested": True, "acknowledged": True}),
    ),
)  # fmt: skip
async def cancel(call: Call, inputs: RunQuery) -> Cancelled:
    """Stops a run: no further step begins, and one under way is given up unless it is just being written."""
    engine = engine_of(call.runtime)
    store = await engine.started()
    before = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    if not before.is_over and not call.dry_run:
        await anyio.to_thread.run_sync(store.request_cancel, inputs.run_id)
        engine.cancel_here(inputs.run_id)
    found = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    if before.phase == "queued" and found.status == "canceled":
        engine.note(found)
    return Cancelled(**_fields(found), acknowledged=not before.is_over)


class ListQuery(Inputs, frozen=True, kw_only=True):
    limit: Annotated[int, about("Runs per page.", ge=1, le=100)] = 20
    cursor: Annotated[str, about("nextCursor of the page before.")] | None = None


class Runs(Outputs, frozen=True, kw_only=True):
    runs: Annotated[list[Snapshot], about("Newest first.")]
    next_cursor: Annotated[str, about("For the next page; absent on the last.")] | None = None


@operation(
    id="workflow.list", name="List Workflow Runs", category="workflow", safety=Safety.READ_ONLY, contract="workflow",
    examples=(Example("The last one", {"limit": 1}, {"runs": [_SNAPSHOT], "nextCursor": "1"}),),
)  # fmt: skip
async def list_runs(call: Call, inputs: ListQuery) -> Runs:
    """Lists the runs there are, newest first."""
    store = await engine_of(call.runtime).started()
    offset = _offset(inputs.cursor)
    found = await anyio.to_thread.run_sync(lambda: store.newest(limit=inputs.limit + 1, offset=offset))
    page = found[: inputs.limit]
    following = str(offset + len(page)) if len(found) > len(page) else None
    return Runs(runs=[_snapshot(each) for each in page], next_cursor=following)


class LogQuery(Inputs, frozen=True, kw_only=True):
    run_id: RUN_ID
    level: Annotated[Literal["info", "warn", "error"], about("Only lines of this level.")] | None = None
    step_id: Annotated[str, about("Only lines of this step.")] | None = None
    since: Annotated[str, about("Only lines from this moment on, such as 2026-01-01T12:00:00Z.")] | None = None
    limit: Annotated[int, about("Only the last so many.", ge=1, le=1000)] | None = None


class LogLine(Record, frozen=True, kw_only=True):
    timestamp: Annotated[str, about("When.")]
    level: Annotated[str, about("info, warn or error.")]
    message: Annotated[str, about("What happened.")]
    step_id: Annotated[str, about("In which step.")] | None = None
    action_id: Annotated[str, about("What the step calls.")] | None = None


class Logs(Outputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id.")]
    logs: Annotated[list[LogLine], about("Oldest first.")]


@operation(
    id="workflow.logs", name="Workflow Logs", category="workflow", safety=Safety.READ_ONLY, contract="workflow",
    examples=(
        Example("What went wrong", {"runId": _SNAPSHOT["runId"], "level": "error"}, {
            "runId": _SNAPSHOT["runId"],
            "logs": [{"timestamp": "2026-01-01T12:00:00.100Z", "level": "error", "message": "There is no file.",
                      "stepId": "read", "actionId": "read_file"}],
        }),
    ),
)  # fmt: skip
async def logs(call: Call, inputs: LogQuery) -> Logs:
    """Shows what a run has said, filtered by level, step and time."""
    engine = engine_of(call.runtime)
    store = await engine.started()
    since = _moment(inputs.since)
    found = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    lines = await anyio.to_thread.run_sync(store.logs, found.run_id)
    lines = sorted([*lines, *engine.live_logs(found.run_id)], key=lambda each: each["timestamp"])
    wanted = [
        each for each in lines[-engine.limits.max_logs :]
        if inputs.level in (None, each["level"])
        and inputs.step_id in (None, each.get("stepId"))
        and (since is None or each["timestamp"] >= since)
    ]  # fmt: skip
    shown = wanted[-inputs.limit :] if inputs.limit else wanted
    return Logs(
        run_id=found.run_id,
        logs=[
            LogLine(
                timestamp=each["timestamp"], level=each["level"], message=each["message"],
                step_id=each.get("stepId"), action_id=each.get("actionId"),
            )
            for each in shown
        ],
    )  # fmt: skip


OPERATIONS = (run, status, cancel, list_runs, logs)


async def _awaited(call: Call, engine: Engine, store: Store, run_id: str, wait_ms: int) -> RunRecord:
    """A run as it stands, or as it stands when it ends within the time; the client hears of every step."""
    deadline = anyio.current_time() + wait_ms / 1000
    told = -1
    while True:
        news = engine.news
        found = await anyio.to_thread.run_sync(store.find, run_id)
        if found.completed > told and wait_ms:
            told = found.completed
            await call.progress(told, found.total, f"{told} of {found.total} steps")
        left = deadline - anyio.current_time()
        if found.is_over or left <= 0:
            return found
        # A run that another process carries out brings no news.
        with anyio.move_on_after(min(LOOK_SECONDS, left)):
            await news.wait()


def _fields(found: RunRecord) -> dict[str, Any]:
    back = found.ending.get("rollback")
    return {
        "run_id": found.run_id, "workflow_id": found.workflow_id, "correlation_id": found.correlation_id,
        "status": found.status, "started_at": found.started_at, "ended_at": found.ended_at,
        "total_steps": found.total, "completed_steps": found.completed, "cancel_requested": found.cancel_requested,
        "phase": found.phase, "waiting_for": found.waiting_for, "dry_run": found.dry_run,
        "diff": found.ending.get("diff"), "last_error": _error(found.ending.get("lastError")),
        "rollback": None if back is None else RolledBack(undone=back["undone"], standing=back["standing"]),
    }  # fmt: skip


def _error(error: dict[str, Any] | None) -> LastError | None:
    if error is None:
        return None
    return LastError(
        code=error["code"], message=error["message"], step_id=error.get("stepId"), hint=error.get("hint")
    )  # fmt: skip


def _step(made: dict[str, Any], *, with_output: bool) -> StepState:
    return StepState(
        id=made["id"], action_id=made["actionId"], status=made["status"], attempts=made.get("attempts"),
        diff_summary=made.get("diff"), history_entries=made.get("entries"), error=_error(made.get("error")),
        output=made.get("output") if with_output else None,
    )  # fmt: skip


def _snapshot(found: RunRecord) -> Snapshot:
    return Snapshot(**_fields(found))


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal() or len(cursor) > 9:
        raise Invalid(
            "'cursor' must be the nextCursor of another page.", path="input.cursor", rule="format",
            hint="Leave it out for the first page.",
        )  # fmt: skip
    return int(cursor)


def _moment(text: str | None) -> str | None:
    """A moment as log lines have it, so that the two can be compared as text."""
    from datetime import UTC, datetime

    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Invalid(
            f"'since' must be a moment such as 2026-01-01T12:00:00Z, not {text[:60]!r}.", path="input.since",
            rule="format",
        ) from None  # fmt: skip
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
