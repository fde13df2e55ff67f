"""Takes back what a failed run has changed, newest first, through the project's history."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.call import Request
from scenewright.workflow.model import Action
from scenewright.workflow.records import error_of, line, record

if TYPE_CHECKING:
    from scenewright.workflow.engine import WorkflowEngine
    from scenewright.workflow.plan import RunPlan
    from scenewright.workflow.run_recorder import Recorder

__all__ = ["RollBack"]

UNDO = "history.undo"


class RollBack:
    """Undoes the steps of one run."""

    def __init__(self, engine: WorkflowEngine, run_id: str, plan: RunPlan, records: Recorder) -> None:
        self._engine = engine
        self._records = records
        self._run_id = run_id
        self._plan = plan

    async def carry_out(self, made: list[dict[str, Any]]) -> dict[str, Any]:
        """Take back what these records tell of; return which steps are undone and which could not be.

        Goes on after a failure: each step's files are its own affair, and what can be put right is.
        """
        undone: list[str] = []
        standing = [each["id"] for each in made if each.get("final")]
        written = [(entry, each) for each in made for entry in each.get("entries", [])]
        # Steps of a group may have written in another order than that of the definition.
        for entry, each in sorted(written, key=lambda part: part[0], reverse=True):
            ended = await self._records.kept(f"{each['id']}: undo {entry}", self._undo_step(each, entry))
            (undone if ended["status"] == "undone" else standing).append(each["id"])
            self._engine.told(self._run_id)
        return {"undone": list(dict.fromkeys(undone)), "standing": list(dict.fromkeys(standing))}

    def _undo_step(self, made: dict[str, Any], entry: int) -> Callable[[], Coroutine[Any, Any, dict[str, Any]]]:
        step = Action(id=made["id"], action_id=UNDO)
        place = made.get("project") or self._plan.project_path
        request = Request(
            tool=UNDO,
            arguments={"entry": entry} | ({"projectPath": place} if place else {}),
            meta={"actor": self._plan.actor, "correlationId": self._plan.correlation_id},
            origin="workflow",
            approved=True,  # whoever approved the run approved that it is taken back
            key=f"{self._run_id}/{made['id']}/undo {entry}",
        )

        async def undo() -> dict[str, Any]:
            outcome = await self._engine.call(self._run_id, request)
            if outcome is not None and outcome.fault is None:
                return record(step, "undone", [line("warn", f"Taken back: {outcome.summary}", step)])
            fault = outcome.fault if outcome is not None else None
            why = fault.message if fault else "it was canceled"
            return record(
                step,
                "standing",
                [line("error", f"Could not be taken back: {why}", step)],
                error=error_of(fault) if fault else None,
            )

        return undo
