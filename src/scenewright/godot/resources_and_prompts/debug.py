"""The running game as resources: output, stream, breakpoints, stack and variables; an answer also where none runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scenewright.core.faults import NotFound
from scenewright.core.operations.resources_and_prompts import Content, Resource
from scenewright.core.runtime import Runtime
from scenewright.godot.resources_and_prompts.operation_resources import Read, answer, answered_by, as_json

if TYPE_CHECKING:
    from scenewright.godot.engine.games import Games

__all__ = ["RESOURCES"]

_LINES = 100


async def _output(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del values
    nothing: dict[str, Any] = {"running": False, "paused": False, "lines": [], "errors": [], "cursor": 0}
    try:
        return as_json(await answer(runtime, "get_debug_output", {"limit": _LINES}))
    except NotFound:
        return as_json(nothing)


async def _breakpoints(runtime: Runtime, values: Mapping[str, str]) -> Content:
    del values
    marks = _games(runtime).breakpoints.get(runtime.project.root, {})
    return as_json({"breakpoints": [{"path": mark.path, "line": mark.line} for mark in sorted(marks)]})


def _pause_part(name: str) -> Read:
    """One part of where a paused game stands."""

    async def read(runtime: Runtime, values: Mapping[str, str]) -> Content:
        del values
        try:
            state = await answer(runtime, "get_debug_state", {})
        except NotFound:
            state = {"paused": False}
        pause = {key: state[key] for key in ("paused", "reason") if key in state}
        return as_json(pause | {name: state.get(name) or []})

    return read


def _games(runtime: Runtime) -> Games:
    from scenewright.godot.engine.games import Games

    return runtime.services.get(Games, Games)


RESOURCES = (
    Resource(
        uri="godot://debug/output",
        name="debug-output",
        title="Game Output",
        read=_output,
        description="What the running game printed, and its errors and warnings.",
    ),
    Resource(
        uri="godot://debug/stream",
        name="debug-stream",
        title="Debug Stream",
        read=answered_by("get_debug_stream_status"),
        description="Whether games started elsewhere can join.",
    ),
    Resource(
        uri="godot://debug/breakpoints",
        name="debug-breakpoints",
        title="Breakpoints",
        read=_breakpoints,
        description="The breakpoints of the project.",
    ),
    Resource(
        uri="godot://debug/stack",
        name="debug-stack",
        title="Stack",
        read=_pause_part("stack"),
        description="The call stack of a paused game.",
    ),
    Resource(
        uri="godot://debug/variables",
        name="debug-variables",
        title="Variables",
        read=_pause_part("variables"),
        description="The variables of the innermost stack frame.",
    ),
)
