"""The arguments of no operation: a manager's `action`, `params` and `timeoutMs`, and `projectPath` and `dryRun`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scenewright.core.calls.call import Call, as_bool
from scenewright.core.calls.repair import repair
from scenewright.core.faults import Invalid, closest
from scenewright.core.operations.declaration import Operation

if TYPE_CHECKING:
    from scenewright.core.operations.registry import Registry

__all__ = ["chosen_action", "merge_params", "read_controls", "take_dry_run", "take_project_path", "take_timeout"]

LONGEST_MS = 600_000

_PARAMS = {"properties": {"params": {"type": "object"}}}


def chosen_action(registry: Registry, manager: str, arguments: dict[str, Any]) -> tuple[str, Operation]:
    """Take `action` out of a manager's arguments, and say what it stands for.

    Raises:
        Invalid: it is missing, or is none of the actions.
    """
    action = arguments.pop("action", None)
    operation = registry.action(manager, action)
    if operation is not None:
        return str(action), operation
    actions = registry.actions[manager]
    known = list(actions)
    other = registry.placed(action[:100]) if isinstance(action, str) else None
    if other is not None and other[0] == manager:
        return other[1], actions[other[1]]  # asked for by its own tool's name, which means nothing else
    close = closest(action[:100], known) if isinstance(action, str) else []
    hint = f"Did you mean {' or '.join(actions[name].expected_call(name) for name in close[:2])}?" if close else None
    if other is not None:
        hint = f"'{other[1]}' of {other[0]} does that: {registry.actions[other[0]][other[1]].expected_call(other[1])}."
    raise Invalid(
        f"'action' of {manager} must be one of: {', '.join(known)}.",
        path="input.action",
        rule="required" if action is None else "enum",
        hint=hint or f"For example {actions[known[0]].expected_call(known[0])}.",
    )


def merge_params(call: Call) -> None:
    """Take the parameters of an action from beside `action` and from under `params`.

    Raises:
        Invalid: `params` is no object, or says something else than what stands beside it.
    """
    if "params" not in call.arguments or "params" in call.operation.input_schema.get("properties", {}):
        return
    beside = {key: value for key, value in call.arguments.items() if key != "params"}
    mended, notes = repair({"params": call.arguments["params"]}, _PARAMS)
    call.warnings += notes
    params = mended.get("params", {})
    if not isinstance(params, dict):
        raise Invalid("'params' must be an object.", path="input.params", rule="type")
    for key in params.keys() & beside.keys():
        if params[key] != beside[key]:
            raise Invalid(
                f"'{key}' is given twice, beside 'params' and in it, with different values.",
                path=f"input.{key}",
                rule="unique",
            )
    call.arguments = {**params, **beside}


def take_project_path(call: Call) -> str | None:
    """Take the project out of a call's arguments, unless the operation has a parameter of that name.

    Raises:
        Invalid: it is no text.
    """
    path = _take_control(call, "projectPath", "project_path")
    if path is not None and not isinstance(path, str):
        raise Invalid("'projectPath' must be text.", path="input.projectPath", rule="type")
    return path


def take_dry_run(call: Call) -> None:
    """Take `dryRun` out of a call's arguments, beside the one in its metadata.

    Raises:
        Invalid: it is neither true nor false.
    """
    asked = as_bool(_take_control(call, "dryRun", "dry_run"), path="input.dryRun")
    call.meta = replace(call.meta, dry_run=call.meta.dry_run or asked)


def take_timeout(call: Call) -> None:
    """Take `timeoutMs`, which every manager's actions and every tool of godot-mcp-omni accept, out of the arguments.

    Raises:
        Invalid: it is no such time.
    """
    asked = _take_control(call, "timeoutMs", "timeout_ms") if _knows_a_time(call) else None
    if asked is None:
        return
    if isinstance(asked, bool) or not isinstance(asked, int | float) or not 1 <= asked <= LONGEST_MS:
        raise Invalid(f"'timeoutMs' must be a number from 1 to {LONGEST_MS}.", path="input.timeoutMs", rule="type")
    limit = asked / 1000
    call.request = replace(call.request, timeout=min(limit, call.request.timeout or limit))


def read_controls(call: Call) -> None:
    """Take over who asks and whether it was approved, where an operation has these among its inputs (`workflow.run`).

    They stay there, too; what they say comes before the request's metadata.
    """
    actor = getattr(call.inputs, "actor", None)
    correlation_id = getattr(call.inputs, "correlation_id", None)
    call.meta = replace(
        call.meta,
        actor=actor or call.meta.actor,
        correlation_id=correlation_id or call.meta.correlation_id,
        approved=call.meta.approved or getattr(call.inputs, "approved", False) is True,
    )


def _knows_a_time(call: Call) -> bool:
    return call.action is not None or call.operation.contract == "omni"


def _take_control(call: Call, name: str, spelt: str) -> Any:
    properties = call.operation.input_schema.get("properties", {})
    if name in properties or spelt in properties:
        return None
    given = [key for key in (name, spelt) if key in call.arguments]
    if len(given) > 1:
        raise Invalid(f"'{name}' is given twice, also as '{spelt}'.", path=f"input.{name}", rule="unique")
    if given == [spelt]:
        call.warnings.append(f"Read '{spelt}' as '{name}'.")
    return call.arguments.pop(given[0]) if given else None
