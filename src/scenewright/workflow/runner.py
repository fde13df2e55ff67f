"""One run, carried out: its steps in order, each recorded once. The same code goes through a run again after a crash,
where every step that is on record returns its record at once.

Nothing here may depend on anything but the plan and earlier records, or a second pass would differ from the first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from scenewright.core.faults import Denied, Fault, Invalid
from scenewright.workflow.compensation import RollBack
from scenewright.workflow.conditions import holds
from scenewright.workflow.model import Action
from scenewright.workflow.plan import RunPlan
from scenewright.workflow.records import DONE, Line, error_of, line, now, record
from scenewright.workflow.references import ReferenceScope, resolve
from scenewright.workflow.step_runner import StepRunner

if TYPE_CHECKING:
    from scenewright.workflow.engine import WorkflowEngine
    from scenewright.workflow.run_recorder import Recorder

__all__ = ["Running"]

MAX_ITEMS = 1000
_BY_WEIGHT = ("skipped", "succeeded", "failed", "canceled", "interrupted")


class Running:
    """A run that this process carries out."""

    def __init__(self, engine: WorkflowEngine, run_id: str, plan: RunPlan, records: Recorder) -> None:
        self._engine = engine
        self._plan = plan
        self._records = records
        self._steps = StepRunner(engine, run_id, plan)
        self._run_id = run_id
        self._outputs: dict[str, Any] = {}
        self._logs: list[Line] = []
        self._failure: dict[str, Any] | None = None
        self._made: list[dict[str, Any]] = []
        self._completed: set[str] = set()
        self._turn = asyncio.Lock()

    async def carry_out(self) -> dict[str, Any]:
        """Return how the run ended: `status`, and beside it what is worth knowing then."""
        if self._plan.dry_run:
            return await self._records.kept("dry run", self._try_out)  # type: ignore[no-any-return]
        status = await self._run_groups()
        ending: dict[str, Any] = {"status": status, "completed": len(self._completed)}
        if self._failure is not None:
            ending["lastError"] = self._failure
        if status == "failed" and self._plan.definition.on_failure == "rollback":
            ending["rollback"] = await RollBack(self._engine, self._run_id, self._plan, self._records).carry_out(
                self._made
            )
        return ending | {"endedAt": now()}

    async def _run_groups(self) -> str:
        """Carry out one group after the other; return the run's status after them."""
        status = "succeeded"
        for group in self._plan.definition.groups():
            status = await self._approvals(group) or await self._group(group)
            if status != "succeeded":
                break
        return status

    async def _try_out(self) -> dict[str, Any]:
        """Carry out everything without writing, each step on top of what those before it would have written.

        What they would have written is nowhere but in memory, so all of it is one record, made in one go.
        """
        assert self._steps.trial is not None
        status = await self._run_groups()
        ending: dict[str, Any] = {"status": status, "completed": len(self._completed), "parts": self._made}
        if self._failure is not None:
            ending["lastError"] = self._failure
        return ending | {"diff": self._steps.trial.diff(), "endedAt": now()}

    async def _approvals(self, group: list[Action]) -> str | None:
        """Wait for a person where a step needs one; return how the run ends where the answer is no."""
        for step in group:
            if step.id not in self._plan.waits or not holds(step.when, self._outputs):
                continue
            answer = await self._answer(step.id or "") or {"decision": "none"}
            if answer["decision"] != "approve":
                made = await self._keep_record(
                    step, f"{step.id}: refused", self._refuse_step(step, _refusal(step, answer))
                )
                return "canceled" if answer["decision"] == "cancel" else self._note(step, made)
            self._steps.approved.add(step.id or "")
        return None

    async def _answer(self, step_id: str) -> Any:
        await self._records.wait_for(step_id)
        await self._engine.step_aside(self._run_id)
        self._engine.told(self._run_id)
        answer = await self._records.answer(step_id, self._engine.limits.approval_wait)
        await self._records.wait_for(None)
        await self._engine.step_in(self._run_id)
        self._engine.told(self._run_id)
        return answer

    async def _group(self, group: list[Action]) -> str:
        """Carry out steps that are done together; return the run's status after them."""
        worst = "succeeded"
        for step, status in zip(group, await asyncio.gather(*map(self._run_step, group)), strict=True):
            if not (status == "failed" and step.allow_failure):
                worst = _worse_status(worst, status)
        return worst

    async def _run_step(self, step: Action) -> str:
        """Carry out one step; return its status."""
        if not holds(step.when, self._outputs):
            made = await self._keep_record(step, step.id or "", self._skip_step(step))
            return str(made["status"])
        if step.for_each is not None:
            return await self._loop(step)
        made = await self._keep_record(step, step.id or "", self._steps.done(step, ReferenceScope(self._outputs)))
        return self._note(step, made)

    async def _loop(self, step: Action) -> str:
        assert step.for_each is not None
        try:
            items = self._items(step)
        except Fault as fault:
            made = await self._keep_record(step, step.id or "", self._refuse_step(step, fault))
            return self._note(step, made)
        # Two loops of a group would begin their items now in this order and now in that one.
        async with self._turn:
            return await self._run_items(step, items)

    async def _run_items(self, step: Action, items: list[Any]) -> str:
        assert step.for_each is not None
        outputs: list[Any] = []
        status = "succeeded"

        async def one(index: int) -> dict[str, Any]:
            scope = ReferenceScope(self._outputs, items[index], index)
            return await self._keep_record(step, f"{step.id}[{index}]", self._steps.done(step, scope))

        # So many at once, then the next so many: a second pass must begin the same items in the same order.
        width = step.for_each.limit
        for start in range(0, len(items), width):
            done = await asyncio.gather(*(one(index) for index in range(start, min(start + width, len(items)))))
            outputs += [each.get("output") for each in done]
            for each in done:
                status = _worse_status(status, self._note(step, each))
            if status != "succeeded" and not (status == "failed" and step.allow_failure):
                break
        self._outputs[step.id or ""] = {"items": outputs}
        return status

    def _items(self, step: Action) -> list[Any]:
        assert step.for_each is not None
        items = resolve(step.for_each.items, ReferenceScope(self._outputs), "input.forEach.items")
        if not isinstance(items, list):
            raise Invalid("The items of a forEach must be an array.", path="input.forEach.items", rule="type")
        if len(items) > MAX_ITEMS:
            raise Invalid(f"A forEach takes at most {MAX_ITEMS} items.", path="input.forEach.items", rule="maxItems")
        return items

    async def _keep_record(self, step: Action, name: str, doing: Any) -> dict[str, Any]:
        """Return the record of a step: the one there is, or that of doing it now."""
        # Its place is that of its beginning, which is the same in every pass.
        made: dict[str, Any] = {}
        self._made.append(made)
        made |= await (doing() if self._plan.dry_run else self._records.kept(name, doing))
        if made["status"] in DONE:
            self._completed.add(step.id or "")
        self._engine.step_ended(self._run_id, step, made)
        return made

    def _note(self, step: Action, made: dict[str, Any]) -> str:
        status = str(made["status"])
        if "output" in made and step.for_each is None:
            self._outputs[step.id or ""] = made["output"]
        if "error" in made and not (status == "failed" and step.allow_failure):
            self._failure = self._failure or made["error"] | {"stepId": step.id}
        return status

    def _skip_step(self, step: Action) -> Any:
        async def skip() -> dict[str, Any]:
            return record(step, "skipped", [line("info", "Skipped: its condition is not met.", step)])

        return skip

    def _refuse_step(self, step: Action, fault: Fault) -> Any:
        async def refuse() -> dict[str, Any]:
            return record(step, "failed", [line("error", fault.message, step)], error=error_of(fault))

        return refuse


def _refusal(step: Action, answer: dict[str, Any]) -> Fault:
    if answer["decision"] == "none":
        return Denied(f"'{step.action_id}' was not approved in time.", hint="Run the workflow again.")
    who, why = answer.get("actor"), answer.get("reason")
    message = f"'{step.action_id}' was rejected{f' by {who}' if who else ''}{f': {why}' if why else ''}"
    return Denied(f"{message.rstrip('.')}.", hint="Do not repeat it; ask what to do instead.")


def _worse_status(one: str, other: str) -> str:
    return max(one, other, "succeeded", key=_BY_WEIGHT.index)
