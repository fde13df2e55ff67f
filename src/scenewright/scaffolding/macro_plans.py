"""What a request for macros comes to: scaffolds, what they would collide with, and a definition for the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.calls.repair import repair
from scenewright.core.calls.validation import check
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.model import schema_of

if TYPE_CHECKING:
    from scenewright.godot.macros import Scaffold

__all__ = ["MACRO_RUN", "collisions", "definition_of", "files_of", "operations_of", "planned", "refuse_collisions"]

MACRO_RUN = "macro"  # the workflow id of every run of macros
_PATHS = ("scriptPath", "scenePath", "resourcePath")


def planned(wanted: list[tuple[str, str, dict[str, Any]]], *, replace: bool, main_scene: str | None) -> list[Scaffold]:
    """Return the scaffolds of some macros, each given by its name, its place in the arguments, and parameters.

    Raises:
        NotFound: there is no such macro.
        Invalid: its parameters are wrong.
    """
    from scenewright.godot.macros import find_macro
    from scenewright.godot.macros.systems import compose

    scaffolds: list[Scaffold] = []
    for name, place, given in wanted:
        macro = find_macro(name)
        if any(scaffold.macro == macro.id for scaffold in scaffolds):
            raise Invalid(f"'{macro.id}' is asked for twice.", path=place, rule="uniqueItems")
        schema = schema_of(macro.parameters)
        mended, _ = repair(given, schema)
        try:
            check(schema, mended, signature=f"the parameters that macro.describe shows for {macro.id}")
        except Invalid as fault:
            path = (fault.path or "input").replace("input", f"{place}.params", 1)
            raise Invalid(fault.message, path=path, rule=fault.rule, hint=fault.hint, details=fault.details) from None
        scaffolds.append(macro.plan(msgspec.convert(mended, macro.parameters), replace=replace))
    if main_scene is not None:
        files = [file for scaffold in scaffolds for file in scaffold.files]
        scaffolds.append(compose(files, main_scene, replace=replace))
    return scaffolds


def collisions(call: Call, scaffolds: Iterable[Scaffold]) -> list[str]:
    """Return what the scaffolds would make and exists already."""
    from scenewright.godot.project.openers import open_configuration

    settings = open_configuration(call)
    sections = {"autoload": "autoload", "input_action": "input"}
    names: list[str] = []
    for scaffold in scaffolds:
        for output in scaffold.outputs:
            if output.kind == "file":
                there = call.files.exists(output.name.removeprefix("res://"))
            else:
                there = settings.has(f"{sections[output.kind]}/{output.name}")
            if there:
                names.append(output.name if output.kind == "file" else f"{output.kind.replace('_', ' ')} {output.name}")
    return names


def refuse_collisions(call: Call, scaffolds: Iterable[Scaffold]) -> None:
    """Raise Conflict if a scaffold would change what exists."""
    existing = collisions(call, scaffolds)
    if existing:
        shown = ", ".join(existing[:5]) + (f" and {len(existing) - 5} more" if len(existing) > 5 else "")
        raise Conflict(
            f"These exist already: {shown}.",
            hint="Give other folders or names in params, or pass forceRegenerate: true to replace them.",
            details={"existing": existing},
            retryable=False,
        )


def operations_of(scaffolds: Iterable[Scaffold]) -> list[dict[str, Any]]:
    """Return the calls of scaffolds as a batch takes them."""
    return [
        {"id": step.id, "tool": step.tool, "args": step.arguments} for scaffold in scaffolds for step in scaffold.calls
    ]


def definition_of(scaffolds: Iterable[Scaffold]) -> dict[str, Any]:
    """Return the scaffolds as a workflow: each is one step, made as a whole or not at all."""
    steps = [
        {
            "id": scaffold.macro,
            "title": f"Build {scaffold.macro}",
            "actionId": "core.batch_operations",
            "input": {"operations": operations_of([scaffold]), "atomic": True},
        }
        for scaffold in scaffolds
    ]
    return {"id": MACRO_RUN, "steps": steps}


def files_of(step_input: dict[str, Any]) -> list[str]:
    """Return the files that a step of such a workflow makes."""
    named = (item["args"].get(key) for item in step_input.get("operations", []) for key in _PATHS)
    return list(dict.fromkeys(f"res://{path}" for path in named if path))
