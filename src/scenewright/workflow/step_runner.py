"""One step, done: references filled in, its action called through the whole pipeline, again where that may help."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.call import Outcome, Request, SilentClient
from scenewright.core.faults import Fault, Interrupted
from scenewright.core.operations.model import to_wire
from scenewright.workflow.conditions import unmet
from scenewright.workflow.dry_run import Trial
from scenewright.workflow.model import Action, Retry
from scenewright.workflow.records import Line, error_of, is_retryable, is_unknown, line, record
from scenewright.workflow.references import ReferenceScope, resolve

if TYPE_CHECKING:
    from scenewright.workflow.engine import WorkflowEngine
    from scenewright.workflow.plan import RunPlan

__all__ = ["StepRunner"]


class _StepClient(SilentClient):
    id = "workflow"


class StepRunner:
    """Does the steps of one run."""

    def __init__(self, engine: WorkflowEngine, run_id: str, plan: RunPlan) -> None:
        self._engine = engine
        self._run_id = run_id
        self._plan = plan
        self.approved = set(plan.approved)
        self.trial = Trial(engine.runtime, plan.project_path) if plan.dry_run else None

    def done(self, step: Action, scope: ReferenceScope) -> Callable[[], Coroutine[Any, Any, dict[str, Any]]]:
        """Return what does the step when called, and returns its record."""

        async def do() -> dict[str, Any]:
            if self._engine.is_cancelled(self._run_id):
                return self._cancelled(step, [])
            try:
                arguments = resolve(step.input, scope, "input")
            except Fault as fault:
                return record(step, "failed", [line("error", fault.message, step)], error=error_of(fault))
            return await self._try_step(step, arguments, scope.index)

        return do

    async def _try_step(self, step: Action, arguments: dict[str, Any], index: int | None) -> dict[str, Any]:
        retry = step.retry or Retry()
        logs: list[Line] = []
        self._engine.log(self._run_id, logs, line("info", "Started.", step))
        for attempt in range(1, retry.max_attempts + 1):
            outcome = await self._engine.call(self._run_id, self._request(step, arguments, index), self.trial)
            if outcome is None:
                return self._cancelled(step, logs)
            if step.expect_failure and outcome.fault is not None and not self._is_unknown(outcome):
                return self._failed_as_meant(step, logs, outcome.fault, attempt)
            fault = outcome.fault or self._unmet_expectation(step, outcome)
            if fault is None:
                return self._succeeded(step, logs, outcome, attempt)
            self._engine.log(self._run_id, logs, line("error", fault.message, step))
            again = outcome.fault is not None and is_retryable(fault, outcome.call.operation)
            if attempt == retry.max_attempts or not again:
                return self._failed(step, logs, outcome, fault, attempt)
            wait = min(retry.backoff_ms * retry.factor ** (attempt - 1) / 1000, self._engine.limits.max_backoff)
            message = f"Attempt {attempt} of {retry.max_attempts} failed; trying again in {wait * 1000:g} ms."
            self._engine.log(self._run_id, logs, line("warn", message, step))
            if await self._engine.pause(self._run_id, wait):
                return self._cancelled(step, logs)
        raise AssertionError("a loop of at least one attempt")

    def _request(self, step: Action, arguments: dict[str, Any], index: int | None) -> Request:
        plan, limits = self._plan, self._engine.limits
        key = f"{self._run_id}/{step.id}" + ("" if index is None else f"[{index}]")
        if plan.project_path is not None:
            arguments = {"projectPath": plan.project_path, **arguments}
        return Request(
            tool=step.action_id or "",
            arguments=arguments,
            meta={"actor": plan.actor, "correlationId": plan.correlation_id}
            | {"dryRun": plan.dry_run, "approved": plan.claimed},
            client=_StepClient(),
            origin="workflow",
            timeout=step.timeout_ms / 1000 if step.timeout_ms else self._own_limit(step, limits.step_timeout),
            key=key,
            approved=step.id in self.approved,
        )

    def _own_limit(self, step: Action, default: float) -> float:
        """Return the time limit that the operation declares, or else the default."""
        operation = self._engine.operation(step)
        return (operation.timeout if operation else None) or default

    def _is_unknown(self, outcome: Outcome) -> bool:
        operation = outcome.call.operation
        return operation is not None and outcome.fault is not None and is_unknown(outcome.fault, operation)

    def _failed_as_meant(self, step: Action, logs: list[Line], fault: Fault, attempt: int) -> dict[str, Any]:
        self._engine.log(self._run_id, logs, line("info", f"Failed, as it was meant to: {fault.message}", step))
        return record(step, "succeeded", logs, attempts=attempt, output={"error": error_of(fault)})

    def _unmet_expectation(self, step: Action, outcome: Outcome) -> Fault | None:
        if step.expect_failure:
            return Fault("It was meant to fail and did not.")
        what = unmet(step.expect, to_wire(outcome.call.output))
        return Fault(f"The output is not as expected: {what}.") if what else None

    def _succeeded(self, step: Action, logs: list[Line], outcome: Outcome, attempt: int) -> dict[str, Any]:
        self._engine.log(self._run_id, logs, line("info", outcome.summary, step))
        return record(step, "succeeded", logs, attempts=attempt, **_traces_of(outcome))

    def _failed(self, step: Action, logs: list[Line], outcome: Outcome, fault: Fault, attempt: int) -> dict[str, Any]:
        operation = outcome.call.operation
        if operation is not None and outcome.fault is not None and is_unknown(fault, operation):
            why = f"It cannot be told whether '{step.action_id}' was carried out: {fault.message}"
            error = error_of(Interrupted(why, hint=fault.hint))
            return record(step, "interrupted", logs, error=error, attempts=attempt)
        traces = _traces_of(outcome) if outcome.fault is None else {}
        return record(step, "failed", logs, error=error_of(fault), attempts=attempt, **traces)

    def _cancelled(self, step: Action, logs: list[Line]) -> dict[str, Any]:
        self._engine.log(self._run_id, logs, line("warn", "Canceled.", step))
        return record(step, "canceled", logs)


def _traces_of(outcome: Outcome) -> dict[str, Any]:
    """Return what a call that worked leaves behind."""
    call, diff = outcome.call, outcome.diff
    written = call.written + ([call.entry.id] if call.entry else [])
    final = call.operation.writes and (call.lasting or not call.operation.transactional) and not written
    return {
        "output": to_wire(call.output),
        "entries": written or None,
        "project": call.project_path if written else None,
        "diff": diff.summary if diff else None,
        "final": final or None,  # it cannot be taken back
    }
