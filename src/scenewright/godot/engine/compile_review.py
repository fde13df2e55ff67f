"""Has the engine compile the scripts and shaders that a call wrote, whatever operation it was; the reply tells.

Without a Godot it stays silent, which is a fine way to work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Unsupported
from scenewright.core.operations.model import Compiled, to_wire
from scenewright.godot.project.file_scan import is_seen
from scenewright.godot.project.workspace import ROOT

if TYPE_CHECKING:
    from scenewright.godot.engine.verdicts import ScriptError

__all__ = ["review"]

_SECONDS = 15.0
_MOST = 50
_MOST_WARNINGS = 3


async def review(call: Call) -> None:
    """Compile what was written and add to the reply what is wrong with it."""
    written = [path for path in call.files.written() if _is_code(path) and is_seen(call.state.project.root, path)]
    if not written:
        return
    try:
        errors = [*await _check_scripts(call, written), *await _check_shaders(call, written)]
    except Unsupported:
        return
    except Denied as refused:
        call.warnings.append(f"Not compiled: {refused.message}")
        return
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


def _is_code(path: str) -> bool:
    return path.endswith((".gd", ".gdshader"))
