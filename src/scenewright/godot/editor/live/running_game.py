"""The game that a person runs from the open editor: what the tools for games of our own say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Fault, NotFound, Unsupported

__all__ = ["EditorGame", "editor_game", "no_game_of_ours"]

TOOLS = "godot_run_action has pause_scene, resume_scene and stop_scene; get_debug_output and godot_get_errors show it"


@dataclass(frozen=True, slots=True)
class EditorGame:
    """A game as the editor knows it: the one that runs, or ran last."""

    run: int
    running: bool
    scene: str
    halted: bool  # stands still in the editor's debugger
    lines: list[str]
    errors: list[dict[str, Any]]  # oldest first
    cursor: int
    reason: str | None = None  # why it ended
    exit_code: int | None = None


async def editor_game(call: Call, cursor: int = 0) -> EditorGame | None:
    """Return the editor's game with what it said after a cursor; None where no editor is open or none has run."""
    from scenewright.godot.editor.live.access import ask

    if call.stage is None:
        return None
    try:
        answer = await ask(call, "scenewright.get_game", {"cursor": cursor})
    except Fault:
        return None  # it cannot be asked now, or its addon is older
    if not answer["run"]:
        return None
    code = answer.get("exit_code")
    return EditorGame(
        run=int(answer["run"]),
        running=bool(answer["running"]),
        scene=str(answer["scene_path"]),
        halted=bool(answer["halted"]),
        lines=list(answer["lines"]),
        errors=list(answer["errors"]),
        cursor=int(answer["cursor"]),
        reason=answer.get("reason"),
        exit_code=None if code is None else int(code),
    )


async def no_game_of_ours(call: Call, *, ended: bool = False) -> Fault:
    """Return the fault of what needs a game that this server started: it says so where the editor runs one."""
    game = await editor_game(call)
    if game is not None and game.running:
        return Unsupported(
            f"The game that runs ({game.scene}) was started in the editor, which holds its debugger.", hint=f"{TOOLS}."
        )
    if ended:
        return NotFound("The game has ended.", hint="Start it with run_project.")
    if game is not None:
        return NotFound(
            f"The game that ran from the editor ({game.scene}) has ended.",
            hint="get_debug_output shows what it said; run_project starts one.",
        )
    return NotFound("No game of this project was started.", hint="Start one with run_project.")
