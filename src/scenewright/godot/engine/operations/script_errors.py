"""Asks the engine what it thinks of scripts; what a call writes, `engine/compile_review.py` has compiled by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about, to_wire
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.verdicts import ScriptError, script_errors, shader_errors
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.language_server.write_review import CodeWarning

__all__ = ["OPERATIONS"]

_SECONDS = 110.0


class CheckInputs(Inputs, frozen=True, kw_only=True):
    script_path: Annotated[str, about("Only this script or shader: .gd, .gdshader, .glsl.", min_length=1)] | None = None
    limit: Annotated[int, about("Most errors to return.", ge=1, le=1000)] = 100
    warnings: (
        Annotated[bool, about("Also warnings of the scripts; left out, where the language server runs already.")] | None
    ) = None


class ScriptsChecked(Outputs, frozen=True, kw_only=True):
    valid: Annotated[bool, about("Whether the compiler found no error, missing imports aside.")]
    errors: Annotated[list[ScriptError], about("What the compiler says, by file and line.")]
    total: Annotated[int, about("How many there are in all.")]
    scripts: Annotated[int, about("How many files were compiled.")]
    warnings: Annotated[list[dict[str, Any]], about("Path, line, code, message, fix.")] | None = None


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
    notes="Needs Godot, and for compute shaders (.glsl) Vulkan, be it software. Compiles without running the scripts; "
    "autoloads are started, as in any run of the project.",
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
    """Compiles the project's scripts, or one script or shader, in the real engine and lists what is wrong."""
    from scenewright.godot.editor.live.access import warn_of_unsaved

    await warn_of_unsaved(call)
    workspace = open_workspace(call)
    if inputs.script_path is None:
        paths = [f"res://{path}" for path in workspace.listing(".gd")]
    else:
        place = workspace.place(inputs.script_path)
        call.files.read(place)  # refused with a hint where it is not there
        paths = [f"res://{place}"]
    errors = await _compile(call, paths)
    kind = "shader" if any(path.endswith((".gdshader", ".glsl")) for path in paths) else "script"
    call.summary = f"{count_noun(len(paths), kind)}, {count_noun(len(errors), 'error')}."
    warnings = await _warnings(call, [path for path in paths if path.endswith(".gd")], wanted=inputs.warnings)
    if warnings:
        call.summary = f"{call.summary.removesuffix('.')}, {count_noun(len(warnings), 'warning')}."
    return ScriptsChecked(
        valid=not errors,
        errors=errors[: inputs.limit],
        total=len(errors),
        scripts=len(paths),
        warnings=[to_wire(each) for each in warnings[: inputs.limit]] if warnings is not None else None,
    )


OPERATIONS = (check_scripts,)


async def _warnings(call: Call, paths: list[str], *, wanted: bool | None) -> list[CodeWarning] | None:
    """What the language server warns of; None where nobody asked and it does not run."""
    from scenewright.godot.engine.language_server.servers import LanguageServers, ask_language, overlay_of
    from scenewright.godot.engine.language_server.write_review import code_warning

    servers = call.runtime.services.get(LanguageServers, LanguageServers)
    if not paths or not (servers.runs(call.state.project.root) if wanted is None else wanted):
        return None
    places = [path.removeprefix("res://") for path in paths]
    overlay = await anyio.to_thread.run_sync(overlay_of, call)
    said = await ask_language(call, lambda view: view.diagnose(places), overlay)
    return [code_warning(each) for path in places for each in said[path] if each.severity == "warning"]


async def _compile(call: Call, paths: list[str]) -> list[ScriptError]:
    """What the compiler of their kind says of some files."""
    from scenewright.godot.assets.missing_imports import set_apart_unimported
    from scenewright.godot.engine.compute_shaders import compile_compute_shaders
    from scenewright.godot.engine.requests import ask_engine

    if any(path.endswith(".glsl") for path in paths):
        return await compile_compute_shaders(call, paths)
    if any(path.endswith(".gdshader") for path in paths):
        reply = await ask_engine(call, "shaders.check", {"paths": paths}, timeout=_SECONDS)
        return [error for path in paths for error in shader_errors(reply.about.get(path, ()), path)]
    reply = await ask_engine(call, "scripts.check", {"paths": paths}, timeout=_SECONDS)
    complaints = set_apart_unimported(call, reply.complaints, lambda each: each.message, lambda each: each.path)
    return script_errors(complaints)
