"""Running the project in the real engine, and reading what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.policy.execution import permit_execution
from scenewright.core.text.counts import ERRORS_AND_WARNINGS, count_noun
from scenewright.godot.assets.missing_imports import set_apart_unimported
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.editor.live.running_game import EditorGame
    from scenewright.godot.engine.complaints import Complaint, Frame
    from scenewright.godot.engine.debugger.stops import Stop
    from scenewright.godot.engine.games import Game, Games

__all__ = [
    "OPERATIONS",
    "Said",
    "folded",
    "games_of",
    "own_game",
    "said_by",
    "said_in_editor",
    "said_of",
    "scene_to_run",
]

_TAIL = 50
_FIRST_SECONDS = 2.0  # in which a game that is to pause at an error is waited for
_STACK_SECONDS = 5.0


class Said(Record, frozen=True, kw_only=True):
    """An error or warning of a game."""

    severity: Annotated[str, about("error or warning.")]
    message: Annotated[str, about("What it says.")]
    path: Annotated[str, about("Script it comes from.")] | None = None
    line: Annotated[int, about("Line there.")] | None = None
    stack: Annotated[list[str], about("Calls that led there, innermost first: function (path:line).")] | None = None
    times: Annotated[int, about("How often, where more than once.")] | None = None
    run: Annotated[int, about("Number of the run that it is of.")] | None = None


class RunInputs(Inputs, frozen=True, kw_only=True):
    scene: Annotated[str, about("Scene to run; the project's main scene otherwise.")] | None = None
    headless: Annotated[bool, about("Without a window; by default where none can be shown.")] | None = None
    pause_on_error: Annotated[bool, about("Pause at a script error; one of the first two seconds is in the reply.")] = (
        False
    )
    arguments: Annotated[list[str], about("Arguments for the game.", max_length=50)] = msgspec.field(
        default_factory=list
    )


class Started(Outputs, frozen=True, kw_only=True):
    running: Annotated[bool, about("Whether it is up; a game may end at once.")]
    scene: Annotated[str, about("Scene that runs.")]
    headless: Annotated[bool, about("Whether it has no window.")]
    pid: Annotated[int, about("Process id.")]
    run: Annotated[int, about("Number of this run.")] = 0
    paused: Annotated[str, about("Why it stands still, where it soon did.")] | None = None
    stack: Annotated[list[str], about("Where it stands, innermost first: function (path:line).")] | None = None


@operation(
    id="godot.project.run",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="run_project",
    manager="godot_workspace_manager",
    action="run",
    timeout=60.0,
    transactional=False,
    notes="Needs Godot. A game of this project that still runs is stopped first. It ends with the server. Its user:// "
    "is kept between runs, apart from that of games the person starts.",
    executes="always",
    examples=(
        Example("The main scene", {}, {"running": True, "scene": "res://main.tscn", "headless": False, "pid": 4711}),
    ),
)
async def run_project(call: Call, inputs: RunInputs) -> Started:
    """Starts the game, or one scene of it, and watches it through the engine's debugger."""
    return await _start_game(call, inputs)


class Ended(Outputs, frozen=True, kw_only=True):
    was_running: Annotated[bool, about("Whether it was still running.")]
    exit_code: Annotated[int, about("How it ended; absent for one that joined from outside.")] | None
    output: Annotated[list[str], about("The last lines it printed.")]
    errors: Annotated[list[Said], about("Its last errors and warnings.")]


@operation(
    id="godot.project.stop",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="stop_project",
    manager="godot_workspace_manager",
    action="stop",
    transactional=False,
    examples=(Example("A running game", {}, {"wasRunning": True, "exitCode": 0, "output": ["Level 1"], "errors": []}),),
)
async def stop_project(call: Call, inputs: Inputs) -> Ended:
    """Stops the running game and returns the end of its output."""
    del inputs
    game = await own_game(call)
    was_running = game.running
    await anyio.to_thread.run_sync(game.stop)
    lines, errors, _ = said_by(game, 0)
    call.summary = "The game was stopped." if was_running else "The game had ended already."
    return Ended(was_running=was_running, exit_code=game.exit_code, output=lines[-_TAIL:], errors=errors[-_TAIL:])


@operation(
    id="godot.project.restart",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="restart_project",
    manager="godot_workspace_manager",
    action="restart",
    timeout=60.0,
    transactional=False,
    executes="always",
    examples=(Example("As before", {}, {"running": True, "scene": "res://main.tscn", "headless": False, "pid": 4712}),),
)
async def restart_project(call: Call, inputs: Inputs) -> Started:
    """Stops the game and starts the same scene again, as it was started."""
    del inputs
    game = await own_game(call)
    again = RunInputs(
        scene=game.scene, headless=game.headless, pause_on_error=game.pause_on_error, arguments=list(game.arguments)
    )
    return await _start_game(call, again)


