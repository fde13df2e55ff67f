"""Has the engine compile the scripts and shaders that a call wrote, whatever operation it was; the reply tells.

Without a Godot it stays silent, which is a fine way to work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, NotConnected, TimedOut, Unsupported
from scenewright.core.operations.model import Compiled, to_wire
from scenewright.godot.project.file_scan import is_seen
from scenewright.godot.project.workspace import ROOT

if TYPE_CHECKING:
    from scenewright.godot.engine.language_server.write_review import CodeWarning
    from scenewright.godot.engine.verdicts import ScriptError

__all__ = ["review"]

_GLSL = ".glsl"
_INCLUDED = ".gdshaderinc"
_SECONDS = 15.0
_MOST = 50
_MOST_WARNINGS = 3


async def review(call: Call) -> bool:
    """Compile what was written, add to the reply what is wrong with it, and return whether nothing is."""
    written = [path for path in call.files.written() if _is_code(path) and is_seen(call.state.project.root, path)]
    if not written:
        return True
    written += _including(call, written)
    compute = [path for path in written if path.endswith(_GLSL)]
    compiled = [path for path in written if path not in compute and not path.endswith(_INCLUDED)]
    try:
        errors = [*await _check_scripts(call, compiled), *await _check_shaders(call, compiled)]
    except Unsupported:
        errors, compiled = [], []
    except Denied as refused:
        call.warnings.append(f"Not compiled: {refused.message}")
        return False
    if compute and (shader_errors := await _check_compute_shaders(call, compute)) is not None:
        errors, compiled = [*errors, *shader_errors], [*compiled, *compute]
    if compiled:
        _tell(call, [path for path in written if path in compiled], errors)
    await _warn(call, [path for path in compiled if path.endswith(".gd")])
    return not errors


async def _warn(call: Call, written: list[str]) -> None:
    """Add what the language server says of the code after this write, and of what broke elsewhere."""
    from scenewright.godot.engine.language_server.write_review import review_write

    write_review = await review_write(call, written) if written else None
    if write_review is None or not write_review.shown:
        return
    _add_ranges(call, write_review.shown)
    rows = [to_wire(each) for each in write_review.shown if each.severity == "warning" or each.path[6:] not in written]
    if isinstance(call.output, Compiled):
        call.output = msgspec.structs.replace(call.output, code_warnings=rows or None)
    else:
        fresh = [each for each in write_review.shown if each.new and each.severity == "warning"]
        call.warnings += [f"{each.path}:{each.line}: {each.message}" for each in fresh[:_MOST_WARNINGS]]


def _add_ranges(call: Call, said: list[CodeWarning]) -> None:
    """Give the compiler's errors, which have lines only, the columns that the language server knows."""
    if not isinstance(call.output, Compiled) or not call.output.errors:
        return
    places = {(each.path, each.line, each.message): each for each in said if each.severity == "error"}
    for row in call.output.errors:
        place = places.get((row["path"], row["line"], row["message"]))
        if place is not None:
            row.update(column=place.column, endLine=place.end_line, endColumn=place.end_column)


def _tell(call: Call, written: list[str], errors: list[ScriptError]) -> None:
    shown = isinstance(call.output, Compiled)
    if shown:
        rows = [to_wire(error) for error in errors[:_MOST]] or None
        files = [ROOT + path for path in written]
        named = files if len(files) <= _MOST else [*files[:_MOST], f"… {len(files) - _MOST} more"]
        call.output = msgspec.structs.replace(call.output, compiled=not errors, compiled_files=named, errors=rows)
    listed = errors[: _MOST_WARNINGS if shown else _MOST]
    call.warnings += [f"{error.path}:{error.line}: {error.message}" for error in listed]


async def _check_scripts(call: Call, written: list[str]) -> list[ScriptError]:
    from scenewright.godot.engine.requests import ask_engine
    from scenewright.godot.engine.verdicts import script_errors

    paths = [ROOT + path for path in written if path.endswith(".gd")]
    if not paths:
        return []
    return script_errors((await ask_engine(call, "scripts.check", {"paths": paths}, timeout=_SECONDS)).complaints)


async def _check_shaders(call: Call, written: list[str]) -> list[ScriptError]:
    from scenewright.godot.engine.requests import ask_engine
    from scenewright.godot.engine.verdicts import shader_errors

    paths = [ROOT + path for path in written if path.endswith(".gdshader")]
    if not paths:
        return []
    reply = await ask_engine(call, "shaders.check", {"paths": paths}, timeout=_SECONDS)
    return [error for path in paths for error in shader_errors(reply.about.get(path, ()), path)]


async def _check_compute_shaders(call: Call, written: list[str]) -> list[ScriptError] | None:
    """What is wrong with GLSL files; None, and a warning that says why, where they cannot be compiled."""
    from scenewright.godot.engine.compute_shaders import compile_compute_shaders
    from scenewright.godot.engine.display import find_virtual_screen

    try:
        if find_virtual_screen() is None:
            raise Unsupported("it needs a window, and there is no Xvfb to hide it; get_script_errors opens one.")
        return await compile_compute_shaders(call, [ROOT + path for path in written], timeout=_SECONDS)
    except (Denied, NotConnected, TimedOut, Unsupported) as problem:
        are = "was" if len(written) == 1 else "were"
        call.warnings.append(f"{', '.join(written[:_MOST_WARNINGS])} {are} not compiled: {problem.message}")
        return None


def _including(call: Call, written: list[str]) -> list[str]:
    """Shaders that were not written, and include what was: an included file is compiled as a part of them."""
    from scenewright.godot.project.openers import open_workspace
    from scenewright.godot.rendering.materials import shaders_including

    includes = [path for path in written if path.endswith(_INCLUDED)]
    if not includes:
        return []
    return [path for path in shaders_including(open_workspace(call), includes) if path not in written][:_MOST]


def _is_code(path: str) -> bool:
    return path.endswith((".gd", ".gdshader", _INCLUDED, _GLSL))
