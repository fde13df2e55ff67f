"""One run, carried out: its steps in order, each recorded once. The same code goes through a run again after a crash,
where every step that is on record returns its record at once.

Nothing here may depend on anything but the plan and earlier records, or a second pass would differ from the first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from scenewright.core.faults import Fault, Invalid
from scenewright.workflow.conditions import holds
from scenewright.workflow.model import Action, Definition
from scenewright.workflow.records import DONE, Line, error_of, line, now, record
from scenewright.workflow.references import Scope, resolve
from scenewright.workflow.stepping import StepRunner

if TYPE_CHECKING:
    from scenewright.workflow.engine import Engine

__all__ = ["Plan", "Running"]

MAX_ITEMS = 1000
_BY_WEIGHT = ("skipped", "succeeded", "failed", "canceled", "interrupted")


class Plan(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All that a run is started with."""

    definition: Definition
    correlation_id: str
    actor: str | None = None
    project_path: str | None = None
    dry_run: bool = False
    approved: list[str] = []  # the steps that need nobody's approval any more
    waits: list[str] = []  # those that must be approved before they begin


class Running:
    """A run that this process carries out."""

    def __init__(self, engine: Engine, run_id: str, plan: Plan) -> None:
        self._engine = engine
        self._plan = plan
        self._steps = StepRunner(engine, run_id, plan)
        self._run_id = run_id
        self._outputs: dict[str, Any] = {}
        self._logs: list[Line] = []
        self._failure: dict[str, Any] | None = None
        self._entries: list[tuple[Action, int]] = []
        self._completed: set[str] = set()

    async def carry_out(self) -> dict[str, Any]:
        """How the run ended: `status`, and beside it what is worth knowing then."""
        status = "succeeded"
        for group in self._plan.definition.groups():
            status = await self._group(group)
            if status != "succeeded":
                break
        ending: dict[str, Any] = {"status": status, "completed": len(self._completed), "endedAt": now()}
        if self._failure is not None:
            ending["lastError"] = self._failure
        return ending

    async def _group(self, group: list[Action]) -> str:
        """Carries out steps that are done together; returns the run's status after them."""
        worst = "succeeded"
        for step, status in zip(group, await asyncio.gather(*map(self._step, group)), strict=True):
            if not (status == "failed" and step.allow_failure):
                worst = _worse(worst, status)
        return worst

    async def _step(self, step: Action) -> str:
        """Carries out one step; returns its status."""
        if not holds(step.when, self._outputs):
            made = await self._kept(step, step.id or "", self._skipped(step))
            return str(made["status"])
        if step.for_each is not None:
            return await self._loop(step)
        made = await self._kept(step, step.id or "", self._steps.done(step, Scope(self._outputs)))
        return self._note(step, made)

    async def _loop(self, step: Action) -> str:
        assert step.for_each is not None
        try:
            items = self._items(step)
        except Fault as fault:
            made = await self._kept(step, step.id or "", self._refused(step, fault))
            return self._note(step, made)
        outputs: list[Any] = []
        status = "succeeded"

        async def one(index: int) -> dict[str, Any]:
            scope = Scope(self._outputs, items[index], index)
            return await self._kept(step, f"{step.id}[{index}]", self._steps.done(step, scope))

        # So many at once, then the next so many: a second pass must begin the same items in the same order.
        width = step.for_each.limit
        for start in range(0, len(items), width):
            done = await asyncio.gather(*(one(index) for index in range(start, min(start + width, len(items)))))
            outputs += [each.get("output") for each in done]
            for each in done:
                status = _worse(status, self._note(step, each))
            if status != "succeeded" and not (status == "failed" and step.allow_failure):
                break
        self._outputs[step.id or ""] = {"items": outputs}
        return status

    def _items(self, step: Action) -> list[Any]:
        assert step.for_each is not None
        items = resolve(step.for_each.items, Scope(self._outputs), "input.forEach.items")
        if not isinstance(items, list):
            raise Invalid("The items of a forEach must be an array.", path="input.forEach.items", rule="type")
        if len(items) > MAX_ITEMS:
            raise Invalid(f"A forEach takes at most {MAX_ITEMS} items.", path="input.forEach.items", rule="maxItems")
        return items

    async def _kept(self, step: Action, name: str, doing: Any) -> dict[str, Any]:
        """The record of a step: the one there is, or that of doing it now."""
        made: dict[str, Any] = await self._engine.recorded(name, doing)
        if made["status"] in DONE:
            self._completed.add(step.id or "")
        self._engine.step_ended(self._run_id, step, made)
        return made

    def _note(self, step: Action, made: dict[str, Any]) -> str:
        status = str(made["status"])
        if "output" in made and step.for_each is None:
            self._outputs[step.id or ""] = made["output"]
        if "entry" in made:
            self._entries.append((step, made["entry"]))
        if status not in DONE and not (status == "failed" and step.allow_failure):
            self._failure = self._failure or (made.get("error") or {}) | {"stepId": step.id}
        return status

    def _skipped(self, step: Action) -> Any:
        async def skip() -> dict[str, Any]:
            return record(step, "skipped", [line("info", "Skipped: its condition is not met.", step)])

        return skip

    def _refused(self, step: Action, fault: Fault) -> Any:
        async def refuse() -> dict[str, Any]:
            return record(step, "failed", [line("error", fault.message, step)], error=error_of(fault))

        return refuse


def _worse(one: str, other: str) -> str:
    return max(one, other, "succeeded", key=_BY_WEIGHT.index)