class OutputInputs(Inputs, frozen=True, kw_only=True):
    cursor: Annotated[int, about("Only what came after this; 0 for all that is kept.", ge=0)] = 0
    limit: Annotated[int, about("Most lines and most errors to return.", ge=1, le=1000)] = 100
    only_errors: Annotated[bool, about("Leave out what was printed.")] = False
    pattern: Annotated[str, about("Only what contains this text, in upper or lower case.", max_length=200)] = ""
    run: Annotated[int, about("An earlier run of run_project; the last five are kept.", ge=1)] | None = None


class DebugOutput(Outputs, frozen=True, kw_only=True):
    running: Annotated[bool, about("Whether the game still runs.")]
    paused: Annotated[bool, about("Whether it is paused in the debugger.")]
    lines: Annotated[list[str], about("What it printed, the last ones where there are more.")]
    errors: Annotated[list[Said], about("Errors and warnings, likewise.")]
    cursor: Annotated[int, about("Pass this next time to get only what is new.")]
    exit_code: Annotated[int, about("How it ended.")] | None = None
    run: Annotated[int, about("Number of the run that all of this is of; the editor counts its own.")] | None = None
    scene: Annotated[str, about("Of a game that was run from the editor: its scene.")] | None = None
    left_out: Annotated[int, about("Earlier lines and errors that did not fit.")] | None = None


@operation(
    id="godot.debug.output",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_debug_output",
    manager="godot_debug_manager",
    action="output",
    examples=(
        Example(
            "All that is kept", {}, {"running": True, "paused": False, "lines": ["Level 1"], "errors": [], "cursor": 1}
        ),
    ),
)
async def get_debug_output(call: Call, inputs: OutputInputs) -> DebugOutput:
    """Returns what the game printed, and its errors and warnings with their stack; also of one run from the editor."""
    from scenewright.godot.editor.live.running_game import editor_game

    game = _run_of(call, inputs.run)
    if inputs.run is None and (game is None or not game.running):
        played = await editor_game(call, inputs.cursor)
        if played is not None and (played.running or game is None):
            return _output_of_editor(call, inputs, played)
    game = game or await own_game(call)
    paused = game.session is not None and game.session.stopped is not None
    lines, errors, cursor = await anyio.to_thread.run_sync(said_by, game, inputs.cursor)
    return _output(
        call,
        inputs,
        lines,
        errors,
        DebugOutput(
            running=game.running,
            paused=paused,
            lines=[],
            errors=[],
            cursor=cursor,
            exit_code=game.exit_code,
            run=game.run,
        ),
    )


def _run_of(call: Call, number: int | None) -> Game | None:
    """The game of a run that is asked for, or the last one."""
    games, root = games_of(call), call.state.project.root
    if number is None:
        return games.find(root)
    game = games.find_run(root, number)
    if game is None:
        raise NotFound(f"There is no run {number} of run_project, or it is no longer kept.", hint="Leave run out.")
    return game


def _output_of_editor(call: Call, inputs: OutputInputs, played: EditorGame) -> DebugOutput:
    """What the editor's game said in its last run; what earlier runs said is theirs."""
    errors = folded([said_in_editor(error) for error in played.errors])
    return _output(
        call,
        inputs,
        played.lines,
        errors,
        DebugOutput(
            running=played.running,
            paused=played.halted,
            lines=[],
            errors=[],
            cursor=played.cursor,
            exit_code=played.exit_code,
            run=played.run,
            scene=played.scene,
        ),
    )


def said_in_editor(error: dict[str, Any]) -> Said:
    """Return an error of the editor's journal."""
    source = error.get("source") or {}
    return Said(
        severity=error["severity"],
        message=error["message"],
        path=source.get("script") or None,
        line=int(source.get("line") or 0) or None,
        stack=error.get("stack_trace"),
    )


