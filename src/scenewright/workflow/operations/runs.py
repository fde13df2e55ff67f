"""`workflow.run`, `.status`, `.cancel` and `.list`, as the Gox MCP contract has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import anyio
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.workflow.engines import engine_of
from scenewright.workflow.operations.snapshots import EXAMPLE, RUN_ID, RunSnapshot, fields_of, snapshot_of, step_of

if TYPE_CHECKING:
    from scenewright.workflow.engine import WorkflowEngine
    from scenewright.workflow.store import RunRecord, WorkflowStore

__all__ = ["OPERATIONS"]

MAX_WAIT_MS = 300_000
LOOK_SECONDS = 0.25
# The whole schema is long, and most plans need none of the rest; the resource has it.
SHAPE = (
    "{id, steps: [{actionId, input?, id?, timeoutMs?, retry?: {maxAttempts, backoffMs}, when?: {stepId, path?,"
    " equals}, expect?, forEach?, allowFailure?} or {parallel: [steps]}], onFailure?: stop|rollback}. An input may hold"
    ' {"$from": stepId, "path"?}. JSON Schema: scenewright://schemas/workflow'
)


class RunInputs(Inputs, frozen=True, kw_only=True):
    definition: Annotated[dict[str, Any], about(SHAPE)]
    actor: Annotated[str, about("Who is asking, for the records.", max_length=200)] | None = None
    correlation_id: Annotated[str, about("An id to trace all its calls by.", max_length=200)] | None = None
    approved: Annotated[bool, about("Whether its steps are approved; counts where the policy says so.")] = False
    wait_ms: Annotated[
        int, about("Wait this long for it to end or to need a person before answering.", ge=0, le=MAX_WAIT_MS)
    ] = 0


@operation(
    id="workflow.run",
    name="Run Workflow",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    contract="gox-workflow",
    is_about_runs=True,
    runs_others=True,
    timeout=MAX_WAIT_MS / 1000 + 60,
    stands_alone=True,
    examples=(Example("One step", {"definition": {"id": "greet", "steps": [{"actionId": "core.ping"}]}}, EXAMPLE),),
)
async def run(call: Call, inputs: RunInputs) -> RunSnapshot:
    """Starts a workflow and returns at once; workflow.status tells how it goes. It goes on after a crash."""
    from scenewright.workflow.acceptance import accepted
    from scenewright.workflow.definition_checks import check_definition, read_definition
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
        return snapshot_of(fresh)
    return snapshot_of(await _await_run(call, engine, store, fresh.run_id, inputs.wait_ms, until_asked=True))


class StatusQuery(Inputs, frozen=True, kw_only=True):
    run_id: RUN_ID
    steps: Annotated[bool, about("Also how each step ended.")] = False
    outputs: Annotated[bool, about("Also what each step returned.")] = False
    wait_ms: Annotated[int, about("Wait this long for it to end before answering.", ge=0, le=MAX_WAIT_MS)] = 0


@operation(
    id="workflow.status",
    category="workflow",
    safety=Safety.READ_ONLY,
    contract="gox-workflow",
    is_about_runs=True,
    timeout=MAX_WAIT_MS / 1000 + 60,
    examples=(Example("A run", {"runId": EXAMPLE["runId"]}, EXAMPLE),),
)
async def status(call: Call, inputs: StatusQuery) -> RunSnapshot:
    """Returns a run's state."""
    engine = engine_of(call.runtime)
    store = await engine.started()
    record = await _await_run(call, engine, store, inputs.run_id, inputs.wait_ms)
    if not (inputs.steps or inputs.outputs):
        return snapshot_of(record)
    made = await anyio.to_thread.run_sync(store.steps, record.run_id)
    return RunSnapshot(**fields_of(record), steps=[step_of(each, with_output=inputs.outputs) for each in made])


class RunQuery(Inputs, frozen=True, kw_only=True):
    run_id: RUN_ID


