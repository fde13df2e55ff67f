"""Games that run: started by us or joined from outside, watched through the engine's debugger."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

from scenewright.core.faults import Conflict, NotFound, TimedOut
from scenewright.godot.engine.binary import Binary
from scenewright.godot.engine.debugger.greeting import is_game
from scenewright.godot.engine.debugger.lost_output import unheard
from scenewright.godot.engine.debugger.session import DebuggerSession, Transcript
from scenewright.godot.engine.debugger.stops import BreakpointRule
from scenewright.godot.engine.process import EngineProcess, lines_of
from scenewright.godot.engine.streams import DebugStream, StreamPlan
from scenewright.godot.engine.user_folder import EngineFolders

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit
    from scenewright.godot.engine.debugger.guest import Guest

__all__ = ["Breakpoint", "Game", "Games", "can_show_windows"]

logger = logging.getLogger(__name__)

_START_SECONDS = 30.0
_LOOK_SECONDS = 0.05
_STOP_SECONDS = 5.0
_SETTLE_SECONDS = 2.0
_KEPT_LINES = 400
_KEPT_RUNS = 5


@dataclass(frozen=True, slots=True, order=True)
class Breakpoint:
    path: str
    line: int


def can_show_windows() -> bool:
    """Return whether a window could be opened here."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@dataclass(slots=True)
class Game:
    """One run of a project, or a game that joined from outside."""

    scene: str | None
    headless: bool
    pause_on_error: bool = False
    arguments: Sequence[str] = ()
    keeps_data: bool = True  # user:// is that of earlier games of ours, else it is empty and thrown away
    engine_arguments: Sequence[str] = ()
    folders: EngineFolders | None = None  # where they are not those that keeps_data chooses
    run: int = 0  # its number among the games of its project, from 1
    guest: Guest | None = None  # once it was asked something
    heard: Callable[[str], None] | None = None  # told each line that the process prints, in a thread of its own
    transcript: Transcript = field(default_factory=Transcript)
    session: DebuggerSession | None = None
    process: EngineProcess | None = None
    raw: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    started: float = field(default_factory=monotonic)
    joined: bool = True  # whether the debugger's line is still there
    over: Event = field(default_factory=Event)  # it has ended, and all that it said is in the transcript

    @property
    def running(self) -> bool:
        return self.process.poll() is None if self.process is not None else self.joined

    @property
    def exit_code(self) -> int | None:
        return self.process.poll() if self.process is not None else None

    def settle(self) -> None:
        """Wait until everything is known that a game which has ended said."""
        if self.process is not None and self.process.poll() is not None:
            self.over.wait(_SETTLE_SECONDS)

    def conclude(self) -> None:
        """Add what the game printed last, if its end kept that from the debugger."""
        if self.session is not None:
            self.session.hear_out(_SETTLE_SECONDS)
        raw = list(self.raw)
        lines, complaints = unheard(raw, self.transcript.since(), whole=len(raw) < _KEPT_LINES)
        for line in lines:
            self.transcript.add("output", line)
        for complaint in complaints:
            self.transcript.add("error", complaint)
        self.over.set()

    def stop(self) -> None:
        """End the game, politely first."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.settle()
        if self.session is not None:
            self.session.close()


class Games:
    """The game of each project that this process runs or watches."""

    def __init__(self) -> None:
        self._games: dict[Path, Game] = {}
        self._runs: dict[Path, list[Game]] = {}  # the last ones, which have what they said
        self._starting = Lock()  # of two started at once, one would be lost and run on
        self._streams: dict[Path, DebugStream] = {}
        self.breakpoints: dict[Path, dict[Breakpoint, BreakpointRule]] = {}
        self.on_news: Callable[[Path], None] | None = None  # told of whichever project's game something happened to

    def find(self, project: Path) -> Game | None:
        return self._games.get(project)

    def find_run(self, project: Path, number: int) -> Game | None:
        """Return a run by its number, while what it said is kept."""
        return next((game for game in self._runs.get(project, ()) if game.run == number), None)

    def current(self, project: Path) -> Game:
        """Return the game of a project, also one that has ended.

        Raises:
            NotFound: none was started.
        """
        game = self._games.get(project)
        if game is None:
            raise NotFound("No game of this project was started.", hint="Start one with run_project.")
        return game

    def start(self, permit: Permit, binary: Binary, project: Path, game: Game) -> None:
        """Run a project; one that still runs is stopped first.

        Raises:
            TimedOut: it does not come up.
        """
        with self._starting:
            self.stop(project)
            with socket.create_server(("127.0.0.1", 0)) as listener:
                port = listener.getsockname()[1]
                command = [str(binary.path), *(["--headless"] if game.headless else []), "--path", str(project)]
                command += ["--remote-debug", f"tcp://127.0.0.1:{port}"]
                if marks := sorted(self.breakpoints.get(project, ())):
                    command += ["--breakpoints", ",".join(f"{mark.path}:{mark.line}" for mark in marks)]
                command += [*game.engine_arguments]
                command += [game.scene] if game.scene else []
                command += ["--", *game.arguments] if game.arguments else []
                folders = game.folders or (EngineFolders.of_project(project) if game.keeps_data else None)
                game.process = EngineProcess(permit, command, cwd=project, folders=folders)
                self._add_game(project, game)
                Thread(target=_drain, args=(game,), name="godot-game-output", daemon=True).start()
                line = _accept(listener, game)
            if line is not None:
                game.session = _join(game, line, self.rules(project), pause_on_error=game.pause_on_error)

    def stop(self, project: Path) -> Game | None:
        game = self._games.get(project)
        if game is not None:
            game.stop()
        return game

    def listen(self, project: Path, plan: StreamPlan) -> DebugStream:
        """Open a port for games that are started elsewhere with `--remote-debug`, and for listeners.

        Raises:
            Conflict: the port is taken, or there is one already.
        """
        if (open_already := self.listening(project)) is not None:
            raise Conflict(
                f"A debug stream is open on port {open_already.port} already.", hint="Stop it first.", retryable=False
            )

        def take(line: socket.socket) -> None:
            game = Game(None, headless=False)
            game.session = _join(game, line, self.rules(project), pause_on_error=False)
            self._add_game(project, game)

        self._streams[project] = DebugStream(plan, lambda: self.find(project), take)
        return self._streams[project]

    def rules(self, project: Path) -> dict[tuple[str, int], BreakpointRule]:
        """Return what breakpoints of a project ask before they stop, by script and line."""
        marks = self.breakpoints.get(project, {})
        return {(mark.path, mark.line): rule for mark, rule in marks.items() if rule.condition or rule.log}

    def _add_game(self, project: Path, game: Game) -> None:
        runs = self._runs.setdefault(project, [])
        game.run = runs[-1].run + 1 if runs else 1
        runs.append(game)
        del runs[:-_KEPT_RUNS]
        self._games[project] = game
        game.transcript.on_news = lambda: self.on_news(project) if self.on_news else None
        game.transcript.notify()

    def listening(self, project: Path) -> DebugStream | None:
        """Return the project's debug stream, while it is open."""
        stream = self._streams.get(project)
        return stream if stream is not None and stream.is_open else None

    def stop_listening(self, project: Path) -> bool:
        stream = self.listening(project)
        if stream is not None:
            stream.close()
        self._streams.pop(project, None)
        return stream is not None

    def close(self) -> None:
        for project in list(self._streams):
            self.stop_listening(project)
        for game in self._games.values():
            game.stop()
        self._games.clear()


