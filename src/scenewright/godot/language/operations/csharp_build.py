"""Builds a project's C# with the user's .NET SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import anyio
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.policy.execution import permit_execution
from scenewright.core.text.counts import count_noun
from scenewright.godot.language.dotnet import BuildMessage
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.process import WatchedProcess
    from scenewright.godot.language.dotnet import BuildRun

__all__ = ["OPERATIONS"]

_SECONDS = 600.0
_LAST_LINES = 5


class BuildInputs(Inputs, frozen=True, kw_only=True):
    project_file: Annotated[str, about("The .csproj, where there are several.", min_length=1)] | None = None
    limit: Annotated[int, about("Most messages to return.", ge=1, le=1000)] = 50


class Built(Outputs, frozen=True, kw_only=True):
    built: Annotated[bool, about("Whether it compiled.")]
    messages: Annotated[list[BuildMessage], about("Errors, then warnings, by file and line.")]
    total: Annotated[int, about("How many there are in all.")]


@operation(
    id="godot.csharp.build",
    name="Build C#",
    category="script",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="build_csharp",
    manager="godot_code_manager",
    action="csharp.build",
    timeout=_SECONDS + 10,
    transactional=False,
    idempotent=True,
    starts_other_programs=True,
    executes="always",
    beyond_contract=True,
    notes="Needs the .NET SDK and ALLOW_EXTERNAL_TOOLS. A build runs what the project's build files tell it to. What "
    "it makes goes to .godot/mono, outside the history.",
    asked_for="compile c# csharp dotnet mono solution csproj",
    examples=(
        Example(
            "One error",
            {},
            {
                "built": False,
                "messages": [
                    {
                        "severity": "error",
                        "code": "CS0103",
                        "message": "The name 'sped' does not exist in the current context",
                        "path": "res://Player.cs",
                        "line": 12,
                        "column": 9,
                    }
                ],
                "total": 1,
            },
        ),
    ),
)
async def build_csharp(call: Call, inputs: BuildInputs) -> Built:
    """Compiles the project's C# with dotnet and lists errors and warnings by file and line."""
    from scenewright.godot.language.dotnet import build_messages, find_dotnet, project_file

    workspace = open_workspace(call)
    root = call.state.project.root
    given = workspace.place(inputs.project_file) if inputs.project_file is not None else None
    if given is not None and not (given.endswith(".csproj") and workspace.files.exists(given)):
        raise Invalid(f"'{inputs.project_file}' is no .csproj of the project.", path="input.projectFile", rule="suffix")
    place = project_file(root, given, workspace.listing(".csproj"))
    program = find_dotnet()
    done = await _build(call, [str(program), "build", str(root / place), "--nologo", "-v:minimal", "-nodeReuse:false"])
    messages = build_messages(done.lines, root)
    errors = sum(each.severity == "error" for each in messages)
    built = done.exit_code == 0
    told = f"{count_noun(errors, 'error')}, {count_noun(len(messages) - errors, 'warning')}"
    call.summary = f"{place} {'was built' if built else 'does not compile'}: {told}."
    if not built and not errors:
        call.warnings += ["dotnet failed without naming an error; it ended with:", *_last_lines(done)]
    return Built(built=built, messages=messages[: inputs.limit], total=len(messages))


OPERATIONS = (build_csharp,)


async def _build(call: Call, command: list[str]) -> BuildRun:
    from scenewright.godot.language.dotnet import run_build

    permit = await permit_execution(call)
    held: list[WatchedProcess] = []

    def work() -> BuildRun:
        return run_build(permit, command, call.state.project.root, held.append, _SECONDS)

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        for process in held:
            process.kill()
        raise


def _last_lines(done: BuildRun) -> list[str]:
    return [line.strip() for line in done.lines if line.strip()][-_LAST_LINES:]
