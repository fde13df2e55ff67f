"""The game that runs by itself, one of ours or the editor's: waiting until it is up, and suspending it.

All else that can be done to it is what `look`, `step`, `set`, `call` and the others do to a session.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import anyio
import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, TimedOut
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.godot.play.operations.records import running_game_of

__all__ = ["OPERATIONS"]

_LOOK_SECONDS = 0.1
_MOST_SECONDS = 120_000


class WaitInputs(Inputs, frozen=True, kw_only=True):
    timeout_ms: Annotated[int, about("How long to wait.", ge=0, le=_MOST_SECONDS)] = 20_000


class SuspendInputs(Inputs, frozen=True, kw_only=True):
    suspended: Annotated[bool, about("false lets it go on.")] = True


class Running(Outputs, frozen=True, kw_only=True):
    run: Annotated[int, about("Number of the run, which its errors and output bear.")]
    by: Annotated[str, about("Who runs it: scenewright or the editor.")]
    scene: Annotated[str, about("Scene that runs.")]
    frame: Annotated[int, about("Frames since it was joined.")]
    suspended: Annotated[bool, about("Whether it stands still; a step takes its frames all the same.")]


@operation(
    id="godot.game.wait",
    name="Wait for Game",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="wait_for_game",
    manager="godot_debug_manager",
    action="wait",
    timeout=_MOST_SECONDS / 1000 + 10,
    transactional=False,
    executes="always",
    notes="Of run_project or the editor. play_look, play_step, play_set and the like then work on it (session: "
    "running), but it runs freely: frames pass between calls, and nothing repeats.",
    examples=(
        Example(
            "After run_project",
            {},
            {"run": 1, "by": "scenewright", "scene": "res://main.tscn", "frame": 12, "suspended": False},
        ),
    ),
)
async def wait_for_game(call: Call, inputs: WaitInputs) -> Running:
    """Waits until the game that runs is up: its scene is there, and it answers."""
    problem: NotFound | TimedOut | None = None
    with anyio.move_on_after(inputs.timeout_ms / 1000):
        while True:
            try:
                return await _ask(call, "state", {})
            except (NotFound, TimedOut) as not_yet:
                problem = not_yet
            await anyio.sleep(_LOOK_SECONDS)
    why = f" {problem.message}" if problem is not None else ""
    raise TimedOut(
        f"No game was up within {inputs.timeout_ms / 1000:g} s.{why}", hint="get_debug_output shows what it said."
    )


@operation(
    id="godot.game.suspend",
    name="Suspend Game",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="suspend_game",
    manager="godot_debug_manager",
    action="suspend",
    transactional=False,
    executes="always",
    notes="Nothing runs in it then, its own pause menu neither, and what was held is released; play_step takes frames "
    "one by one. Before Godot 4.4 its tree is paused instead.",
    examples=(
        Example(
            "A look at leisure",
            {},
            {"run": 1, "by": "scenewright", "scene": "res://main.tscn", "frame": 340, "suspended": True},
        ),
    ),
)
async def suspend_game(call: Call, inputs: SuspendInputs) -> Running:
    """Suspends the game that runs, or lets it go on."""
    return await _ask(call, "suspend", {"suspended": inputs.suspended})


OPERATIONS = (wait_for_game, suspend_game)


async def _ask(call: Call, method: str, params: dict[str, Any]) -> Running:
    game = running_game_of(call)
    await anyio.to_thread.run_sync(partial(game.ask, method, params), abandon_on_cancel=True)
    answer = game.answer
    call.summary = f"Run {game.run}, frame {game.frame}{', suspended' if answer['suspended'] else ''}."
    return Running(
        run=game.run,
        by="scenewright" if game.is_own else "editor",
        scene=answer["runs"],
        frame=game.frame,
        suspended=answer["suspended"],
    )
