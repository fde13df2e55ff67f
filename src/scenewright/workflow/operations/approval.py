"""`workflow.approve` and `workflow.reject`: a person's answer to a step that a run waits at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.workflow.engines import engine_of

if TYPE_CHECKING:
    from scenewright.workflow.store import WorkflowStore

__all__ = ["OPERATIONS"]

_RUN = "wf-19a8f7c3b21-0c5e1f9a3d"


class ApprovalInputs(Inputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id.", min_length=1)]
    step_id: Annotated[str, about("The step to answer; the one it waits at if left out.")] | None = None


class RejectionInputs(ApprovalInputs, frozen=True, kw_only=True):
    reason: Annotated[str, about("Why, for whoever reads the run's error.", max_length=500)] | None = None


class Answered(Outputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The run's id.")]
    step_id: Annotated[str, about("The step that was answered.")]
    decision: Annotated[str, about("approve or reject.")]


@operation(
    id="workflow.approve",
    name="Approve Workflow Step",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    manager="workflow_manager",
    action="approve",
    stands_alone=True,
    notes="The answer is a person's: they are asked about the step with its inputs, whoever makes this call.",
    examples=(Example("A step", {"runId": _RUN}, {"runId": _RUN, "stepId": "clean", "decision": "approve"}),),
)
async def approve(call: Call, inputs: ApprovalInputs) -> Answered:
    """Lets a waiting run go on with the step it waits at; needs a person, like the step itself."""
    from scenewright.workflow.acceptance import require_approval

    store = await engine_of(call.runtime).started()
    waiting = await _waiting_step(store, inputs)
    if not call.dry_run:
        await require_approval(call, store, inputs.run_id, waiting)
    return await _answer(call, store, inputs.run_id, {"decision": "approve", "stepId": waiting})


@operation(
    id="workflow.reject",
    name="Reject Workflow Step",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    manager="workflow_manager",
    action="reject",
    stands_alone=True,
    examples=(Example("A step", {"runId": _RUN}, {"runId": _RUN, "stepId": "clean", "decision": "reject"}),),
)
async def reject(call: Call, inputs: RejectionInputs) -> Answered:
    """Ends a waiting run as denied, at the step it waits at."""
    store = await engine_of(call.runtime).started()
    waiting = await _waiting_step(store, inputs)
    return await _answer(call, store, inputs.run_id, {"decision": "reject", "stepId": waiting, "reason": inputs.reason})


OPERATIONS = (approve, reject)


async def _waiting_step(store: WorkflowStore, inputs: ApprovalInputs) -> str:
    """Return the step that a run waits at."""
    run = await anyio.to_thread.run_sync(store.find, inputs.run_id)
    waiting = run.waiting_for
    if waiting is None or inputs.step_id not in (None, waiting):
        what = f"it waits at '{waiting}'" if waiting else f"its status is {run.status}"
        raise Conflict(
            f"The run does not wait at {f'step {inputs.step_id!r}' if inputs.step_id else 'any step'}: {what}.",
            hint="workflow.status shows what a run waits for.",
            retryable=False,
        )
    return waiting


async def _answer(call: Call, store: WorkflowStore, run_id: str, answer: dict[str, Any]) -> Answered:
    step_id, decision = answer.pop("stepId"), answer["decision"]
    if not call.dry_run:
        message = {"reason": None, **answer, "actor": call.meta.actor}
        await anyio.to_thread.run_sync(store.answer, run_id, step_id, message)
    call.summary = f"Step '{step_id}' was {'approved' if decision == 'approve' else 'rejected'}."
    return Answered(run_id=run_id, step_id=step_id, decision=decision)
