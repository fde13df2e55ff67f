"""Whether a definition can be carried out: every problem is found before the first step runs, and named by its step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.calls.repair import repair
from scenewright.core.calls.validation import check
from scenewright.core.config import WorkflowLimits
from scenewright.core.faults import Denied, Fault, Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.model import schema_of
from scenewright.core.operations.registry import Registry
from scenewright.core.policy.gates import decide, pass_gates_of, refusal
from scenewright.workflow.editors import called
from scenewright.workflow.model import Action, WorkflowDefinition, published_schema
from scenewright.workflow.references import references_in

__all__ = ["CheckedDefinition", "check_definition", "read_definition"]

ROOT = "input.definition"
OWN = ("workflow.",)  # what a workflow cannot hold
_CONTROLS = ("projectPath", "dryRun")


@dataclass(frozen=True, slots=True)
class CheckedDefinition:
    """A definition that can be carried out, and which of its steps a person must approve."""

    definition: WorkflowDefinition
    groups: list[list[Action]]
    needs_approval: tuple[str, ...]
    reason: str = ""  # why it does

    @property
    def total(self) -> int:
        return sum(map(len, self.groups))


def read_definition(raw: Any) -> WorkflowDefinition:
    """Return a definition from JSON.

    Raises:
        Invalid: it does not fit the published schema.
    """
    if not isinstance(raw, dict):
        raise Invalid("The definition must be an object with id and steps.", path=ROOT, rule="type")
    mended, _ = repair(raw, schema_of(WorkflowDefinition))
    try:
        check(published_schema(), mended, signature="{id, steps: [{id?, actionId, input?, …}]}")
    except Invalid as fault:
        raise _place_fault(fault, mended) from None
    return msgspec.convert(mended, WorkflowDefinition)


def _place_fault(fault: Invalid, raw: dict[str, Any]) -> Invalid:
    """Return the fault as seen from the arguments, with the step's name in its message."""
    path = (fault.path or "input").replace("input", ROOT, 1)
    return Invalid(
        f"{_step_name(path, raw)}{fault.message}", path=path, rule=fault.rule, hint=fault.hint, details=fault.details
    )


def _step_name(path: str, raw: dict[str, Any]) -> str:
    if not path.startswith(f"{ROOT}.steps["):
        return ""
    number, _, rest = path.removeprefix(f"{ROOT}.steps[").partition("]")
    step, before = raw["steps"][int(number)], raw["steps"][: int(number)]
    count = 1 + sum(len(each["parallel"]) if _is_group(each) else 1 for each in before)
    if _is_group(step) and rest.startswith(".parallel["):
        place = int(rest.removeprefix(".parallel[").partition("]")[0])
        step, count = step["parallel"][place], count + place
    name = step.get("id") if isinstance(step, dict) else None
    return f"Step '{name or f'step-{count}'}': "


def _is_group(step: Any) -> bool:
    return isinstance(step, dict) and isinstance(step.get("parallel"), list)


def check_definition(definition: WorkflowDefinition, call: Call) -> CheckedDefinition:
    """Return the definition, found to be sound as a part of this call.

    Raises:
        Invalid: a step breaks a rule; path and message say which.
        NotFound: a step's action does not exist.
        Denied: the server or the policy does not allow a step's action.
    """
    groups = definition.groups()
    limits = call.runtime.config.workflow
    count = sum(map(len, groups))
    if count > limits.max_steps:
        raise Invalid(
            f"The workflow has {count} steps; at most {limits.max_steps} are accepted.",
            path=f"{ROOT}.steps",
            rule="maxItems",
            hint="Split it, or raise GOX_WORKFLOW_MAX_STEPS.",
        )
    seen: set[str] = set()
    for place, step in _steps_with_places(definition, groups):
        step_id = step.id or ""
        if step_id in seen:
            raise _step_fault(step, f"{place}.id", "unique", "another step has the same id")
        _check_limits(step, place, limits)
        operation = _operation(step, place, call.runtime.registry)
        seen_before = _steps_before(step_id, groups)
        _check_sources(step, place, seen_before)
        _check_use(step, place, operation, call)
        seen.add(step_id)
    steps = [step for group in groups for step in group]
    waiting = {step.id or "": reasons for step in steps if (reasons := _asked_for(step, call))}
    reason = "; ".join(dict.fromkeys(reason for reasons in waiting.values() for reason in reasons))
    return CheckedDefinition(definition, groups, tuple(waiting), reason)


def _asked_for(step: Action, call: Call) -> list[str]:
    """Return why a person must approve a step, or one of the calls that it makes in turn; empty where nobody must."""
    calls = called(call.runtime.registry, step.action_id, step.input)
    decisions = [decide(each.operation, call, each.arguments) for each in calls]
    return [decision.reason for decision in decisions if decision.needs_approval]


