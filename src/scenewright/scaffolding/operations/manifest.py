"""`workflow_manager` macro.manifest_get, resume and validate: what was built, what is missing, whether it is sound."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.scaffolding.file_checks import ScenesChecked, check_scenes
from scenewright.scaffolding.macro_plans import MACRO_RUN
from scenewright.scaffolding.operations.macros import Built, MacroState, build, states_of
from scenewright.scaffolding.runs import RUN_SECONDS
from scenewright.workflow.engines import engine_of

__all__ = ["OPERATIONS"]

_ID, _RUN = "save_load_scaffold", "wf-19a8f7c3b21-0c5e1f9a3d"
LOOKED_AT = 200  # runs, newest first, among which the last one of macros is sought


class NoQuery(Inputs, frozen=True, kw_only=True):
    pass


class Manifest(Outputs, frozen=True, kw_only=True):
    run_id: Annotated[str, about("The last run of macros.")]
    status: Annotated[str, about("How it stands.")]
    started_at: Annotated[str, about("When it began.")]
    macros: Annotated[list[MacroState], about("Its macros, with those of the runs that it resumed.")]


@operation(
    id="workflow.macro.manifest",
    name="Get Macro Manifest",
    category="workflow",
    safety=Safety.READ_ONLY,
    needs_project=True,
    manager="workflow_manager",
    action="macro.manifest_get",
    examples=(
        Example(
            "The last run",
            {},
            {
                "runId": _RUN,
                "status": "succeeded",
                "startedAt": "2026-01-01T12:00:00.000Z",
                "macros": [
                    {"macroId": _ID, "status": "succeeded", "outputs": ["res://scripts/macro/save/SaveManager.gd"]}
                ],
            },
        ),
    ),
)
async def manifest(call: Call, inputs: NoQuery) -> Manifest:
    """Returns which macros were run last, how they ended and what they made."""
    del inputs
    last = await _last_run(call)
    call.summary = f"{count_noun(len(last.states), 'macro')}: {last.status}."
    return Manifest(run_id=last.run_id, status=last.status, started_at=last.started_at, macros=last.states)


class ResumeInputs(Inputs, frozen=True, kw_only=True):
    validate: Annotated[bool, about("Check the scenes and scripts afterwards.")] = True


@operation(
    id="workflow.macro.resume",
    name="Resume Macros",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager="workflow_manager",
    action="macro.resume",
    runs_others=True,
    timeout=RUN_SECONDS + 10.0,
    stands_alone=True,
    examples=(
        Example(
            "After a failure",
            {},
            {
                "runId": _RUN,
                "status": "succeeded",
                "valid": True,
                "macros": [
                    {"macroId": _ID, "status": "succeeded", "outputs": ["res://scripts/macro/save/SaveManager.gd"]}
                ],
            },
        ),
    ),
)
async def resume(call: Call, inputs: ResumeInputs) -> Built:
    """Builds the macros of the last run that were not built then; those that were are left alone."""
    last = await _last_run(call)
    if last.status == "running":
        raise Conflict(f"The run {last.run_id} is still running.", hint="workflow.status tells how far it is.")
    missing = [step for step, state in zip(last.steps, last.states, strict=True) if not _is_built(call, state)]
    if not missing:
        call.summary = "Nothing is missing."
        return Built(run_id=last.run_id, macros=last.states)
    if call.dry_run:
        call.summary = f"{count_noun(len(missing), 'macro is', 'macros are')} to be built."
        return Built(macros=states_of(missing, []), status="dry run")
    definition = {"id": MACRO_RUN, "steps": missing}
    return await build(call, definition, check=inputs.validate, resumes=last.run_id)


class ScenesQuery(Inputs, frozen=True, kw_only=True):
    scenes: (
        Annotated[list[str], about("Scenes or scripts; those of the last run if left out.", min_length=1)] | None
    ) = None


@operation(
    id="workflow.macro.validate",
    name="Validate Macro Scenes",
    category="workflow",
    safety=Safety.READ_ONLY,
    needs_project=True,
    manager="workflow_manager",
    action="macro.validate",
    timeout=120.0,
    examples=(
        Example(
            "One scene",
            {"scenes": ["res://hud.tscn"]},
            {"valid": True, "scenes": [{"path": "res://hud.tscn", "valid": True}]},
        ),
    ),
)
async def validate(call: Call, inputs: ScenesQuery) -> ScenesChecked:
    """Checks the scenes and scripts that macros have built, or others, without the engine."""
    if inputs.scenes is None:
        files = [file for state in (await _last_run(call)).states for file in state.outputs]
    else:
        files = [f"res://{scene.removeprefix('res://')}" for scene in inputs.scenes]
    checked = await check_scenes(call, files)
    call.summary = f"{sum(row.valid for row in checked.scenes)} of {count_noun(len(files), 'file')} valid."
    return checked


OPERATIONS = (manifest, resume, validate)


@dataclass(frozen=True, slots=True)
class _Last:
    """The last run of macros, and those that it resumed, as one."""

    run_id: str
    status: str
    started_at: str
    steps: list[dict[str, Any]]
    states: list[MacroState]


async def _last_run(call: Call) -> _Last:
    store = await engine_of(call.runtime).started()
    root = call.state.project.root

    def is_here(run_id: str) -> bool:
        path = store.plan(run_id).project_path
        return root == (call.runtime.project.root if path is None else Path(path).expanduser().resolve())

    def find() -> _Last:
        runs = [run for run in store.newest(limit=LOOKED_AT, offset=0) if run.workflow_id == MACRO_RUN]
        newest = next((run for run in runs if is_here(run.run_id)), None)
        if newest is None:
            raise NotFound(f"No macro was run in {str(root)!r} recently.", hint="macro.run builds some.")
        steps: dict[str, dict[str, Any]] = {}
        states: dict[str, MacroState] = {}
        following: str | None = newest.run_id
        while following is not None:
            plan = store.plan(following)
            definition = msgspec.to_builtins(plan.definition)
            for state in states_of(definition["steps"], store.steps(following)):
                states.setdefault(state.macro_id, state)
            steps = {step["id"]: _manifest_step(step) for step in definition["steps"]} | steps
            following = plan.resumes
        ordered = [states[name] for name in steps]
        return _Last(newest.run_id, newest.status, newest.started_at, list(steps.values()), ordered)

    return await anyio.to_thread.run_sync(find)


def _manifest_step(step: dict[str, Any]) -> dict[str, Any]:
    return {key: step[key] for key in ("id", "title", "actionId", "input")}


def _is_built(call: Call, state: MacroState) -> bool:
    # Of a run that was torn off, the files tell: a macro is written as a whole or not at all.
    if state.status == "interrupted":
        return all(call.files.exists(file.removeprefix("res://")) for file in state.outputs)
    return state.status == "succeeded"