def _join(
    game: Game, line: socket.socket, rules: Mapping[tuple[str, int], BreakpointRule], *, pause_on_error: bool
) -> DebuggerSession:
    def ended() -> None:
        game.joined = False

    return DebuggerSession(line, game.transcript, rules=rules, pauses_on_error=pause_on_error, on_end=ended)


def _drain(game: Game) -> None:
    assert game.process is not None
    assert game.process.stdout is not None
    with game.process.stdout as stream:
        for line in lines_of(stream):
            game.raw.append(line)
            if game.heard is not None:
                game.heard(line)
    game.process.wait()
    game.conclude()
    game.transcript.notify()


def _accept(listener: socket.socket, game: Game) -> socket.socket | None:
    """The game's line, and nobody else's; None where it ended before it could call."""
    deadline = monotonic() + _START_SECONDS
    listener.settimeout(_LOOK_SECONDS)  # so that a game that ends at once is noticed
    callers: list[socket.socket] = []
    try:
        while monotonic() < deadline:
            was_running = game.running
            with suppress(TimeoutError):
                callers.append(listener.accept()[0])
            if (line := _game_among(callers)) is not None or not was_running:
                return line
    finally:
        for line in callers:
            line.close()
    game.stop()
    raise TimedOut(f"The game did not start within {_START_SECONDS:g} s.", hint="Check that the project runs.")


def _game_among(callers: list[socket.socket]) -> socket.socket | None:
    """Take the one out that speaks as a game does, and those that never will."""
    for line in list(callers):
        verdict = is_game(line)
        if verdict is not None:
            callers.remove(line)
        if verdict:
            line.settimeout(None)
            return line
        if verdict is False:
            line.close()
    return None
