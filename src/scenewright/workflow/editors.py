"""Which runs are carried out through an editor, and so have it one after the other.

Two runs that edit one scene in turns could not be taken back: an editor undoes only its newest step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scenewright.core.faults import Fault, NotFound
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.registry import Registry

if TYPE_CHECKING:
    from scenewright.core.runtime import Runtime
    from scenewright.workflow.plan import RunPlan

__all__ = ["Called", "called", "operation_named", "uses_editor"]


def uses_editor(plan: RunPlan, runtime: Runtime) -> bool:
    """Return whether a step speaks to an editor itself, or writes in a project that an editor has open now.

    Which files such a step changes is known only when it runs, and the editor takes in those on disk too; so every
    write counts. What only reads gets in nobody's way.
    """
    return any(
        one.operation.requires_bridge or (one.operation.writes and not plan.dry_run and _is_open(one, runtime))
        for group in plan.definition.groups()
        for step in group
        for one in called(runtime.registry, step.action_id, step.input, plan.project_path)
    )


@dataclass(frozen=True, slots=True)
class Called:
    """One call that a step makes, itself or through a batch."""

    operation: Operation
    arguments: Mapping[str, Any]
    project_path: Any


def called(registry: Registry, tool: Any, arguments: Mapping[str, Any], place: Any = None) -> Iterator[Called]:
    """Yield the operation behind a call, and those that it calls in turn, as a batch does; each with its project's
    path.
    """
    operation = operation_named(registry, tool, arguments)
    if operation is None:
        return  # reported by whoever makes the call
    place = arguments.get("projectPath") or place
    yield Called(operation, arguments, place)
    items = arguments.get("operations") if operation.runs_others else None
    for part in items if isinstance(items, list) else ():
        given = part.get("args") if isinstance(part, dict) else None
        inner = given if isinstance(given, dict) else {}
        if isinstance(part, dict) and operation_named(registry, part.get("tool"), inner) is not operation:
            yield from called(registry, part.get("tool"), inner, place)


def operation_named(registry: Registry, tool: Any, arguments: Mapping[str, Any]) -> Operation | None:
    """Return the operation that a call by this name would run, or None where there is none."""
    try:
        target = registry.find(str(tool))
    except NotFound:
        return None
    if isinstance(target, Manager):
        return registry.action(target.name, arguments.get("action"))
    return target


def _is_open(one: Called, runtime: Runtime) -> bool:
    operation, place = one.operation, one.project_path
    own = runtime.registry.engine_of[operation.id]
    if own is None and not operation.needs_project:
        return False
    try:
        state = runtime.state_for(place if isinstance(place, str) else None)
    except Fault:
        return False  # reported when the step begins
    lives = [runtime.live(engine.name) for engine in ([own] if own else state.engines)]
    return any(live is not None and live.is_open(state.project) for live in lives)