class Cancelled(RunSnapshot, frozen=True, kw_only=True):
    acknowledged: Annotated[bool, about("Whether the run was still going and will stop.")]


@operation(
    id="workflow.cancel",
    name="Cancel Workflow",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    contract="gox-workflow",
    is_about_runs=True,
    idempotent=True,
    stands_alone=True,
    examples=(
        Example("A run", {"runId": EXAMPLE["runId"]}, EXAMPLE | {"cancelRequested": True, "acknowledged": True}),
    ),
)
async def cancel(call: Call, inputs: RunQuery) -> Cancelled:
    """Stops a run; a step under way is abandoned unless it is already being written."""
    engine = engine_of(call.runtime)
    store = await engine.started()
    before = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    if not before.is_over and not call.dry_run:
        await anyio.to_thread.run_sync(store.request_cancel, inputs.run_id)
        engine.cancel_here(inputs.run_id)
    record = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    if before.phase == "queued" and record.status == "canceled":
        engine.note(record)
    return Cancelled(**fields_of(record), acknowledged=not before.is_over)


class ListQuery(Inputs, frozen=True, kw_only=True):
    limit: Annotated[int, about("Runs per page.", ge=1, le=100)] = 20
    offset: Annotated[int, about("Runs to skip.", ge=0)] = 0
    cursor: Annotated[str, about("nextCursor of the page before.")] | None = None


class Runs(Outputs, frozen=True, kw_only=True):
    runs: Annotated[list[RunSnapshot], about("Newest first.")]
    next_offset: Annotated[int, about("Where the next page starts; absent on the last.")] | None = None
    next_cursor: Annotated[str, about("For the next page; absent on the last.")] | None = None


@operation(
    id="workflow.list",
    name="List Workflow Runs",
    category="workflow",
    safety=Safety.READ_ONLY,
    contract="gox-workflow",
    contract_only=frozenset(("cursor", "nextCursor")),
    is_about_runs=True,
    examples=(Example("The last one", {"limit": 1}, {"runs": [EXAMPLE], "nextOffset": 1}),),
)
async def list_runs(call: Call, inputs: ListQuery) -> Runs:
    """Lists the runs, newest first."""
    store = await engine_of(call.runtime).started()
    offset = inputs.offset if inputs.cursor is None else _offset(inputs.cursor)
    runs = await anyio.to_thread.run_sync(lambda: store.newest(limit=inputs.limit + 1, offset=offset))
    page = runs[: inputs.limit]
    following = offset + len(page) if len(runs) > len(page) else None
    return Runs(
        runs=[snapshot_of(each) for each in page],
        next_offset=following,
        next_cursor=None if following is None else str(following),
    )


OPERATIONS = (run, status, cancel, list_runs)


async def _await_run(
    call: Call, engine: WorkflowEngine, store: WorkflowStore, run_id: str, wait_ms: int, *, until_asked: bool = False
) -> RunRecord:
    """Return a run as it stands, or as it stands when it ends within the time; the client hears of every step.

    `until_asked` ends the wait also where the run waits for a person, whom only this caller can send for.
    """
    deadline = anyio.current_time() + wait_ms / 1000
    reported = -1
    while True:
        news = engine.news
        record = await anyio.to_thread.run_sync(store.find, run_id)
        if record.completed > reported and wait_ms:
            reported = record.completed
            await call.progress(reported, record.total, f"{reported} of {record.total} steps")
        left = deadline - anyio.current_time()
        if record.is_over or left <= 0 or (until_asked and record.waiting_for is not None):
            return record
        # A run that another process carries out brings no news.
        with anyio.move_on_after(min(LOOK_SECONDS, left)):
            await news.wait()


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal() or len(cursor) > 9:
        raise Invalid(
            "'cursor' must be the nextCursor of another page.",
            path="input.cursor",
            rule="format",
            hint="Leave it out for the first page.",
        )
    return int(cursor)
