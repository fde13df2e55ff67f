"""How a checked definition becomes a plan: who asks, and what a person has approved or still must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault
from scenewright.core.policy.approval import ask_person, require_person
from scenewright.core.policy.approval_subject import ApprovalItem, Matter
from scenewright.core.text.counts import count_noun
from scenewright.workflow.definition_checks import CheckedDefinition
from scenewright.workflow.editors import operation_named
from scenewright.workflow.model import Action
from scenewright.workflow.plan import RunPlan
from scenewright.workflow.references import ReferenceScope, resolve

if TYPE_CHECKING:
    from scenewright.workflow.store import WorkflowStore

__all__ = ["accepted", "require_approval"]


async def accepted(call: Call, checked: CheckedDefinition, *, schedule: dict[str, Any] | None = None) -> RunPlan:
    """Return the plan of a run that this call starts, or of those that a schedule will.

    A client that can ask a person is asked at once, for all steps that need it. Where it cannot, the run waits at the
    first of them.

    Raises:
        Denied: the person said no.
    """
    risky = list(checked.needs_approval)
    asked = bool(risky) and await ask_person(call, _approval_matter(call, checked, schedule))
    # Nothing more than what a person has seen: a policy that changes before a step begins is asked anew.
    approved = risky if asked else []
    if risky and not asked and not call.dry_run:
        call.warnings.append(f"Waits at step '{risky[0]}' for a person; workflow.approve asks them, or says how.")
    return RunPlan(
        definition=checked.definition,
        correlation_id=call.meta.correlation_id,
        actor=call.meta.actor,
        project_path=call.project_path,
        dry_run=call.dry_run,
        approved=approved,
        claimed=call.meta.approved,
        waits=[name for name in risky if name not in approved],
        resumes=call.request.resumes,
    )


async def require_approval(call: Call, store: WorkflowStore, run_id: str, step_id: str) -> None:
    """Ask a person about the step that a run waits at.

    Raises:
        Denied: the person said no, or nobody answered.
    """
    plan = await anyio.to_thread.run_sync(store.plan, run_id)
    made = await anyio.to_thread.run_sync(store.steps, run_id)
    outputs = {each["id"]: each["output"] for each in made if "output" in each}
    step = next(each for group in plan.definition.groups() for each in group if each.id == step_id)
    await require_person(
        call,
        Matter(
            title="Allow a workflow to go on with the step it waits at",
            reason=f"run {run_id} of the workflow '{plan.definition.id}' waits for a person",
            parts=[_part(_filled_in(step, outputs), call)],
            project=plan.project_path or str(call.state.project.root),
        ),
    )


def _filled_in(step: Action, outputs: dict[str, Any]) -> Action:
    """Return the step with what earlier steps returned in its input, as far as that is known."""
    try:
        if step.for_each is not None:
            items = resolve(step.for_each.items, ReferenceScope(outputs), "input")
            return msgspec.structs.replace(step, for_each=msgspec.structs.replace(step.for_each, items=items))
        return msgspec.structs.replace(step, input=resolve(step.input, ReferenceScope(outputs), "input"))
    except Fault:
        return step  # the step itself will say what is wrong


def _part(step: Action, call: Call, *, asks: bool = True) -> ApprovalItem:
    """Return a step as a person is asked about it: its action, all of its input, and what it is repeated for."""
    shown = dict(step.input)
    if step.for_each is not None:
        shown["forEach"] = step.for_each.items
    operation = operation_named(call.runtime.registry, step.action_id, step.input)
    return ApprovalItem(step.action_id or "", shown, operation, label=step.id, asks=asks)


def _approval_matter(call: Call, checked: CheckedDefinition, schedule: dict[str, Any] | None) -> Matter:
    """Return all steps of a run: what one of them does may depend on those before it."""
    risky = checked.needs_approval
    steps = [step for group in checked.groups for step in group]
    marked = "all" if len(risky) == len(steps) else f"{len(risky)} of them, marked with !,"
    clock = [ApprovalItem("every run of the schedule", schedule, asks=False)] if schedule else []
    return Matter(
        title=f"Allow a workflow of {count_noun(len(steps), 'step')}, {marked} in need of approval",
        reason=checked.reason,
        parts=[*clock, *(_part(step, call, asks=step.id in risky) for step in steps)],
        project=str(call.state.project.root),
    )
