"""The game that a person or run_project runs, asked in the words of a session: it goes on all the while.

It answers what a session does, but frames pass between two calls, nothing repeats, and none of it makes a tape.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import anyio.from_thread

from scenewright.core.faults import NotFound, Unsupported
from scenewright.godot.engine.complaints import Complaint
from scenewright.godot.engine.debugger.guest import FOLDER, Guest, parse_answer
from scenewright.godot.engine.worker import Progress, Reply, Worker
from scenewright.godot.play.sessions import RUNNING, Session, Start

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.games import Game

__all__ = ["RunningGame"]

_FREELY: Final = (
    "This game runs freely: frames pass between calls, and nothing repeats. play_begin starts one that waits for you."
)
_PATIENCE: Final = 15.0


class RunningGame(Session):
    """The game that runs, as a call sees it: one of ours, else the editor's. It has no engine of a session."""

    __slots__ = ("_call", "_own", "answer", "run")

    def __init__(self, call: Call, own: Game | None) -> None:
        no_worker = cast("Worker", None)
        super().__init__(RUNNING, call.state.project.root, Start("", seed=0, fps=0), no_worker, ExitStack())
        self._call = call
        self._own = own
        self.run = own.run if own is not None else 0
        self.answer: dict[str, Any] = {}

    @property
    def is_own(self) -> bool:
        return self._own is not None

    def ask(
        self, method: str, params: Mapping[str, Any], *, timeout: float = 60.0, on_progress: Progress | None = None
    ) -> Reply:
        """Ask the game; called in a worker thread.

        Raises:
            NotFound: none runs.
        """
        del on_progress
        from scenewright.godot.engine.probe_expressions import SINGLETONS

        given = {**params, "singletons": SINGLETONS}
        seconds = min(timeout, _PATIENCE) if method != "step" else timeout
        reply = (
            self._ask_own(self._own, method, given, seconds) if self._own else self._ask_editor(method, given, seconds)
        )
        self.answer = reply.value
        self.frame = int(reply.value.get("frame", 0))
        if reply.value.get("hash"):
            self.digest = reply.value
        if reply.value.get("stopped") == "quit":
            self.over = f"it quit at frame {self.frame}"
        return reply

    def note_event(self, kind: str, given: dict[str, Any], came: dict[str, Any]) -> None:
        """Keep nothing: what ran freely makes no tape."""

    def end(self, reason: str) -> None:
        """Let the game run on; a step that is under way is cut short."""
        del reason
        if self._own is not None and self._own.guest is not None:
            self._own.guest.cancel()

    def _ask_own(self, game: Game, method: str, params: dict[str, Any], timeout: float) -> Reply:
        if game.session is None or not game.running:
            raise NotFound("The game has ended.", hint="run_project starts one; get_debug_output shows what it said.")
        if game.guest is None:
            game.guest = Guest(game.session)
            self._call.warnings.append(_FREELY)
        before = game.transcript.last
        value = game.guest.ask(method, params, timeout=timeout)
        said = game.transcript.since(before)
        complaints = [entry for _, kind, entry in said if kind == "error"]
        return Reply(value, complaints, {}, [str(entry) for _, kind, entry in said if kind == "output"])

    def _ask_editor(self, method: str, params: dict[str, Any], timeout: float) -> Reply:
        return anyio.from_thread.run(self._ask_editor_game, method, params, timeout)

    async def _ask_editor_game(self, method: str, params: dict[str, Any], timeout: float) -> Reply:
        import json

        from scenewright.godot.editor.live.access import ask
        from scenewright.godot.editor.live.running_game import editor_game

        before = await editor_game(self._call)
        if before is None or not before.running:
            raise NotFound("No game is being played, and none runs.", hint="play_begin or run_project starts one.")
        if before.halted:
            raise Unsupported("The game stands still in the editor's debugger.", hint="Continue it there.")
        self.run = before.run
        answer = await ask(
            self._call,
            "scenewright.ask_game",
            {"folder": str(FOLDER), "method": method, "params": json.dumps(params), "timeout_ms": int(timeout * 1000)},
            timeout=timeout + 5.0,
        )
        if answer["joined"]:
            self._call.warnings.append(_FREELY)
        after = await editor_game(self._call, before.cursor)
        complaints = [_complaint(error) for error in after.errors] if after is not None else []
        return Reply(parse_answer(answer["answer"]), complaints, {}, after.lines if after is not None else [])


def _complaint(error: Mapping[str, Any]) -> Complaint:
    source = error.get("source") or {}
    severity: Literal["error", "warning"] = "warning" if error["severity"] == "warning" else "error"
    path, line = source.get("script") or None, int(source.get("line") or 0) or None
    return Complaint(severity, "script", str(error["message"]), path, line)
