"""Asks the engine what it thinks of scripts; what a call writes, `engine/compile_review.py` has compiled by itself."""

from __future__ import annotations

from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.verdicts import ScriptError, script_errors
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]


class CheckInputs(Inputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("Only this script.", min_length=1)] | None = None
    limit: Annotated[int, about("Most errors to return.", ge=1, le=1000)] = 100


class ScriptsChecked(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether the compiler found no error.")]
    errors: Annotated[list[ScriptError], about("What the compiler says, by file and line.")]
    total: Annotated[int, about("How many there are in all.")]
    scripts: Annotated[int, about("How many scripts were compiled.")]


@operation(
    id="godot.script.check",
    name="Check Scripts",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_script_errors",
    manager="godot_code_manager",
    action="script.check",
    timeout=120.0,
    notes="Needs Godot. Compiles without running the scripts; autoloads are started, as in any run of the project.",
    executes="always",
    examples=(
        Example(
            "All scripts",
            {},
            {
                "valid": False,
                "errors": [
                    {"path": "res://player.gd", "line": 7, "message": 'Function "jmp()" not found in base self.'}
                ],
                "total": 1,
                "scripts": 12,
            },
        ),
    ),
)
async def check_scripts(call: Call, inputs: CheckInputs) -> ScriptsChecked:
    """Compiles the project's scripts, or one, in the real engine and lists what is wrong."""
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.requests import ask_engine

    await warn_of_unsaved(call)
    workspace = open_workspace(call)
    if inputs.script_path is None:
        paths = [f"res://{path}" for path in workspace.listing(".gd")]
    else:
        place = workspace.place(inputs.script_path)
        call.files.read(place)  # refused with a hint where it is not there
        paths = [f"res://{place}"]
    reply = await ask_engine(call, "scripts.check", {"paths": paths}, timeout=110.0)
    errors = script_errors(reply.complaints)
    call.summary = f"{count_noun(len(paths), 'script')}, {count_noun(len(errors), 'error')}."
    return ScriptsChecked(valid=not errors, errors=errors[: inputs.limit], total=len(errors), scripts=len(paths))


OPERATIONS = (check_scripts,)
