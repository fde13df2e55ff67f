"""The process that runs a script: reads the place and the request, answers with one line of JSON, and ends.

It is given a time by its parent, which ends it, and takes memory limits upon itself. Nothing that a script can reach
leads out of the virtual machine.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

__all__ = ["main"]

SLACK = 512 << 20  # bytes that Python, the place and the machine itself take beside a script's own


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)  # the virtual machine prints when it ends
    request = json.loads(sys.stdin.buffer.readline())
    place = sys.stdin.buffer.read()
    _limit(request["memory"] + SLACK + 8 * len(place))
    answer = _run(request, place)
    answers.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogateescape"))
    answers.close()
    # No leave-taking: a script may have left the machine in a state that it does not survive.
    os._exit(0)


def _limit(memory: int) -> None:
    if sys.platform == "win32":
        return  # the machine's own limit and the parent's clock must do
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _run(request: dict[str, Any], place: bytes) -> dict[str, Any]:
    from scenewright.roblox.luau.machine import FOLDER, Machine
    from scenewright.roblox.luau.world import TreeWorld
    from scenewright.roblox.place.documents import read_tree

    world = TreeWorld(read_tree("place.rbxl", place))
    machine = Machine(world, memory=request["memory"])
    machine.run_file(FOLDER / "env" / "changes.luau")
    machine.roblox.get("open")(0)
    state = machine.run_file(FOLDER / "env" / "script.luau", machine.values.into(request["payload"]))[0]
    while (answer := state.get("answer")) is None:
        seconds = machine.run_due()
        if state.get("answer") is None:
            if seconds is None:
                return _refusal(_reason_of_silence(world.said))
            time.sleep(min(seconds, 1.0))
    reply: dict[str, Any] = machine.values.out(answer)
    return reply | {"output": world.said}


def _reason_of_silence(said: list[tuple[str, str]]) -> str:
    """Return why no thread is left that could answer: one that ended in an error, or one that waits for nothing."""
    problem = next((message for level, message in reversed(said) if level == "error"), None)
    if problem is None:
        return "it waits for something that never comes."
    return f"it ended with an error: {problem.splitlines()[0] if problem else 'unknown'}"


def _refusal(message: str) -> dict[str, Any]:
    return {"success": False, "error": {"code": "INTERNAL_ERROR", "message": message}}
