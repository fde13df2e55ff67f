"""Has the engine compile `.glsl` files to SPIR-V, which needs Vulkan, be it software; says which lines are wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from scenewright.core.faults import Fault, Unsupported
from scenewright.godot.engine.requests import FreshEngine, ask_fresh_engine
from scenewright.godot.engine.verdicts import ScriptError
from scenewright.godot.project.openers import open_workspace
from scenewright.godot.rendering.compute_source import ComputeSource, Stage, read_compute_source

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.project.workspace import Workspace

__all__ = ["compile_compute_shaders"]

_ENGINE: Final = FreshEngine(draws=True, arguments=("--rendering-method", "forward_plus", "--audio-driver", "Dummy"))
_COMPLAINT: Final = re.compile(r"^(ERROR|WARNING): (?:\d+:(\d+): )?(.*?)\s*$", re.MULTILINE)
_EMPTY: Final = re.compile(r"'' : compilation terminated|\d+ compilation errors")


async def compile_compute_shaders(call: Call, paths: Sequence[str], *, timeout: float = 60.0) -> list[ScriptError]:
    """Compile files given by `res://` path, and return what is wrong with them.

    Raises:
        Denied: code of this project may not be run.
        Unsupported: there is no Godot, no screen or no Vulkan to be had.
        NotConnected: the engine crashed.
        TimedOut: it hung.
    """
    workspace = open_workspace(call)
    sources = {path: _source(workspace, path) for path in paths}
    stages = [stage for source in sources.values() for stage in source.stages]
    errors = [
        ScriptError(path=source.mistake.path, line=source.mistake.line, message=source.mistake.message)
        for source in sources.values()
        if source.mistake is not None
    ]
    if stages:
        asked = {"stages": [{"name": stage.name, "text": stage.text} for stage in stages]}
        reply = await ask_fresh_engine(call, "compute.compile", asked, engine=_ENGINE, timeout=timeout)
        if reply.value is None:
            raise Unsupported(
                "GLSL is compiled with Vulkan, Metal or Direct3D 12, and this machine has none of them.",
                hint="A software Vulkan such as lavapipe (the package mesa-vulkan-drivers) is enough.",
            )
        errors += _told_once(list(zip(stages, reply.value, strict=True)))
    return errors


def _source(workspace: Workspace, path: str) -> ComputeSource:
    def read(address: str) -> str | None:
        try:
            return workspace.files.read(workspace.place(address)).decode("utf-8", "replace")
        except Fault:
            return None

    return read_compute_source(path, read(path) or "", read)


def _told_once(compiled: Sequence[tuple[Stage, str]]) -> list[ScriptError]:
    """The errors of all versions, each once; one that only some versions have names them."""
    versions: dict[ScriptError, dict[str, None]] = {}
    for stage, text in compiled:
        for error in _errors(stage, text):
            versions.setdefault(error, {})[stage.version] = None
    count = len({stage.version for stage, _ in compiled})
    return [
        error
        if len(names) == count
        else msgspec.structs.replace(error, message=f"{error.message} (version {', '.join(names)})")
        for error, names in versions.items()
    ]


def _errors(stage: Stage, text: str) -> list[ScriptError]:
    errors: list[ScriptError] = []
    for match in _COMPLAINT.finditer(text):
        if _EMPTY.search(match[3]):
            continue
        path, line = stage.place(int(match[2] or 1))
        errors.append(ScriptError(path=path, line=line, message=" ".join(match[3].split()), severity=match[1].lower()))
    if text.strip() and not errors:
        path, line = stage.place(1)
        errors.append(ScriptError(path=path, line=line, message=" ".join(text.split())))
    return errors
