"""Hands a definition to the workflow engine and waits for its end: what both fronts of `workflow_manager` do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, Internal, Invalid
from scenewright.workflow.engines import engine_of

__all__ = ["RUN_SECONDS", "Ended", "StepFailed", "carry_out", "seen_from_here", "steps_of"]

RUN_SECONDS = 290


class StepFailed(Fault):
    """A run of which a step failed; has the kind of that step's fault."""

    def __init__(self, message: str, kind: str, *, hint: str | None, details: Mapping[str, Any]) -> None:
        super().__init__(message, hint=hint, details=details)
        self.kind = kind  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run stands after it was waited for."""

    run_id: str
    status: str
    steps: list[dict[str, Any]]  # the records of those that were begun
    waiting_for: str | None = None
    error: dict[str, Any] | None = None


async def carry_out(call: Call, definition: Mapping[str, Any], *, resumes: str | None = None) -> Ended:
    """Run a definition to its end, or as far as the time allows; `resumes` names an earlier run.

    Raises:
        Fault: it was refused before anything ran.
    """
    arguments = {"definition": definition, "waitMs": RUN_SECONDS * 1000}
    outcome = await call.invoke("workflow.run", arguments, resumes=resumes)
    if outcome.fault is not None:
        raise seen_from_here(outcome.fault)
    call.warnings += outcome.call.warnings
    run = outcome.call.output
    steps = await steps_of(call, run.run_id)
    error = next((step["error"] for step in steps if step.get("error")), None)
    if run.last_error is not None and error is None:
        error = {"message": run.last_error.message, "kind": "internal"}
    waiting = getattr(run, "waiting_for", None)
    return Ended(run.run_id, run.status, steps, waiting, error)


async def steps_of(call: Call, run_id: str) -> list[dict[str, Any]]:
    """Return the records of a run's steps."""
    store = await engine_of(call.runtime).started()
    return await anyio.to_thread.run_sync(store.steps, run_id)


def seen_from_here(fault: Fault) -> Fault:
    """Return a fault with the names of a sequence's fields, which is what the caller wrote."""
    if isinstance(fault, Internal):
        return fault
    if isinstance(fault, Invalid) and fault.path is not None:
        path = fault.path.replace("input.definition", "input.workflow", 1)
        head, steps, rest = path.partition(".steps[")
        rest = rest.replace("].actionId", "].tool", 1).replace("].input", "].args", 1)
        return Invalid(fault.message, path=head + steps + rest, rule=fault.rule, hint=fault.hint, details=fault.details)
    return fault
