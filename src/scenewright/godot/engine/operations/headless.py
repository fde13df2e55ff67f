"""`godot_headless_op` and `godot_headless_batch`: godot-mcp-omni's operations by its names, through our own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call, Outcome
from scenewright.core.faults import Fault, Invalid, NotFound, Unsupported
from scenewright.core.operations.declaration import Example, Operation, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about, to_wire
from scenewright.godot.project.openers import open_edit

if TYPE_CHECKING:
    from scenewright.contracts.omni.headless_operations import HeadlessCall

__all__ = ["OPERATIONS"]

_SECONDS = 600.0


class HeadlessInputs(Inputs, frozen=True, kw_only=True):
    operation: Annotated[
        str, about("Such as 'create_scene', 'add_node', 'set_node_properties', 'validate_scene'.", min_length=1)
    ]
    params: Annotated[dict[str, Any], about("Its parameters, in snake_case or camelCase.")] = msgspec.field(
        default_factory=dict
    )


class HeadlessResult(Outputs, frozen=True, kw_only=True):
    operation: Annotated[str, about("What was asked for.")]
    tool: Annotated[str, about("Tool that did it; tool_help shows its parameters.")]
    result: Annotated[Any, about("What it returned; a list where several calls were made.")]


@operation(
    id="godot.headless.run",
    name="Headless Operation",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="godot_headless_op",
    timeout=_SECONDS,
    runs_others=True,
    manager="godot_workspace_manager",
    action="headless_op",
    notes="Does the same as the tool that the reply names, under the same policy. Most need no Godot.",
    examples=(
        Example(
            "A node",
            {
                "operation": "add_node",
                "params": {"scene_path": "main.tscn", "node_type": "Timer", "node_name": "Clock"},
            },
            {"operation": "add_node", "tool": "add_node", "result": {"nodePath": "Clock"}},
        ),
    ),
)
async def headless_op(call: Call, inputs: HeadlessInputs) -> HeadlessResult:
    """Runs a headless operation by its name: scenes, nodes, scripts, files, settings, resources."""
    from scenewright.contracts.omni.headless_operations import steps_of

    steps = steps_of(inputs.operation, inputs.params)
    targets = [_find_operation(call, inputs.operation, step.tool) for step in steps]
    results: list[Any] = []
    for step, target in zip(steps, targets, strict=True):
        arguments = _with_free_name(call, step)
        outcome = await call.invoke(step.tool, arguments, share_changes=target.transactional and target.writes)
        results.append(_adopt_outcome(call, outcome))
    return HeadlessResult(
        operation=inputs.operation, tool=steps[0].tool, result=results[0] if len(results) == 1 else results
    )


class HeadlessStep(Inputs, frozen=True, kw_only=True):
    operation: Annotated[str, about("Operation.", min_length=1)]
    params: Annotated[dict[str, Any], about("Its parameters.")] = msgspec.field(default_factory=dict)


class HeadlessBatchInputs(Inputs, frozen=True, kw_only=True):
    steps: Annotated[list[HeadlessStep], about("Operations, in order.", min_length=1, max_length=100)]
    stop_on_error: Annotated[bool, about("Skip the rest after a failure.")] = True


class StepResult(Record, frozen=True, kw_only=True):
    index: Annotated[int, about("Place among the steps, from 0.")]
    operation: Annotated[str, about("Operation.")]
    ok: Annotated[bool, about("Whether it worked.")]
    result: Annotated[Any, about("What it returned.")] = None
    error: Annotated[dict[str, Any], about("What went wrong: code, message, details, suggestedFix.")] | None = None
    history_entry: Annotated[int, about("The change it made, for history.")] | None = None


class HeadlessBatchResult(Outputs, frozen=True, kw_only=True):
    results: Annotated[list[StepResult], about("One per step that ran.")]
    failed: Annotated[int, about("Steps that failed.")]
    skipped: Annotated[int, about("Steps skipped after a failure.")] = 0


@operation(
    id="godot.headless.batch",
    name="Headless Batch",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="godot_headless_batch",
    timeout=_SECONDS,
    runs_others=True,
    manager="godot_workspace_manager",
    action="headless_batch",
    notes="batch_operations does the same for every tool, all or nothing if asked to.",
    examples=(
        Example(
            "Two steps",
            {
                "steps": [
                    {"operation": "create_scene", "params": {"scene_path": "a.tscn"}},
                    {"operation": "validate_scene", "params": {"scene_path": "a.tscn"}},
                ]
            },
            {
                "results": [
                    {"index": 0, "operation": "create_scene", "ok": True},
                    {"index": 1, "operation": "validate_scene", "ok": True},
                ],
                "failed": 0,
            },
        ),
    ),
)
async def headless_batch(call: Call, inputs: HeadlessBatchInputs) -> HeadlessBatchResult:
    """Runs several headless operations in order, by default up to the first that fails."""
    items = [
        {"tool": headless_op.flat_name, "args": {"operation": step.operation, "params": step.params}}
        for step in inputs.steps
    ]
    outcome = await call.invoke("batch_operations", {"operations": items, "stopOnError": inputs.stop_on_error})
    output = _adopt_outcome(call, outcome)
    rows = [_row(inputs.steps[item["index"]].operation, item) for item in output["results"]]
    call.summary = re.sub(r" call(s?) succeeded", r" step\1 succeeded", str(call.summary))
    return HeadlessBatchResult(results=rows, failed=output["failed"], skipped=output.get("skipped", 0))


OPERATIONS = (headless_op, headless_batch)


def _find_operation(call: Call, name: str, tool: str) -> Operation:
    try:
        target = call.runtime.registry.find(tool)
    except NotFound:
        target = None
    if not isinstance(target, Operation):
        raise Unsupported(f"The headless operation '{name}' is not offered here.", hint="tool_search finds others.")
    return target


def _with_free_name(call: Call, step: HeadlessCall) -> dict[str, Any]:
    """The arguments, with a name that no sibling has where that was asked for."""
    arguments = step.arguments
    if not step.unique or "scenePath" not in arguments or "nodeName" not in arguments:
        return arguments
    parent = str(arguments.get("parentNodePath", "."))
    free = open_edit(call, str(arguments["scenePath"])).free_name(parent, str(arguments["nodeName"]))
    return {**arguments, "nodeName": free}


def _adopt_outcome(call: Call, outcome: Outcome) -> Any:
    """What a call returned; its fault is ours, with its place as the caller wrote it."""
    if outcome.fault is None:
        call.warnings += outcome.call.warnings
        call.attachments += outcome.call.attachments
        call.summary, call.title = outcome.call.summary, outcome.call.title
        return to_wire(outcome.call.output)
    raise _with_caller_path(outcome.fault)


def _with_caller_path(fault: Fault) -> Fault:
    if isinstance(fault, Invalid) and fault.path:
        fault.path = fault.path.replace("input", "input.params", 1)
    return fault


def _row(name: str, item: dict[str, Any]) -> StepResult:
    result = item.get("result") or {}
    return StepResult(
        index=item["index"],
        operation=name,
        ok=item["success"],
        result=result.get("result"),
        error=item.get("error"),
        history_entry=item.get("historyEntry"),
    )