def _output(call: Call, inputs: OutputInputs, lines: list[str], errors: list[Said], known: DebugOutput) -> DebugOutput:
    """What was said, as far as it was asked for."""
    wanted = inputs.pattern.casefold()
    lines = [line for line in lines if wanted in line.casefold()]
    errors = [error for error in errors if wanted in error.message.casefold()]
    lines = [] if inputs.only_errors else lines
    left_out = max(len(lines) - inputs.limit, 0) + max(len(errors) - inputs.limit, 0)
    which = f"Run {known.run}{' from the editor' if known.scene else ''}: " if known.run else ""
    errors = [msgspec.structs.replace(error, run=known.run) for error in errors]
    call.summary = f"{which}{count_noun(len(lines), 'line')}, {count_noun(len(errors), *ERRORS_AND_WARNINGS)}."
    return msgspec.structs.replace(
        known, lines=lines[-inputs.limit :], errors=errors[-inputs.limit :], left_out=left_out or None
    )


class SmokeInputs(Inputs, frozen=True, kw_only=True):
    scene: Annotated[str, about("Scene to run; the project's main scene otherwise.")] | None = None
    wait_ms: Annotated[int, about("How long to let it run.", ge=100, le=60_000)] = 2000
    fail_on_issues: Annotated[bool, about("Fail the call on errors instead of only reporting them.")] = True


class Smoke(Outputs, frozen=True, kw_only=True):
    passed: Annotated[bool, about("Whether it ran without an error and did not crash.")]
    exit_code: Annotated[int, about("How it ended, where it ended by itself.")] | None
    output: Annotated[list[str], about("The last lines it printed.")]
    errors: Annotated[list[Said], about("Errors and warnings.")]


@operation(
    id="godot.project.smoke_test",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="smoke_test",
    manager="godot_workspace_manager",
    timeout=120.0,
    transactional=False,
    notes="Its user:// starts empty and is thrown away.",
    executes="always",
    examples=(
        Example("The main scene", {"waitMs": 1000}, {"passed": True, "exitCode": None, "output": [], "errors": []}),
    ),
)
async def smoke_test(call: Call, inputs: SmokeInputs) -> Smoke:
    """Runs the game without a window for a while, stops it, and says whether anything went wrong."""
    game, exit_code = await _run_for_a_while(call, inputs)
    lines, errors, _ = said_by(game, 0)
    broken = [error for error in errors if error.severity == "error"]
    passed = not broken and exit_code in (None, 0)
    errors = set_apart_unimported(call, errors, lambda each: each.message, lambda each: each.path)
    if not passed and inputs.fail_on_issues:
        what = broken[0].message if broken else f"it ended with {exit_code}"
        raise Invalid(
            f"The smoke test failed: {what}",
            rule="smoke_test",
            hint="Fix the errors in details.errors, or pass failOnIssues: false to get a report.",
            details={"errors": [_error_as_json(error) for error in errors[:20]], "exitCode": exit_code},
        )
    call.summary = (
        "The smoke test passed." if passed else f"The smoke test failed with {count_noun(len(broken), 'error')}."
    )
    return Smoke(passed=passed, exit_code=exit_code, output=lines[-_TAIL:], errors=errors[-_TAIL:])


async def _run_for_a_while(call: Call, inputs: SmokeInputs) -> tuple[Game, int | None]:
    """The game once it is over, and how it ended by itself."""
    await _start_game(call, RunInputs(scene=inputs.scene, headless=True), keeps_data=False)
    game = games_of(call).current(call.state.project.root)
    try:
        with anyio.move_on_after(inputs.wait_ms / 1000):
            await anyio.to_thread.run_sync(_until_ended, game, abandon_on_cancel=True)
        return game, game.exit_code
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(game.stop)


class Version(Outputs, frozen=True, kw_only=True):
    version: Annotated[str, about("Version, such as 4.6.3.")]
    build: Annotated[str, about("What the binary says to --version.")]
    path: Annotated[str, about("Where the binary is.")]


@operation(
    id="godot.engine.version",
    category="debug",
    safety=Safety.READ_ONLY,
    tool="get_godot_version",
    manager="godot_workspace_manager",
    action="version",
    examples=(
        Example(
            "An official build",
            {},
            {"version": "4.6.3", "build": "4.6.3.stable.official.7d41c59c4", "path": "/usr/bin/godot"},
        ),
    ),
)
def get_godot_version(call: Call, inputs: Inputs) -> Version:
    """Says which Godot would be used, and where it is."""
    from scenewright.godot.engine.binary import find_binary

    del inputs
    binary = find_binary()
    number = ".".join(map(str, binary.version))
    call.summary = f"Godot {number}."
    return Version(version=number, build=binary.build, path=str(binary.path))


OPERATIONS = (
    run_project,
    stop_project,
    restart_project,
    get_debug_output,
    smoke_test,
    get_godot_version,
)


