"""`workflow_manager` macro.list, describe, plan and run."""

from __future__ import annotations

from typing import Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about, schema_of
from scenewright.core.text.counts import count_noun
from scenewright.scaffolding.file_checks import SceneCheckRow, ScenesChecked, check_scenes
from scenewright.scaffolding.macro_plans import (
    collisions,
    definition_of,
    files_of,
    operations_of,
    planned,
    refuse_collisions,
)
from scenewright.scaffolding.runs import RUN_SECONDS, Ended, StepFailed, carry_out

__all__ = ["OPERATIONS", "Built", "MacroState", "build", "states_of"]

_ID = "save_load_scaffold"
_MAIN_SCENE = "res://scenes/generated/macro/Main.tscn"


class NoQuery(Inputs, frozen=True, kw_only=True):
    pass


class MacroRow(Record, frozen=True, kw_only=True):
    id: Annotated[str, about("The macro.")]
    title: Annotated[str, about("Display name.")]
    description: Annotated[str, about("What it builds.")]


class MacroList(Outputs, frozen=True, kw_only=True):
    macros: Annotated[list[MacroRow], about("All macros.")]


@operation(
    id="workflow.macro.list",
    name="List Macros",
    category="workflow",
    safety=Safety.READ_ONLY,
    pure=True,
    manager="workflow_manager",
    action="macro.list",
    notes="Input with rebinding, a platformer's player controller, a camera that follows, animation states, hitboxes, "
    "health, an enemy that patrols and chases, a level with parallax, HUD and pause menu, saving and loading, music.",
    examples=(
        Example(
            "All", {}, {"macros": [{"id": _ID, "title": "Saving and Loading", "description": "Saved games in slots."}]}
        ),
    ),
)
def list_macros(call: Call, inputs: NoQuery) -> MacroList:
    """Lists the scaffolds of game systems that can be built into a Godot project."""
    from scenewright.godot.macros import MACROS

    del inputs
    call.summary = f"{count_noun(len(MACROS), 'macro')}."
    return MacroList(
        macros=[MacroRow(id=each.id, title=each.title, description=each.description) for each in MACROS.values()]
    )


class MacroQuery(Inputs, frozen=True, kw_only=True):
    macro_id: Annotated[str, about("The macro, from macro.list.", min_length=1)]


class Described(MacroRow, Outputs, frozen=True, kw_only=True):
    parameters: Annotated[dict[str, Any], about("JSON Schema of its params; all have defaults.")]
    outputs: Annotated[list[str], about("What it makes with the defaults.")]


@operation(
    id="workflow.macro.describe",
    name="Describe Macro",
    category="workflow",
    safety=Safety.READ_ONLY,
    pure=True,
    manager="workflow_manager",
    action="macro.describe",
    examples=(
        Example(
            "Saving",
            {"macroId": _ID},
            {
                "id": _ID,
                "title": "Saving and Loading",
                "description": "Saved games in slots.",
                "parameters": {"type": "object"},
                "outputs": ["res://scripts/macro/save/SaveManager.gd"],
            },
        ),
    ),
)
def describe_macro(call: Call, inputs: MacroQuery) -> Described:
    """Shows what a macro builds and the parameters it takes."""
    from scenewright.godot.macros import find_macro

    macro = find_macro(inputs.macro_id)
    call.summary = f"{macro.title}: {macro.description}"
    outputs = [output.name for output in macro.plan(macro.parameters()).outputs]
    return Described(
        id=macro.id,
        title=macro.title,
        description=macro.description,
        outputs=outputs,
        parameters=schema_of(macro.parameters),
    )


