"""An engine that runs tests and ends: in folders of its own, watched through the debugger, ended when it is late."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from scenewright.godot.engine.complaints import Complaint, plain
from scenewright.godot.engine.games import Game, Games
from scenewright.godot.engine.user_folder import EngineFolders
from scenewright.godot.engine.watchdog import watchdog
from scenewright.godot.testing.junit import MOST_BYTES

if TYPE_CHECKING:
    from scenewright.core.policy.execution import Permit
    from scenewright.godot.engine.binary import Binary

__all__ = ["EngineRun", "Follow", "Start", "run_engine"]

_LOOK_SECONDS: Final = 0.25
_KEPT: Final = 4000
_STEERING: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours, and where a line goes on
Follow = Callable[[str], None]


@dataclass(slots=True)
class EngineRun:
    """What came of it."""

    exit_code: int | None = None  # none where it was ended
    lines: list[str] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    report: str | None = None  # the file it was to write
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Start:
    """What runs tests: leave to do so, the engine, and the project."""

    permit: Permit
    binary: Binary
    project: Path
    holding: Callable[[Any], None]  # told of what to end where the call is cancelled
    seconds: float  # how long it may take


def run_engine(
    start: Start,
    arguments: Sequence[str],
    *,
    scene: str | None = None,
    report: str | None = None,
    follow: Follow | None = None,
) -> EngineRun:
    """Run an engine to its end, and tell each line as it comes; `report` is a file of its user:// to return."""
    folders = EngineFolders.fresh()
    watchdog.hold(folders)
    folders.kept = True  # beyond the engine, until the report is read
    said: SimpleQueue[str] = SimpleQueue()
    engine_arguments = ["--audio-driver", "Dummy", *arguments]
    game = Game(scene, headless=True, engine_arguments=engine_arguments, folders=folders, heard=said.put)
    run = EngineRun()
    try:
        began = monotonic()
        start.holding(_Held(game))
        Games().start(start.permit, start.binary, start.project, game)
        _follow_game(game, said, run, began + start.seconds, follow)
        run.seconds = monotonic() - began
        run.report = _read_report(folders.folder, report) if report is not None else None
        return run
    finally:
        game.stop()
        folders.kept = False
        folders.remove()
        watchdog.release(folders)


@dataclass(frozen=True, slots=True)
class _Held:
    """A game as what can be killed."""

    game: Game

    def kill(self) -> None:
        if self.game.process is not None and self.game.process.poll() is None:
            self.game.process.kill()


def _follow_game(game: Game, said: SimpleQueue[str], run: EngineRun, deadline: float, follow: Follow | None) -> None:
    while game.running and monotonic() < deadline:
        with suppress(Empty):
            _take_line(said.get(timeout=_LOOK_SECONDS), run, follow)
    run.exit_code = game.exit_code
    game.stop()
    with suppress(Empty):
        while True:
            _take_line(said.get_nowait(), run, follow)
    run.complaints = [value for _, kind, value in game.transcript.since() if kind == "error"]


def _take_line(raw: str, run: EngineRun, follow: Follow | None) -> None:
    line = _STEERING.sub("", plain(raw))
    run.lines.append(line)
    del run.lines[:-_KEPT]
    if follow is not None:
        follow(line)


def _read_report(folder: Path, name: str) -> str | None:
    """The first file of the name below a folder, as much of it as may be read."""
    for place in sorted(folder.rglob(name)):
        if place.is_file() and not place.is_symlink():
            with place.open("rb") as file:
                return file.read(MOST_BYTES).decode("utf-8", "replace")
    return None
