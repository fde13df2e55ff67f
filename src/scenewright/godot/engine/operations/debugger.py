"""The debugger: breakpoints, the stack and variables of a game that stands still, and games started elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio.to_thread

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.runs import games_of, own_game
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.godot.engine.debugger.session import DebuggerSession
    from scenewright.godot.engine.debugger.stops import BreakpointRule, Stop

__all__ = ["OPERATIONS"]

_STOP_SECONDS = 5.0
_NOTICE_SECONDS = 1.0
_MOST_STEPS = 2000
_HEADINGS = 64 | 128 | 256  # groups and categories, which are no properties


class BreakpointInputs(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Script, res:// or from the project's root.", min_length=1)]
    line: Annotated[int, about("Line, from 1.", ge=1)]
    enabled: Annotated[bool, about("false removes it.")] = True
    condition: Annotated[str, about("Stop only where this holds: 'health < 3'.", min_length=1)] | None = None
    log: Annotated[str, about("Print what this is worth and go on: '[health, name]'.", min_length=1)] | None = None


class Mark(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("Script.")]
    line: Annotated[int, about("Line.")]
    condition: Annotated[str, about("When it stops.")] | None = None
    log: Annotated[str, about("What it prints instead.")] | None = None


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
    executes="sometimes",
    notes="Kept while the server runs; a running game gets it at once. No file is changed. Expressions see what probes "
    "see, and the variables of the line; they need Godot 4.4, and leave to run code.",
    examples=(
        Example(
            "In a script", {"path": "player.gd", "line": 12}, {"breakpoints": [{"path": "res://player.gd", "line": 12}]}
        ),
    ),
)
async def set_breakpoint(call: Call, inputs: BreakpointInputs) -> Marks:
    """Sets or removes a breakpoint, and lists all breakpoints."""
    from scenewright.core.policy.execution import permit_execution

    if inputs.enabled and (inputs.condition is not None or inputs.log is not None):
        await permit_execution(call)
    return await anyio.to_thread.run_sync(_set_breakpoint, call, inputs)


def _set_breakpoint(call: Call, inputs: BreakpointInputs) -> Marks:
    from scenewright.godot.engine.games import Breakpoint

    workspace = open_workspace(call)
    place = workspace.place(inputs.path)
    lines = call.files.read(place).count(b"\n") + 1
    if inputs.line > lines:
        raise Invalid(f"'res://{place}' has only {lines} lines.", path="input.line", rule="maximum")
    rule = _rule(call, inputs)
    games, root = games_of(call), call.state.project.root
    marks = games.breakpoints.setdefault(root, {})
    mark = Breakpoint(f"res://{place}", inputs.line)
    marks.pop(mark, None)
    if inputs.enabled:
        marks[mark] = rule
    game = games.find(root)
    if game is not None and game.session is not None:
        game.session.rules = games.rules(root)
        game.session.set_breakpoint(mark.path, mark.line, enabled=inputs.enabled)
    call.summary = f"{count_noun(len(marks), 'breakpoint')}."
    rows = [
        Mark(path=each.path, line=each.line, condition=rule.condition, log=rule.log)
        for each, rule in sorted(marks.items(), key=lambda item: item[0])
    ]
    return Marks(breakpoints=rows)


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
        Literal["continue", "into", "over", "out", "pause", "step", "next"],
        about("continue; step into a call, over it, or out of the function; pause. step and next: into and over."),
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


class EvaluateInputs(Inputs, frozen=True, kw_only=True):
    expression: Annotated[str, about("Such as 'health', 'self.stats', 'target.position.x'.", min_length=1)]
    frame: Annotated[int, about("Stack frame it is about; 0 is the innermost.", ge=0)] = 0
    limit: Annotated[int, about("Most properties of an object.", ge=1, le=1000)] = 60


class Evaluated(Outputs, frozen=True, kw_only=True):
    value: Annotated[str, about("As the engine writes it; <Object#…> for an object.")]
    class_name: Annotated[str, about("Class of the object.")] | None = None
    properties: Annotated[list[VariableRow], about("What the object has.")] | None = None
    total: Annotated[int, about("How many properties in all, where some are left out.")] | None = None


@operation(
    id="godot.debug.evaluate",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="debug_evaluate",
    manager="godot_debug_manager",
    action="evaluate",
    transactional=False,
    executes="always",
    beyond_contract=True,
    notes="The game must be paused, at a breakpoint or an error; what is called may change it. Needs Godot 4.4.",
    asked_for="inspect variable object watch expression stack frame",
    examples=(
        Example(
            "An object",
            {"expression": "stats"},
            {
                "value": "<Object#26289898935>",
                "className": "RefCounted",
                "properties": [{"name": "hp", "scope": "Members", "value": "7"}],
            },
        ),
    ),
)
async def debug_evaluate(call: Call, inputs: EvaluateInputs) -> Evaluated:
    """Evaluates an expression in a stack frame of the paused game, and opens the object it leads to."""
    from scenewright.core.policy.execution import permit_execution
    from scenewright.godot.engine.operations.rehearsal import as_expression

    text = as_expression(call, inputs.expression, "expression")
    await permit_execution(call)
    session = await _session(call)
    return await anyio.to_thread.run_sync(_evaluate, session, inputs, text)


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
    debug_evaluate,
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
    from scenewright.godot.engine.debugger.shown_values import show_value

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
        variables=[VariableRow(name=each.name, scope=each.scope, value=show_value(each.value)) for each in variables],
    )


def _rule(call: Call, inputs: BreakpointInputs) -> BreakpointRule:
    from scenewright.godot.engine.debugger.stops import BreakpointRule
    from scenewright.godot.engine.operations.rehearsal import as_expression

    return BreakpointRule(
        as_expression(call, inputs.condition, "condition") if inputs.condition is not None else None,
        as_expression(call, inputs.log, "log") if inputs.log is not None else None,
    )


def _evaluate(session: DebuggerSession, inputs: EvaluateInputs, text: str) -> Evaluated:
    from scenewright.godot.engine.debugger.shown_values import object_number, show_value

    stack = (session.stopped.stack if session.stopped is not None else None) or ()
    if session.stopped is None:
        raise Invalid("The game is not paused.", path="input", rule="state", hint="Pause it, or set a breakpoint.")
    if inputs.frame and inputs.frame >= len(stack):
        raise Invalid(f"The stack has {count_noun(len(stack), 'frame')}.", path="input.frame", rule="maximum")
    answer = session.evaluate(text, inputs.frame, timeout=_STOP_SECONDS)
    if answer is None:
        raise Unsupported("The game did not answer.", hint="Evaluating needs Godot 4.4 or newer, and a paused game.")
    value, complaints = answer
    if complaints:
        raise Invalid(f"'{inputs.expression}': {complaints[0]}", path="input.expression", rule="expression")
    number = object_number(value)
    held = session.inspect(number, timeout=_STOP_SECONDS) if number is not None else None
    if held is None:
        return Evaluated(value=show_value(value))
    rows = _property_rows(held[1])
    left = len(rows) > inputs.limit
    return Evaluated(
        value=show_value(value),
        class_name=held[0],
        properties=rows[: inputs.limit],
        total=len(rows) if left else None,
    )


def _property_rows(listed: list[Any]) -> list[VariableRow]:
    """The properties of an object as the debugger lists them: name, type, hint, hint text, usage, value."""
    from scenewright.godot.engine.debugger.shown_values import show_value

    rows = []
    for each in listed:
        parts = getattr(each, "items", each)
        if len(parts) < 6 or int(parts[4]) & _HEADINGS:
            continue
        scope, slash, name = str(parts[0]).partition("/")
        scope, name = (scope, name) if slash and scope in ("Members", "Constants") else ("engine", str(parts[0]))
        rows.append(VariableRow(name=name, scope=scope.lower(), value=show_value(parts[5])))
    return sorted(rows, key=lambda row: row.scope == "engine")


def _step_out(session: DebuggerSession, before: Stop) -> None:
    """Leave the function; an engine that knows no such step is led line by line."""
    depth = len(before.stack or ())
    session.resume("out")
    if session.wait(lambda: session.stopped is not before, _NOTICE_SECONDS):
        return
    for _ in range(_MOST_STEPS):
        stop = session.stopped
        if stop is None or len(stop.stack or ()) < depth:
            return
        session.resume("next")
        if not session.wait(partial(_stands_elsewhere, session, stop), _STOP_SECONDS):
            return


def _stands_elsewhere(session: DebuggerSession, before: Stop) -> bool:
    stop = session.stopped
    return stop is not None and stop is not before and stop.stack is not None


def _resume(session: DebuggerSession, how: str) -> DebugState:
    how = {"into": "step", "over": "next"}.get(how, how)
    before = session.stopped
    if how == "pause":
        session.pause()
        session.wait(lambda: session.stopped is not None, _STOP_SECONDS)
        return _state(session, 0)
    if before is None:
        raise Invalid("The game is not paused.", path="input.how", rule="state", hint="Pause it, or set a breakpoint.")
    if how == "out":
        _step_out(session, before)
    else:
        session.resume(how)
    session.wait(lambda: session.stopped is not before, _STOP_SECONDS)
    if how != "continue":
        session.wait(lambda: session.stopped not in (None, before), _STOP_SECONDS)
    return _state(session, 0)