class Macros(Inputs, frozen=True, kw_only=True):
    macro_id: Annotated[str, about("One macro; or give macros.", min_length=1)] | None = None
    params: Annotated[dict[str, Any], about("Its parameters; macro.describe shows them.")] | None = None
    macros: Annotated[list[Any], about("Several: ids, or {macroId, params}.", min_length=1, max_length=10)] | None = (
        None
    )
    force_regenerate: Annotated[bool, about("Replace what exists already; history keeps the old.")] = False
    compose_main_scene: Annotated[bool, about("Also make a main scene of what was built.")] = False
    main_scene_path: Annotated[str, about("Its place.", min_length=1)] = _MAIN_SCENE

    def wanted(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Each macro's name, where it stands in the arguments, and its parameters."""
        if (self.macro_id is None) == (self.macros is None):
            raise Invalid("Give either 'macroId' or 'macros'.", path="input.macroId", rule="oneOf")
        if self.macro_id is not None:
            return [(self.macro_id, "input", self.params or {})]
        if self.params is not None:
            hint = 'With several macros: {"macroId": …, "params": {…}}.'
            raise Invalid("'params' goes with 'macroId'.", path="input.params", rule="dependentRequired", hint=hint)
        return [_read_request(index, each) for index, each in enumerate(self.macros or [])]


def _read_request(index: int, given: Any) -> tuple[str, str, dict[str, Any]]:
    place = f"input.macros[{index}]"
    if isinstance(given, str):
        return given, place, {}
    if isinstance(given, dict) and isinstance(given.get("macroId"), str) and given.keys() <= {"macroId", "params"}:
        params = given.get("params") or {}
        if isinstance(params, dict):
            return given["macroId"], place, params
    raise Invalid(f"'{place}' must be a macro's id, or {{macroId, params}}.", path=place, rule="type")


class PlannedCall(Record, frozen=True, kw_only=True):
    id: Annotated[str, about("Its name in the plan.")]
    tool: Annotated[str, about("The tool.")]
    title: Annotated[str, about("What it does.")]


class PlannedMacro(Record, frozen=True, kw_only=True):
    macro_id: Annotated[str, about("The macro.")]
    calls: Annotated[list[PlannedCall], about("The calls it makes, all or none.")]
    outputs: Annotated[list[str], about("What it makes.")]


class Planned(Outputs, frozen=True, kw_only=True):
    macros: Annotated[list[PlannedMacro], about("The macros, in order.")]
    existing: Annotated[list[str], about("What exists already; without forceRegenerate it is not run.")]
    diff: Annotated[dict[str, Any], about("Summary and entries of all that would change.")] | None = None


@operation(
    id="workflow.macro.plan",
    name="Plan Macros",
    category="workflow",
    safety=Safety.READ_ONLY,
    needs_project=True,
    manager="workflow_manager",
    action="macro.plan",
    timeout=120.0,
    examples=(
        Example(
            "Saving",
            {"macroId": _ID},
            {
                "macros": [
                    {
                        "macroId": _ID,
                        "outputs": ["res://scripts/macro/save/SaveManager.gd"],
                        "calls": [
                            {
                                "id": "save_load-1",
                                "tool": "write_script",
                                "title": "Write scripts/macro/save/SaveManager.gd",
                            }
                        ],
                    }
                ],
                "existing": [],
                "diff": {"summary": "3 files changed, +85 −0 lines", "entries": []},
            },
        ),
    ),
)
async def plan_macros(call: Call, inputs: Macros) -> Planned:
    """Shows what macros would do: their calls, what they would collide with, and one diff of everything."""
    scaffolds = _scaffolds(inputs)
    existing = collisions(call, scaffolds)
    rows = [
        PlannedMacro(
            macro_id=scaffold.macro,
            calls=[PlannedCall(id=step.id, tool=step.tool, title=step.title) for step in scaffold.calls],
            outputs=[output.name for output in scaffold.outputs],
        )
        for scaffold in scaffolds
    ]
    count = sum(len(row.calls) for row in rows)
    call.summary = f"{count_noun(count, 'call')}." + (
        f" {count_noun(len(existing), 'output exists', 'outputs exist')} already." if existing else ""
    )
    if existing and not inputs.force_regenerate:
        return Planned(macros=rows, existing=existing)
    tried = await call.invoke("core.batch_operations", {"operations": operations_of(scaffolds), "dryRun": True})
    if tried.fault is not None:
        raise tried.fault
    refused = next((item for item in tried.call.output.results if item.error), None)
    if refused is not None:
        call.warnings.append(f"{refused.id}: {refused.error['message']}")
    diff = {"summary": tried.diff.summary, "entries": tried.diff.entries} if tried.diff else None
    return Planned(macros=rows, existing=existing, diff=diff)


class RunInputs(Macros, frozen=True, kw_only=True):
    validate: Annotated[bool, about("Check the scenes and scripts afterwards.")] = True


class MacroState(Record, frozen=True, kw_only=True):
    macro_id: Annotated[str, about("The macro.")]
    status: Annotated[str, about("succeeded, failed, canceled, interrupted, or pending.")]
    outputs: Annotated[list[str], about("The files it makes.")]
    error: Annotated[str, about("Why it did not succeed.")] | None = None


class Built(Outputs, frozen=True, kw_only=True):
    macros: Annotated[list[MacroState], about("The macros, in order.")]
    run_id: Annotated[str, about("The run's id; absent in a dry run.")] | None = None
    status: Annotated[str, about("succeeded; running where it takes longer or waits for a person.")] = "succeeded"
    valid: Annotated[bool, about("Whether what was built has no error.")] | None = None
    issues: Annotated[list[SceneCheckRow], about("What is wrong with what was built.")] | None = None


@operation(
    id="workflow.macro.run",
    name="Run Macros",
    category="workflow",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager="workflow_manager",
    action="macro.run",
    runs_others=True,
    timeout=RUN_SECONDS + 10.0,
    stands_alone=True,
    notes="Each macro is built as a whole or not at all; after a failure macro.resume builds those that are missing.",
    examples=(
        Example(
            "Saving",
            {"macroId": _ID, "params": {"slots": 5}},
            {
                "runId": "wf-19a8f7c3b21-0c5e1f9a3d",
                "status": "succeeded",
                "valid": True,
                "macros": [
                    {"macroId": _ID, "status": "succeeded", "outputs": ["res://scripts/macro/save/SaveManager.gd"]}
                ],
            },
        ),
    ),
)
async def run_macros(call: Call, inputs: RunInputs) -> Built:
    """Builds game systems into a Godot project: scripts, scenes, autoloads and input actions."""
    scaffolds = _scaffolds(inputs)
    if not inputs.force_regenerate:
        refuse_collisions(call, scaffolds)
    definition = definition_of(scaffolds)
    if call.dry_run:
        return await _dry_run(call, definition)
    return await build(call, definition, check=inputs.validate)


async def build(call: Call, definition: dict[str, Any], *, check: bool, resumes: str | None = None) -> Built:
    """Run macros to their end, and check what they built; `resumes` names the run that lacked them."""
    ended = await carry_out(call, definition, resumes=resumes)
    states = states_of(definition["steps"], ended.steps)
    if ended.status not in ("succeeded", "running"):
        raise _failure(ended, states)
    files = [file for state in states for file in state.outputs]
    checked = await check_scenes(call, files) if check and ended.status == "succeeded" else None
    waiting = f" It waits for a person at '{ended.waiting_for}'." if ended.waiting_for else ""
    call.summary = f"{count_noun(len(states), 'macro')}, {count_noun(len(files), 'file')}: {ended.status}.{waiting}"
    return Built(run_id=ended.run_id, status=ended.status, macros=states, **_check_fields(checked))


OPERATIONS = (list_macros, describe_macro, plan_macros, run_macros)


def _scaffolds(inputs: Macros) -> list[Any]:
    if not inputs.compose_main_scene and inputs.main_scene_path != _MAIN_SCENE:
        raise Invalid(
            "'mainScenePath' goes with 'composeMainScene'.",
            path="input.mainScenePath",
            rule="dependentRequired",
            hint="Set composeMainScene to true, or leave mainScenePath out.",
        )
    main = inputs.main_scene_path if inputs.compose_main_scene else None
    return planned(inputs.wanted(), replace=inputs.force_regenerate, main_scene=main)


async def _dry_run(call: Call, definition: dict[str, Any]) -> Built:
    """A dry run: the same calls, staged only, so that the reply has their diff."""
    for step in definition["steps"]:
        outcome = await call.invoke(step["actionId"], step["input"], share_changes=True)
        if outcome.fault is not None:
            raise outcome.fault
    states = [
        MacroState(macro_id=step["id"], status="pending", outputs=files_of(step["input"]))
        for step in definition["steps"]
    ]
    call.summary = f"{count_noun(len(states), 'macro')}."
    return Built(macros=states, status="dry run")


def states_of(steps: list[dict[str, Any]], records: list[dict[str, Any]]) -> list[MacroState]:
    """Return the state of each macro of a run."""
    records_by_step = {record["id"]: record for record in records}
    return [
        MacroState(
            macro_id=step["id"],
            status=records_by_step[step["id"]]["status"] if step["id"] in records_by_step else "pending",
            outputs=files_of(step["input"]),
            error=(records_by_step.get(step["id"], {}).get("error") or {}).get("message"),
        )
        for step in steps
    ]


def _check_fields(checked: ScenesChecked | None) -> dict[str, Any]:
    if checked is None:
        return {}
    return {"valid": checked.valid, "issues": [row for row in checked.scenes if row.issues] or None}


def _failure(ended: Ended, states: list[MacroState]) -> StepFailed:
    from scenewright.core.operations.model import to_wire

    error = ended.error or {}
    failed = next((state for state in states if state.status not in ("succeeded", "pending")), None)
    where = f"The macro '{failed.macro_id}'" if failed else "The run"
    return StepFailed(
        f"{where} failed: {error.get('message') or ended.status}",
        error.get("kind", "internal"),
        hint=error.get("hint") or "Fix the cause, then macro.resume builds the macros that are missing.",
        details={"runId": ended.run_id, "status": ended.status, "macros": to_wire(states)},
    )
