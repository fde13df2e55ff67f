"""The debugger: breakpoints, the stack and variables of a game that stands still, and games started elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.runs import games_of, own_game
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.debugger.session import DebuggerSession

__all__ = ["OPERATIONS"]

_STOP_SECONDS = 5.0


class BreakpointInputs(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Script, res:// or from the project's root.", min_length=1)]
    line: Annotated[int, about("Line, from 1.", ge=1)]
    enabled: Annotated[bool, about("false removes it.")] = True


class Mark(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Script.")]
    line: Annotated[int, about("Line.")]


class Marks(Outputs, frozen=True, kw_only=True):
    breakpoints: Annotated[list[Mark], about("All breakpoints of the project.")]


@operation(
    id="godot.debug.breakpoint",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="set_breakpoint",
    manager="godot_debug_manager",
    action="breakpoint",
    transactional=False,
    notes="Kept while the server runs; a running game gets it at once. No file is changed.",
    examples=(
        Example(
            "In a script", {"path": "player.gd", "line": 12}, {"breakpoints": [{"path": "res://player.gd", "line": 12}]}
        ),
    ),
)
def set_breakpoint(call: Call, inputs: BreakpointInputs) -> Marks:
    """Sets or removes a breakpoint, and lists all breakpoints."""
    from scenewright.godot.engine.games import Breakpoint

    workspace = open_workspace(call)
    place = workspace.place(inputs.path)
    lines = call.files.read(place).count(b"\n") + 1
    if inputs.line > lines:
        raise Invalid(f"'res://{place}' has only {lines} lines.", path="input.line", rule="maximum")
    games, root = games_of(call), call.state.project.root
    marks = games.breakpoints.setdefault(root, set())
    mark = Breakpoint(f"res://{place}", inputs.line)
    (marks.add if inputs.enabled else marks.discard)(mark)
    game = games.find(root)
    if game is not None and game.session is not None:
        game.session.set_breakpoint(mark.path, mark.line, enabled=inputs.enabled)
    call.summary = f"{count_noun(len(marks), 'breakpoint')}."
    return Marks(breakpoints=[Mark(path=each.path, line=each.line) for each in sorted(marks)])


class StateInputs(Inputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Stack frame whose variables to show; 0 is the innermost.", ge=0)] = 0


class FrameRow(Record, frozen=True, kw_only=True):
    function: Annotated[str, about("Function.")]
    path: Annotated[str, about("Script.")]
    line: Annotated[int, about("Line.")]


class VariableRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.")]
    scope: Annotated[str, about("local, member or global.")]
    value: Annotated[str, about("Its value, as the engine writes it.")]


class DebugState(Outputs, frozen=True, kw_only=True):
    paused: Annotated[bool, about("Whether the game is paused.")]
    reason: Annotated[str, about("Why it is paused.")] | None = None
    stack: Annotated[list[FrameRow], about("Call stack, innermost first.")] | None = None
    variables: Annotated[list[VariableRow], about("Variables of the frame.")] | None = None
    run: Annotated[int, about("Of a game that runs from the editor: its number; the editor has its stack.")] | None = (
        None
    )


@operation(
    id="godot.debug.state",
    name="Debug State",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_debug_state",
    manager="godot_debug_manager",
    action="state",
    examples=(
        Example(
            "At a breakpoint",
            {},
            {
                "paused": True,
                "reason": "Breakpoint",
                "stack": [{"function": "_ready", "path": "res://player.gd", "line": 12}],
                "variables": [{"name": "speed", "scope": "member", "value": "300"}],
            },
        ),
    ),
)
async def get_debug_state(call: Call, inputs: StateInputs) -> DebugState:
    """Shows where a paused game is: its stack, and the variables of a stack frame."""
    from scenewright.godot.editor.live.running_game import editor_game

    game = games_of(call).find(call.state.project.root)
    if game is None or not game.running:
        played = await editor_game(call)
        if played is not None and played.running:
            call.summary = f"Run {played.run} of {played.scene} from the editor, whose Debugger panel has the stack."
            return DebugState(paused=played.halted, run=played.run)
    session = await _session(call)
    return await anyio.to_thread.run_sync(_state, session, inputs.frame)


class ResumeInputs(Inputs, frozen=True, kw_only=True):
    how: Annotated[
        Literal["continue", "step", "next", "pause"],
        about("Continue, step into a call, step to the next line, or pause."),
    ] = "continue"


@operation(
    id="godot.debug.resume",
    name="Resume Game",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="debug_resume",
    manager="godot_debug_manager",
    action="resume",
    transactional=False,
    examples=(Example("Go on", {}, {"paused": False}),),
)
async def debug_resume(call: Call, inputs: ResumeInputs) -> DebugState:
    """Resumes a paused game, for good or by one step, or pauses a running one."""
    session = await _session(call)
    return await anyio.to_thread.run_sync(_resume, session, inputs.how)


class StreamInputs(Inputs, frozen=True, kw_only=True):
    port: Annotated[int, about("Port to listen on; 0 for any.", ge=0, le=65535)] = 9999
    poll_interval_ms: Annotated[int, about("How often listeners get what is new.", ge=10, le=60_000)] = 100


class Stream(Outputs, frozen=True, kw_only=True):
    listening: Annotated[bool, about("Whether games and listeners can join.")]
    connected: Annotated[bool, about("Whether a game that joined, or that run_project started, still runs.")]
    port: Annotated[int, about("Port.")] | None = None
    command: Annotated[str, about("Arguments that make a game started elsewhere join.")] | None = None
    hello: Annotated[str, about("Line a listener sends first; the token is what the named file holds.")] | None = None
    listeners: Annotated[int, about("Number of listeners.")] | None = None
    poll_interval_ms: Annotated[int, about("How often they get what is new.")] | None = None


@operation(
    id="godot.debug.stream.start",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="start_debug_stream",
    manager="godot_debug_manager",
    action="stream.start",
    transactional=False,
    notes="On loopback. Listeners send the token of scenewright's own folder (SCENEWRIGHT_HOME), and get lines of "
    "JSON: started, output, error, ended. It closes by itself after ten "
    "minutes without a game and a listener, and with the server.",
    examples=(
        Example(
            "The usual port",
            {},
            {
                "listening": True,
                "connected": False,
                "port": 9999,
                "listeners": 0,
                "pollIntervalMs": 100,
                "command": "--remote-debug tcp://127.0.0.1:9999",
                "hello": '{"token": "<your token>"}',
            },
        ),
    ),
)
def start_debug_stream(call: Call, inputs: StreamInputs) -> Stream:
    """Opens a port that streams the game's output and errors; a game started elsewhere can join there."""
    from scenewright.core.projects.user_folder import user_token
    from scenewright.godot.engine.streams import StreamPlan

    plan = StreamPlan(port=inputs.port, token=user_token(), poll_seconds=inputs.poll_interval_ms / 1000)
    games_of(call).listen(call.state.project.root, plan)
    return _stream(call)


