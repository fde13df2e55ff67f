"""Has the real engine load scenes, many at once, and says what it complains of in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scenewright.core.faults import Fault
from scenewright.godot.engine.complaints import Complaint
from scenewright.godot.engine.pool import MOST
from scenewright.godot.engine.requests import ask_engines

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.worker import Reply

__all__ = ["Loaded", "load_scenes"]

_MOST_AT_ONCE = 50  # more would make progress coarse, and a crash costly
_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of loading one file and making its nodes."""

    path: str
    loads: bool
    nodes: int
    complaints: list[Complaint]


async def load_scenes(call: Call, paths: Sequence[str]) -> list[Loaded]:
    """Load files of the project, and instantiate the scenes among them, on all cores; in the order given.

    One that crashes or hangs the engine is found out and is a complaint of its own.

    Raises:
        Unsupported: there is no Godot to be had.
    """
    loaded: dict[str, Loaded] = {}
    waiting = _split_paths(paths)
    while waiting:
        replies = await ask_engines(call, "scenes.check", [{"paths": part} for part in waiting], timeout=_SECONDS)
        again: list[list[str]] = []
        for part, reply in zip(waiting, replies, strict=True):
            if not isinstance(reply, Fault):
                loaded |= {each.path: each for each in _read_reply(part, reply)}
            elif len(part) > 1:
                again += [[path] for path in part]
            else:
                loaded[part[0]] = Loaded(part[0], False, 0, [Complaint("error", "engine", reply.message)])
        waiting = again
    return [loaded[path] for path in paths]


def _split_paths(paths: Sequence[str]) -> list[list[str]]:
    size = max(1, min(_MOST_AT_ONCE, -(-len(paths) // (MOST * 4))))
    return [list(paths[start : start + size]) for start in range(0, len(paths), size)]


def _read_reply(part: list[str], reply: Reply) -> list[Loaded]:
    return [
        Loaded(path, bool(value["loads"]), int(value["nodes"]), reply.about.get(path, []))
        for path, value in zip(part, reply.value, strict=True)
    ]
