"""Asks the engine what it thinks of scripts: on request, and after each that was written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import msgspec

from scenewright.core.call import Call
from scenewright.core.faults import Unsupported
from scenewright.core.model import Inputs, Outputs, Record, about, to_wire
from scenewright.core.operation import Example, Safety, operation
from scenewright.godot.operations.opening import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.complaints import Complaint

__all__ = ["OPERATIONS", "ScriptError", "compile_afterwards", "script_errors"]

_PREFIXES = ("Parse Error: ", "Compile Error: ")
_MOST = 50


class ScriptError(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path of the script.")]
    line: Annotated[int, about("Line, from 1; 0 for the file as a whole.")]
    message: Annotated[str, about("What the compiler says.")]
    severity: Annotated[str, about("error or warning.")] = "error"


class CheckInputs(Inputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("Only this script.", min_length=1)] | None = None
    limit: Annotated[int, about("Most errors to return.", ge=1, le=1000)] = 100


class Checked(Outputs, frozen=True, kw_only=True):
    errors: Annotated[list[ScriptError], about("What the compiler says, by file and line.")]
    total: Annotated[int, about("How many there are in all.")]
    scripts: Annotated[int, about("How many scripts were compiled.")]


@operation(
    id="godot.script.check", name="Check Scripts", category="script", safety=Safety.READ_ONLY, needs_project=True,
    tool="get_script_errors", action=("godot_code_manager", "script.check"), timeout=120.0,
    notes="Needs Godot. Compiles without running the scripts; autoloads are started, as in any run of the project.",
    examples=(
        Example("All scripts", {},
                {"errors": [{"path": "res://player.gd", "line": 7,
                             "message": 'Function "jmp()" not found in base self.'}], "total": 1, "scripts": 12}),
    ),
)  # fmt: skip
async def check_scripts(call: Call, inputs: CheckInputs) -> Checked:
    """Compiles the project's scripts, or one, in the real engine and lists what is wrong."""
    from scenewright.godot.engine.calling import ask_engine

    workspace = open_workspace(call)
    if inputs.script_path is None:
        paths = [f"res://{path}" for path in workspace.listing(".gd")]
    else:
        place = workspace.place(inputs.script_path)
        call.files.read(place)  # refused with a hint where it is not there
        paths = [f"res://{place}"]
    reply = await ask_engine(call, "scripts.check", {"paths": paths}, timeout=110.0)
    errors = script_errors(reply.complaints)
    call.summary = f"{len(paths)} scripts, {len(errors)} errors."
    return Checked(errors=errors[: inputs.limit], total=len(errors), scripts=len(paths))


OPERATIONS = (check_scripts,)


def compile_afterwards(call: Call, path: str) -> None:
    """Has the engine compile a script once it is on disk, and the reply say what came of it."""

    async def compile_it(committed: Call) -> None:
        from scenewright.godot.engine.calling import ask_engine

        try:
            reply = await ask_engine(committed, "scripts.check", {"paths": [path]}, timeout=15.0)
        except Unsupported:
            return  # no Godot here, which is a fine way to work
        errors = script_errors(reply.complaints)
        committed.warnings += [f"{error.path}:{error.line}: {error.message}" for error in errors[:3]]
        if committed is call:
            found = [to_wire(error) for error in errors[:_MOST]] or None
            call.output = msgspec.structs.replace(call.output, compiled=not errors, errors=found)

    call.afterwards.append(compile_it)


def script_errors(complaints: Iterable[Complaint]) -> list[ScriptError]:
    """The compiler's words, each once, by file and line."""
    found: dict[tuple[str, int, str], ScriptError] = {}
    for complaint in complaints:
        if complaint.kind != "script" or complaint.path is None:
            continue
        message = complaint.message
        for prefix in _PREFIXES:
            message = message.removeprefix(prefix)
        error = ScriptError(path=complaint.path, line=complaint.line or 0, message=message, severity=complaint.severity)
        found.setdefault((error.path, error.line, error.message), error)
    return [found[key] for key in sorted(found)]