@operation(
    id="godot.debug.stream.stop",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="stop_debug_stream",
    manager="godot_debug_manager",
    action="stream.stop",
    transactional=False,
    examples=(Example("An open stream", {}, {"listening": False, "connected": False}),),
)
def stop_debug_stream(call: Call, inputs: Inputs) -> Stream:
    """Closes the port of the debug stream; a game that has joined keeps running."""
    del inputs
    if not games_of(call).stop_listening(call.state.project.root):
        raise NotFound("No debug stream is open.", hint="Open one with start_debug_stream.")
    return _stream(call)


@operation(
    id="godot.debug.stream.status",
    name="Debug Stream Status",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_debug_stream_status",
    manager="godot_debug_manager",
    action="stream.status",
    examples=(Example("None is open", {}, {"listening": False, "connected": False}),),
)
def get_debug_stream_status(call: Call, inputs: Inputs) -> Stream:
    """Says whether a debug stream is open, who listens, and whether a game runs."""
    del inputs
    return _stream(call)


OPERATIONS = (
    set_breakpoint,
    get_debug_state,
    debug_resume,
    start_debug_stream,
    stop_debug_stream,
    get_debug_stream_status,
)


def _stream(call: Call) -> Stream:
    games, root = games_of(call), call.state.project.root
    stream, game = games.listening(root), games.find(root)
    connected = game is not None and game.running and game.joined
    if stream is None:
        return Stream(listening=False, connected=connected)
    return Stream(
        listening=True,
        connected=connected,
        port=stream.port,
        listeners=stream.listeners,
        command=f"--remote-debug tcp://127.0.0.1:{stream.port}",
        hello='{"token": "<your token>"}',
        poll_interval_ms=round(stream.plan.poll_seconds * 1000),
    )


async def _session(call: Call) -> DebuggerSession:
    from scenewright.godot.editor.live.running_game import no_game_of_ours

    game = await own_game(call)
    if game.session is None or not game.running:
        raise await no_game_of_ours(call, ended=True)
    return game.session


def _state(session: DebuggerSession, frame: int) -> DebugState:
    stop = session.stopped
    if stop is None:
        return DebugState(paused=False)
    session.wait(lambda: stop.stack is not None or session.stopped is not stop, _STOP_SECONDS)
    stack = stop.stack or []
    if frame and frame >= len(stack):
        raise Invalid(f"The stack has {count_noun(len(stack), 'frame')}.", path="input.frame", rule="maximum")
    variables = (session.variables(frame) if stack else None) or []
    return DebugState(
        paused=True,
        reason=stop.reason,
        stack=[FrameRow(function=each.function, path=each.path, line=each.line) for each in stack],
        variables=[VariableRow(name=each.name, scope=each.scope, value=_show_value(each.value)) for each in variables],
    )


def _resume(session: DebuggerSession, how: str) -> DebugState:
    before = session.stopped
    if how == "pause":
        session.pause()
        session.wait(lambda: session.stopped is not None, _STOP_SECONDS)
        return _state(session, 0)
    if before is None:
        raise Invalid("The game is not paused.", path="input.how", rule="state", hint="Pause it, or set a breakpoint.")
    session.resume(how)
    session.wait(lambda: session.stopped is not before, _STOP_SECONDS)
    if how != "continue":
        session.wait(lambda: session.stopped not in (None, before), _STOP_SECONDS)
    return _state(session, 0)


def _show_value(value: Any) -> str:
    from scenewright.godot.documents.variant import Array, Object
    from scenewright.godot.documents.variant_writer import write_variant

    if isinstance(value, Object):
        return f"<Object#{value.properties[0][1]}>"
    text = write_variant(_as_variant(value, Array))
    return text if len(text) <= 500 else f"{text[:500]}…"


def _as_variant(value: Any, array: Any) -> Any:
    return array(tuple(_as_variant(item, array) for item in value)) if isinstance(value, list) else value