async def own_game(call: Call) -> Game:
    """Return the game that this server started, also one that has ended.

    Raises:
        Unsupported: none was, and the editor runs one.
        NotFound: none was.
    """
    from scenewright.godot.editor.live.running_game import no_game_of_ours

    game = games_of(call).find(call.state.project.root)
    if game is None:
        raise await no_game_of_ours(call)
    return game


def games_of(call: Call) -> Games:
    from scenewright.godot.engine.games import Games

    return call.runtime.services.get(Games, Games)


def said_by(game: Game, cursor: int) -> tuple[list[str], list[Said], int]:
    """Return lines and errors after a cursor, and the cursor of the last."""
    game.settle()
    entries = game.transcript.since(cursor)
    lines = [value for _, kind, value in entries if kind == "output"]
    errors = [said_of(value) for _, kind, value in entries if kind == "error"]
    return lines, folded(errors), entries[-1][0] if entries else cursor


def folded(errors: Sequence[Said]) -> list[Said]:
    """Return each error once, where it came first, with how often: one in _process comes 60 times a second."""
    counts: dict[tuple[object, ...], int] = {}
    first: dict[tuple[object, ...], Said] = {}
    for error in errors:
        key = (error.severity, error.message, error.path, error.line, tuple(error.stack or ()))
        first.setdefault(key, error)
        counts[key] = counts.get(key, 0) + 1
    return [
        error if counts[key] == 1 else msgspec.structs.replace(error, times=counts[key]) for key, error in first.items()
    ]


async def _start_game(call: Call, inputs: RunInputs, *, keeps_data: bool = True) -> Started:
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.binary import find_binary
    from scenewright.godot.engine.games import Game, can_show_windows
    from scenewright.godot.engine.staged_copy import refuse_staged

    refuse_staged(call)
    await warn_of_unsaved(call)
    scene = scene_to_run(call, inputs.scene)
    headless = inputs.headless if inputs.headless is not None else not can_show_windows()
    if not headless and not can_show_windows():
        raise Denied("No window can be shown here: there is no display.", hint="Pass headless: true, or set DISPLAY.")
    games, root = games_of(call), call.state.project.root
    game = Game(inputs.scene and scene, headless, inputs.pause_on_error, inputs.arguments, keeps_data)
    permit = await permit_execution(call)
    await anyio.to_thread.run_sync(lambda: games.start(permit, find_binary(), root, game))
    assert game.process is not None
    stop = await anyio.to_thread.run_sync(_first_stop, game) if inputs.pause_on_error else None
    call.summary = f"Running {scene}." if game.running else f"{scene} ended at once with {game.exit_code}."
    if stop is not None:
        call.summary = f"{scene} stands still: {stop.reason}"
    return Started(
        running=game.running,
        scene=scene,
        headless=headless,
        pid=game.process.pid,
        run=game.run,
        paused=stop.reason if stop is not None else None,
        stack=_shown_stack(stop.stack or ()) if stop is not None else None,
    )


def _first_stop(game: Game) -> Stop | None:
    """Where the game stands still that has just begun, once its stack is known; None where it runs, or has ended."""
    session = game.session
    if session is None:
        return None
    session.wait(lambda: session.stopped is not None or session.is_over, _FIRST_SECONDS)
    stop = session.stopped
    if stop is not None:
        session.wait(lambda: stop.stack is not None or session.stopped is not stop, _STACK_SECONDS)
    return stop


def scene_to_run(call: Call, given: str | None) -> str:
    """Return a scene of the project, or its main scene.

    Raises:
        NotFound: there is no such scene, or no main scene.
    """
    workspace = open_workspace(call)
    if given is not None:
        workspace.document(given)  # refused with a hint where it is not there
        return workspace.resource_path(given)
    from scenewright.godot.project.configuration import Configuration

    main = Configuration(workspace, class_index(call)).text("application/run/main_scene")
    if not main:
        raise NotFound(
            "The project has no main scene.",
            hint="Pass a scene, or set application/run/main_scene with set_project_setting.",
        )
    return main


def _until_ended(game: Game) -> None:
    assert game.process is not None
    game.process.wait()


def said_of(complaint: Complaint) -> Said:
    return Said(
        severity=complaint.severity,
        message=complaint.message,
        path=complaint.path,
        line=complaint.line,
        stack=_shown_stack(complaint.stack) or None,
    )


def _shown_stack(frames: Iterable[Frame]) -> list[str]:
    return [f"{frame.function} ({frame.path}:{frame.line})" for frame in frames]


def _error_as_json(error: Said) -> dict[str, Any]:
    known = {"message": error.message, "path": error.path, "line": error.line}
    return {**known, "stack": error.stack} if error.stack else known
