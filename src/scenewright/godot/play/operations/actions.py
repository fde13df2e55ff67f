"""What is done to a game that is played: values set, methods called, buttons clicked, text typed, things expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Denied, Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.rehearsal import CallAt, as_call, as_check, as_value
from scenewright.godot.engine.operations.runs import Said
from scenewright.godot.play.operations.records import PlayInputs, as_event, ask, click_target, errors_of, session_of
from scenewright.godot.play.operations.steps import StepInput, StepInputs, missed_clicks, run_step, step_seconds
from scenewright.godot.play.sessions import Session

__all__ = ["OPERATIONS", "CallInputs", "ExpectInputs", "SetInputs", "expect", "make_calls", "set_values"]

_CLICK_FRAMES = 3
_TYPE_FRAMES = 2


class SetInputs(PlayInputs, frozen=True, kw_only=True):
    properties: Annotated[dict[str, dict[str, Any]], about("New values, by node and property.")]


class Values(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    values: Annotated[list[dict[str, Any]], about("The values as they are then, or why one was refused.")]
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None


@operation(
    id="godot.play.set",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_set",
    manager="godot_play_manager",
    action="set",
    transactional=False,
    executes="always",
    notes="Only the played game changes, and no file; no frame passes.",
    examples=(
        Example(
            "Put the player at the door",
            {"properties": {"Player": {"position": [640, 280]}}},
            {"frame": 60, "values": [{"node": "Player", "property": "position", "value": "Vector2(640, 280)"}]},
        ),
    ),
)
async def play_set(call: Call, inputs: SetInputs) -> Values:
    """Sets properties of nodes in a played game; values in all forms that tools take."""
    session = session_of(call, inputs)
    reply = await set_values(session, inputs)
    rows = reply.value["set"]
    refused = sum("error" in row for row in rows)
    call.summary = f"Set {len(rows) - refused} of {len(rows)} at frame {session.frame}."
    return Values(frame=session.frame, values=rows, errors=errors_of(reply))


async def set_values(session: Session, inputs: SetInputs) -> Any:
    from scenewright.godot.engine.probe_expressions import may_set

    wanted: dict[str, dict[str, str]] = {}
    for path, values in inputs.properties.items():
        for name, value in values.items():
            if not may_set(name):
                raise Denied(
                    f"'properties' may not set '{name}': it reaches beyond the game.",
                    hint="Set what the game itself changes as it is played.",
                )
            wanted.setdefault(path.removeprefix("$"), {})[name] = as_value(value, f"properties.{path}.{name}")
    reply = await ask(session, "change", {"properties": wanted})
    session.note_event("set", as_event(inputs), {})
    return reply


class CallInputs(PlayInputs, frozen=True, kw_only=True):
    calls: Annotated[list[CallAt], about("Methods to call, signals to emit.", min_length=1, max_length=100)]


class Called(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    calls: Annotated[list[dict[str, Any]], about("What they returned, or why one was refused.")]
    output: Annotated[list[str], about("What was printed.")] | None = None
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None


@operation(
    id="godot.play.call",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_call",
    manager="godot_play_manager",
    action="call",
    transactional=False,
    executes="always",
    notes="As calls of probe_scene, which say what is refused; no frame passes.",
    examples=(
        Example(
            "Hurt the player",
            {"calls": [{"node": "Player", "method": "hurt", "arguments": [1]}]},
            {"frame": 60, "calls": [{"method": "hurt", "value": "null"}]},
        ),
    ),
)
async def play_call(call: Call, inputs: CallInputs) -> Called:
    """Calls methods of nodes in a played game, and emits signals, at once."""
    session = session_of(call, inputs)
    reply = await make_calls(call, session, inputs)
    call.summary = f"Called {len(reply.value['calls'])} at frame {session.frame}."
    return Called(frame=session.frame, calls=reply.value["calls"], output=reply.output or None, errors=errors_of(reply))


async def make_calls(call: Call, session: Session, inputs: CallInputs) -> Any:
    now = [msgspec.structs.replace(each, frame=0) for each in inputs.calls]
    made = [as_call(call, each, f"calls[{number}]") for number, each in enumerate(now)]
    reply = await ask(session, "calls", {"calls": made})
    session.note_event("call", as_event(inputs), {})
    return reply


class ClickInputs(PlayInputs, frozen=True, kw_only=True):
    text: Annotated[str, about("What a button or another control says.", min_length=1)] | None = None
    node: Annotated[str, about("Or the node to click.", min_length=1)] | None = None


class Clicked(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    clicked: Annotated[str, about("Node that was clicked.")]
    at: Annotated[list[float], about("Where in the window.")]
    stopped: Annotated[str, about("As of a step.")]
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None


@operation(
    id="godot.play.click",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_click",
    manager="godot_play_manager",
    action="click",
    transactional=False,
    executes="always",
    notes="Three frames pass. A step takes clicks among its inputs too.",
    examples=(
        Example(
            "A button",
            {"text": "Play"},
            {"frame": 3, "clicked": "Menu/Play", "at": [90, 60], "stopped": "limit"},
        ),
    ),
)
async def play_click(call: Call, inputs: ClickInputs) -> Clicked:
    """Clicks in a played game on what says a text, or on a node."""
    session = session_of(call, inputs)
    if (inputs.text is None) == (inputs.node is None):
        raise Invalid("Give either 'text' or 'node'.", path="input", rule="oneOf")
    what = inputs.text if inputs.text is not None else f"${(inputs.node or '').removeprefix('$')}"
    aim = (await ask(session, "target", click_target(what))).value
    if "missing" in aim:
        raise NotFound(
            f"Nothing to click says '{what}'." if inputs.text else f"There is no visible '{inputs.node}' to click.",
            hint=_told_texts(aim["missing"]),
        )
    reply = await run_step(call, session, StepInputs(frames=_CLICK_FRAMES, inputs=[StepInput(click=what)]))
    call.warnings += missed_clicks(reply.value["missed"])
    call.summary = f"Clicked {aim['path']}; frame {session.frame}."
    return Clicked(
        frame=session.frame,
        clicked=aim["path"],
        at=aim["at"],
        stopped=reply.value["stopped"],
        errors=errors_of(reply),
    )


class TypeInputs(PlayInputs, frozen=True, kw_only=True):
    text: Annotated[str, about("Text; a line break is Enter.", min_length=1, max_length=200)]


class Typed(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    stopped: Annotated[str, about("As of a step.")]
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None


@operation(
    id="godot.play.type",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_type",
    manager="godot_play_manager",
    action="type",
    transactional=False,
    executes="always",
    notes="Two frames pass.",
    examples=(Example("A name", {"text": "Ada\n"}, {"frame": 5, "stopped": "limit"}),),
)
async def play_type(call: Call, inputs: TypeInputs) -> Typed:
    """Types text into a played game, where its focus is."""
    session = session_of(call, inputs)
    reply = await run_step(call, session, StepInputs(frames=_TYPE_FRAMES, inputs=[StepInput(text=inputs.text)]))
    call.summary = f"Typed; frame {session.frame}."
    return Typed(frame=session.frame, stopped=reply.value["stopped"], errors=errors_of(reply))


class ExpectInputs(PlayInputs, frozen=True, kw_only=True):
    text: Annotated[str, about("Text that is to be read on the screen.", min_length=1)] | None = None
    expression: Annotated[str, about("Or an expression that must hold.", min_length=1)] | None = None
    within: Annotated[int, about("Frames in which it may come to be.", ge=0, le=36_000)] = 0


class Expected(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    met: Annotated[bool, about("Whether it is so.")]
    found: Annotated[str, about("What was found and expected.")] | None = None
    stopped: Annotated[str, about("As of a step, where frames have passed.")] | None = None
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None


@operation(
    id="godot.play.expect",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_expect",
    manager="godot_play_manager",
    action="expect",
    timeout=600.0,
    transactional=False,
    executes="always",
    notes="A tape keeps it as a check.",
    examples=(Example("The counter", {"text": "6/6", "within": 60}, {"frame": 412, "met": True}),),
)
async def play_expect(call: Call, inputs: ExpectInputs) -> Expected:
    """Says whether a text is on the screen of a played game or an expression holds, now or within some frames."""
    session = session_of(call, inputs)
    row, reply = await expect(call, session, inputs)
    met = bool(row["holds"])
    call.summary = f"{'Met' if met else 'Not met'} at frame {session.frame}."
    instead = row.get("found") or (f"value {row['value']}" if "value" in row and not met else row.get("error"))
    if not met and "texts" in row:
        instead = _told_texts(row["texts"])
    return Expected(
        frame=session.frame,
        met=met,
        found=instead,
        stopped=reply.value["stopped"] if reply is not None else None,
        errors=errors_of(reply) if reply is not None else None,
    )


async def expect(
    call: Call, session: Session, inputs: ExpectInputs, wanted: Mapping[str, Any] | None = None
) -> tuple[Any, Any]:
    """Return how an expectation stands, and the step that was taken for it, if any."""
    if (inputs.text is None) == (inputs.expression is None):
        raise Invalid("Give either 'text' or 'expression'.", path="input", rule="oneOf")
    check = {"says": inputs.text} if inputs.text else as_check(call, inputs.expression or "", "expression")
    row = (await ask(session, "expect", check)).value
    reply = None
    if not row["holds"] and inputs.within:
        reply = await ask(
            session,
            "step",
            {"frames": inputs.within, "until": check, **(wanted or {})},
            timeout=step_seconds(inputs.within),
        )
        if session.over is None:
            row = (await ask(session, "expect", check)).value
    came: dict[str, Any] = {"met": bool(row["holds"])}
    came |= {"trail": reply.value["trail"], "hash": reply.value["hash"]} if reply is not None else {}
    session.note_event("expect", as_event(inputs), came)
    return row, reply


class Span(Record, frozen=True):
    """What a monitor was over some frames."""

    min: Annotated[float, about("The least.")]
    mean: Annotated[float, about("The mean.")]
    max: Annotated[float, about("The most.")]


class Monitors(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    frames: Annotated[int, about("How many frames were looked at: those since the last time, or begin.")]
    values: Annotated[dict[str, Span], about("Frames a second as computed, milliseconds of a frame, counts, bytes.")]


@operation(
    id="godot.play.monitors",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_monitors",
    manager="godot_play_manager",
    action="monitors",
    transactional=False,
    executes="always",
    examples=(
        Example(
            "After a while",
            {},
            {"frame": 60, "frames": 60, "values": {"nodes": {"min": 31, "mean": 31.5, "max": 32}}},
        ),
    ),
)
async def play_monitors(call: Call, inputs: PlayInputs) -> Monitors:
    """Tells least, mean and most of what each frame of a played game took: time, memory, draw calls, physics."""
    session = session_of(call, inputs)
    value = (await ask(session, "monitors", {})).value
    frames = int(value["frames"])
    call.summary = f"{count_noun(frames, 'frame')} up to frame {session.frame}."
    spans = {name: Span(*(round(each, 3) for each in values)) for name, values in value["values"].items()}
    return Monitors(frame=session.frame, frames=frames, values=spans)


def _told_texts(texts: Sequence[str]) -> str:
    said = ", ".join(f"'{text}'" for text in texts)
    return f"To be read are: {said}." if said else "No text is on the screen."


OPERATIONS = (play_set, play_call, play_click, play_type, play_expect, play_monitors)