def _steps_with_places(definition: WorkflowDefinition, groups: list[list[Action]]) -> Iterator[tuple[str, Action]]:
    for number, (step, members) in enumerate(zip(definition.steps, groups, strict=True)):
        place = f"{ROOT}.steps[{number}]"
        if step.parallel and step.action_id:
            raise _step_fault(
                step, f"{place}.parallel", "oneOf", "has an action and a group; it can be only one of them"
            )
        for index, member in enumerate(members):
            yield f"{place}.parallel[{index}]" if step.parallel else place, member


def _steps_before(step_id: str, groups: list[list[Action]]) -> list[str]:
    """Return the steps that are over when a step begins."""
    names: list[str] = []
    for members in groups:
        if any(member.id == step_id for member in members):
            break
        names += [member.id or "" for member in members]
    return names


def _step_fault(step: Action, path: str, rule: str, what: str, hint: str | None = None) -> Invalid:
    return Invalid(f"Step '{step.id or '?'}': {what}.", path=path, rule=rule, hint=hint)


def _check_limits(step: Action, place: str, limits: WorkflowLimits) -> None:
    bounds = [("timeoutMs", step.timeout_ms or 0, limits.max_step_timeout * 1000, "MAX_STEP_TIMEOUT_SECONDS")]
    if step.retry is not None:
        bounds += [
            ("retry.maxAttempts", step.retry.max_attempts, limits.max_attempts, "MAX_ATTEMPTS"),
            ("retry.backoffMs", step.retry.backoff_ms, limits.max_backoff * 1000, "MAX_BACKOFF_SECONDS"),
        ]
    for name, value, most, setting in bounds:
        if value > most:
            hint = f"Use less, or raise GOX_WORKFLOW_{setting}."
            raise _step_fault(
                step, f"{place}.{name}", "maximum", f"{name} is {value}; at most {most:g} is accepted", hint
            )


def _operation(step: Action, place: str, registry: Registry) -> Operation:
    if not step.action_id:
        raise _step_fault(step, f"{place}.actionId", "required", "'actionId' is required")
    try:
        target = registry.find(step.action_id)
    except NotFound as fault:
        details = {"stepId": step.id, "path": f"{place}.actionId"}
        raise NotFound(f"Step '{step.id}': {fault.message}", hint=fault.hint, details=details) from None
    if isinstance(target, Manager):
        chosen = registry.action(target.name, step.input.get("action"))
        if chosen is None:
            what = f"'action' of {target.name} must be one of: {', '.join(registry.actions[target.name])}"
            raise _step_fault(step, f"{place}.input.action", "enum", what)
        target = chosen
    if target.id.startswith(OWN):
        raise _step_fault(step, f"{place}.actionId", "recursion", "a workflow cannot hold a workflow")
    return target


def _check_sources(step: Action, place: str, earlier: list[str]) -> None:
    if step.when is not None:
        _check_source(step, step.when.step_id, f"{place}.when.stepId", earlier)
    parts = list(references_in(step.input, f"{place}.input"))
    if step.for_each is not None:
        parts += references_in(step.for_each.items, f"{place}.forEach.items")
    for where, value, kind in parts:
        if kind == "$from":
            _check_source(step, value["$from"], where, earlier)
        elif kind in ("$item", "$index") and (step.for_each is None or where.startswith(f"{place}.forEach")):
            raise _step_fault(step, where, "reference", f"'{kind}' has a meaning only in the input of a forEach step")


def _check_source(step: Action, source: Any, where: str, earlier: list[str]) -> None:
    if source not in earlier:
        hint = did_you_mean(str(source)[:100], earlier) or "Only steps that come before can be used."
        raise _step_fault(step, where, "reference", f"there is no earlier step '{str(source)[:100]}'", hint)


def _check_use(step: Action, place: str, operation: Operation, call: Call) -> None:
    """What can be known now: whether the server allows it, and whether inputs without references are right."""
    if step.expect_failure:
        return
    try:
        pass_gates_of(call, operation)
        decision = decide(operation, call, step.input)
        if not decision.allowed:
            raise refusal(operation.flat_name, decision)
    except Denied as fault:
        raise Denied(
            f"Step '{step.id}': {fault.message}", hint=fault.hint, details=fault.details | {"stepId": step.id}
        ) from None
    # A step that may be skipped may be wrong, as long as it is.
    if step.when is None and step.for_each is None and not any(references_in(step.input, "")):
        _check_input(step, place, operation)


def _check_input(step: Action, place: str, operation: Operation) -> None:
    schema = operation.input_schema
    own = schema.get("properties", {})
    ignored = {*(name for name in _CONTROLS if name not in own), *(("action", "params") if operation.action else ())}
    given = step.input | (step.input.get("params") or {} if operation.action else {})
    given = {key: value for key, value in given.items() if key not in ignored or key in own}
    try:
        mended, _ = repair(given, schema, operation.other_names)
        check(schema, mended, signature=operation.signature())
    except Fault as fault:
        if not isinstance(fault, Invalid):
            raise
        path = (fault.path or "input").replace("input", f"{place}.input", 1)
        raise Invalid(
            f"Step '{step.id}': {fault.message}", path=path, rule=fault.rule, hint=fault.hint, details=fault.details
        ) from None
