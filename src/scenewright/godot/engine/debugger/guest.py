"""Our part in a game that runs: a node that answers, put there over the debugger's line and by nothing else.

The engine lets whoever debugs a game add nodes, give them a script and call them, as its live editing does. So no file
of the project is touched, and any game can be joined whose debugger's line is ours, whenever it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Final

from scenewright.core.faults import Conflict, NotConnected, TimedOut, Unsupported
from scenewright.godot.engine.debugger.session import DebuggerSession

__all__ = ["FOLDER", "PREFIX", "Guest", "parse_answer"]

FOLDER: Final = Path(__file__).parents[1] / "worker_scripts"
PREFIX: Final = "scenewright_game"
_NODE: Final = "ScenewrightGuest"
_NUMBER: Final = 1 << 20  # by which the engine knows the node's path
_LOOK_SECONDS: Final = 0.25
_ROW: Final = 6  # of a tree: children, name, class, id, scene, flags


class Guest:
    """The answering node of one game, and the way to ask it."""

    def __init__(self, session: DebuggerSession) -> None:
        self._session = session
        self._joined = False
        self._scene: str | None = None
        self._trees = 0  # how often it told its tree
        self._asked = 0
        self._answers: dict[int, str] = {}
        self.lock = Lock()  # one request at a time
        session.hear("scene:scene_tree", self._note_tree)
        session.hear(f"{PREFIX}:hello", self._note_hello)
        session.hear(f"{PREFIX}:bye", self._note_bye)
        session.hear(f"{PREFIX}:answer", self._note_answer)
        session.hear(f"{PREFIX}:suspend", self._suspend)

    def ask(self, method: str, params: Mapping[str, Any], *, timeout: float) -> dict[str, Any]:
        """Return what the game answers; it is joined first.

        Raises:
            Unsupported: it stands at a breakpoint, or shows no scene that could be joined.
            Conflict: it is busy with a step that another call began.
            TimedOut: it does not answer.
            NotConnected: it ended.
        """
        with self.lock:
            deadline = monotonic() + timeout
            self._join(deadline)
            self._asked += 1
            number = self._asked
            self._session.send(f"{PREFIX}:ask", number, method, json.dumps(params), thread=1)
            try:
                self._wait(lambda: number in self._answers, deadline, method)
            except TimedOut:
                self.cancel()
                raise
            answer = self._answers.pop(number)
            self._answers.clear()  # of requests that were given up
            return parse_answer(answer)

    def cancel(self) -> None:
        """Have a step that is under way come to its end."""
        self._session.send(f"{PREFIX}:cancel", thread=1)

    def _join(self, deadline: float) -> None:
        if self._joined:
            return
        self._find_scene(deadline)
        send = self._session.send
        send("scene:live_set_root", "/root", self._scene, thread=1)
        send("scene:live_create_node", "/root", "Node", _NODE, thread=1)
        send("scene:live_node_path", f"/root/{_NODE}", _NUMBER, thread=1)
        send("scene:live_node_prop_res", _NUMBER, "script", str(FOLDER / "guest.gd"), thread=1)
        send("scene:live_node_call", _NUMBER, "_scenewright_join", str(FOLDER), thread=1)
        self._wait(lambda: self._joined, deadline, "join")

    def _find_scene(self, deadline: float) -> None:
        """Live editing goes by a scene that is in the tree; a game that starts has none yet."""
        while self._scene is None:
            known = self._trees
            self._session.send("scene:request_scene_tree", thread=1)
            self._wait(partial(self._has_told, known), deadline, "join")
            if self._scene is None:
                self._session.wait(lambda: self._session.is_over, _LOOK_SECONDS)

    def _has_told(self, known: int) -> bool:
        return self._trees > known

    def _wait(self, until: Callable[[], bool], deadline: float, what: str) -> None:
        while not until():
            if self._session.is_over:
                raise NotConnected("The game has ended.", hint="get_debug_output shows what it said last.")
            if self._session.stopped is not None:
                raise Unsupported(
                    f"The game stands still in the debugger: {self._session.stopped.reason or 'paused'}.",
                    hint="get_debug_state shows where; debug_resume lets it go on.",
                )
            left = deadline - monotonic()
            if left <= 0:
                raise TimedOut(f"The game did not answer '{what}' in time.", hint="It may hang; stop_project ends it.")
            self._session.wait(lambda: until() or self._session.stopped is not None, min(left, _LOOK_SECONDS))

    def _note_tree(self, data: Sequence[Any]) -> None:
        scenes = [str(data[at + 4]) for at in range(0, len(data) - _ROW + 1, _ROW)]
        self._scene = next((scene for scene in scenes if scene), None)
        self._trees += 1

    def _note_hello(self, _data: Sequence[Any]) -> None:
        self._joined = True

    def _note_bye(self, _data: Sequence[Any]) -> None:
        self._joined = False
        self._scene = None

    def _note_answer(self, data: Sequence[Any]) -> None:
        self._answers[int(data[0])] = str(data[1])

    def _suspend(self, data: Sequence[Any]) -> None:
        """Do what the guest cannot: the engine lets only the debugger suspend a game.

        One that goes on takes no input until the tool of its game view is chosen again.
        """
        suspended = bool(data[0])
        self._session.send("scene:suspend_changed", suspended, thread=1)
        if not suspended:
            self._session.send("scene:runtime_node_select_set_type", 0, thread=1)


def parse_answer(text: str) -> dict[str, Any]:
    """Return an answer.

    Raises:
        Conflict: the game is busy.
    """
    answer: dict[str, Any] = json.loads(text)
    if answer.get("busy"):
        raise Conflict("A step of the running game is still under way.", hint="Ask again once it is over.")
    return answer
