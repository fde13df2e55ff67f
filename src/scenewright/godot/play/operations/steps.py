"""Frames of a game that is played: with inputs and calls, until a condition holds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.core.text.counts import ERRORS_AND_WARNINGS, count_noun
from scenewright.godot.engine.operations.probes import Watched
from scenewright.godot.engine.operations.rehearsal import CallAt, InputAt, as_call, as_expression, as_input
from scenewright.godot.engine.operations.runs import Said
from scenewright.godot.play.drawn_frames import MOST_SIDE, attach_pictures, mind_screen, plain_picture
from scenewright.godot.play.operations.records import (
    Digest,
    PlayInputs,
    as_event,
    ask,
    click_target,
    digest_of,
    errors_of,
    session_of,
)
from scenewright.godot.play.watch_rows import fold_rows

if TYPE_CHECKING:
    from scenewright.godot.engine.worker import Progress, Reply
    from scenewright.godot.play.sessions import Session

__all__ = ["OPERATIONS", "StepInput", "StepInputs", "Stepped", "missed_clicks", "run_step", "step_seconds"]

Pictured = Literal["none", "end", "onMet"]
START_SECONDS = 60.0
_MOST_FRAMES = 36_000
_MOST_OUTPUT = 50
_MOST_UNTIL = 600
_FRAME_SECONDS = 0.05


class StepInput(InputAt, frozen=True, kw_only=True):
    frame: Annotated[int, about("After this frame of the step.", ge=0)] = 0
    text: Annotated[str, about("Or text to type.", min_length=1, max_length=200)] | None = None
    click: Annotated[str, about("Or what to click: a button's text, or '$Node'.", min_length=1)] | None = None
    strength: Annotated[float, about("Of an action or a stick.", ge=0, le=1)] = 1.0


class StepInputs(PlayInputs, frozen=True, kw_only=True):
    frames: (
        Annotated[
            int,
            about("How many, or at most with until; else as many as inputs need, or 600.", ge=1, le=_MOST_FRAMES),
        ]
        | None
    ) = None
    until: Annotated[str, about("Stop once this holds, such as '$Player.is_on_floor()'.")] | None = None
    inputs: Annotated[list[StepInput], about("Held until they are released, also in later steps.", max_length=500)] = (
        msgspec.field(default_factory=list)
    )
    calls: Annotated[list[CallAt], about("Methods to call, signals to emit.", max_length=100)] = msgspec.field(
        default_factory=list
    )
    watch: Annotated[list[str], about("Expressions to follow.", max_length=20)] = msgspec.field(default_factory=list)
    every: Annotated[int, about("Watch every so many frames.", ge=1)] = 1
    signals: Annotated[list[str], about("Signals to watch, such as 'Player.died'.", max_length=50)] = msgspec.field(
        default_factory=list
    )
    digest: Annotated[bool, about("Show the game on one page at the end.")] = False
    picture: Annotated[Pictured, about("Picture of the end, or of it where until is met.")] = "none"

    @property
    def most(self) -> int:
        """How many frames may pass."""
        if self.frames is not None:
            return self.frames
        frames = [each.frame for each in self.inputs] + [each.frame for each in self.calls]
        needed = max(frames, default=0) + 1
        return max(needed, _MOST_UNTIL) if self.until else needed


class Stepped(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    stopped: Annotated[str, about("Why: limit, condition, scene changed, error or quit.")]
    met: Annotated[bool, about("Whether until holds.")] | None = None
    watch: Annotated[list[str], about("What was watched, at the frames where it changed.")] | None = None
    calls: Annotated[list[dict[str, Any]], about("What the called methods returned.")] | None = None
    signals: Annotated[list[Watched], about("The watched signals.")] | None = None
    added: Annotated[list[str], about("Nodes that came, the first 20.")] | None = None
    removed: Annotated[list[str], about("Nodes that went.")] | None = None
    output: Annotated[list[str], about("What was printed.")] | None = None
    errors: Annotated[list[Said], about("Errors and warnings.")] | None = None
    digest: Annotated[Digest, about("The game on one page.")] | None = None


@operation(
    id="godot.play.step",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_step",
    manager="godot_play_manager",
    action="step",
    timeout=600.0,
    transactional=False,
    parameter_aliases={"steps": "frames", "most": "frames"},
    notes="Inputs and calls of frame n come when n frames of the step are over; the next sees them. It stops early "
    "where the condition holds, the scene changes, a script fails (from Godot 4.5) or the game quits.",
    executes="always",
    examples=(
        Example(
            "Jump, until back on the floor",
            {"frames": 120, "until": "$Player.is_on_floor()", "inputs": [{"action": "jump"}]},
            {"frame": 57, "stopped": "condition", "met": True},
        ),
    ),
)
async def play_step(call: Call, inputs: StepInputs) -> Stepped:
    """Lets frames of a played game pass, with inputs and calls, and says what came of it."""
    session = session_of(call, inputs)
    if inputs.picture == "none":
        reply = await run_step(call, session, inputs)
    else:
        mind_screen(session)
        with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
            wanted = {"pictured": inputs.picture, "picture": plain_picture(folder)}
            reply = await run_step(call, session, inputs, wanted)
            if reply.value["pictures"]:
                await attach_pictures(call, reply.value["pictures"], MOST_SIDE)
    value = reply.value
    errors = errors_of(reply)
    call.warnings += [f"There was no signal '{each['signal']}'." for each in value["signals"] if not each["heard"]]
    call.warnings += missed_clicks(value["missed"])
    if value["unclear"]:
        call.warnings.append(f"'until' had no value in the end: {value['unclear']}")
    call.summary = f"Frame {session.frame}: {value['stopped']}, {count_noun(len(errors or ()), *ERRORS_AND_WARNINGS)}."
    last = value if session.over is None or value.get("hash") else session.digest
    digest = digest_of(last) if inputs.digest or session.over is not None else None
    return Stepped(
        frame=session.frame,
        stopped=value["stopped"],
        met=value["stopped"] == "condition" if inputs.until else None,
        watch=fold_rows(inputs.watch, value["watch"]) or None,
        calls=value["calls"] or None,
        signals=[
            Watched(signal=each["signal"], times=int(each["times"]), fired=each["fired"]) for each in value["signals"]
        ]
        or None,
        added=_topmost(value["added"]) or None,
        removed=_topmost(value["removed"]) or None,
        output=reply.output[-_MOST_OUTPUT:] or None,
        errors=errors,
        digest=digest,
    )


OPERATIONS = (play_step,)


def _topmost(paths: list[str]) -> list[str]:
    """The nodes that came or went by themselves, and not with one above them."""
    return [path for path in paths if path.rpartition("/")[0] not in paths]


def missed_clicks(missed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield why clicks came to nothing."""
    for each in missed:
        place = ", ".join(f"{side:g}" for side in each.get("at", ()))
        if "missing" in each:
            said = ", ".join(f"'{text}'" for text in each["missing"])
            yield f"There was no '{each['click']}' to click{f'; to be read were {said}' if said else ''}."
        elif each.get("outside"):
            yield f"'{each['click']}' is at {place}, outside the window, and was not clicked."
        else:
            yield (
                f"The click at {place} did not come to '{each['click']}': something lies over it, or a dialog or the "
                "captured mouse keeps it."
            )


def step_seconds(frames: int) -> float:
    """Return how long so many frames may take before the game is taken to hang."""
    return START_SECONDS + frames * _FRAME_SECONDS


async def run_step(
    call: Call,
    session: Session,
    inputs: StepInputs,
    wanted: Mapping[str, Any] | None = None,
    *,
    on_progress: Progress | None = None,
) -> Reply:
    """Take one step of a game and keep it for a tape; `wanted` says what the engine is to tell of it besides.

    Raises:
        Invalid: an input or a call would come when the step is over.
    """
    params = _step_params(call, inputs) | {**(wanted or {})}
    reply = await ask(session, "step", params, timeout=step_seconds(inputs.most), on_progress=on_progress)
    value = reply.value
    session.note_event(
        "step", as_event(inputs), {"stopped": value["stopped"], "trail": value["trail"], "hash": value["hash"]}
    )
    return reply


def _step_params(call: Call, inputs: StepInputs) -> dict[str, Any]:
    for place, frame in [
        *((f"inputs[{number}]", each.frame) for number, each in enumerate(inputs.inputs)),
        *((f"calls[{number}]", each.frame) for number, each in enumerate(inputs.calls)),
    ]:
        if frame >= inputs.most:
            raise Invalid(
                f"'{place}' comes after frame {frame} of the step, which has {count_noun(inputs.most, 'frame')}.",
                path=f"input.{place}.frame",
                rule="maximum",
                hint=f"Pass frames: {frame + 1} or more.",
            )
    params: dict[str, Any] = {
        "frames": inputs.most,
        "inputs": [as_step_input(call, each, f"input.inputs[{at}]") for at, each in enumerate(inputs.inputs)],
        "calls": [as_call(call, each, f"calls[{number}]") for number, each in enumerate(inputs.calls)],
        "watch": [{"text": as_expression(call, each, f"watch[{at}]")} for at, each in enumerate(inputs.watch)],
        "every": inputs.every,
        "signals": inputs.signals,
    }
    return params | ({"until": {"text": as_expression(call, inputs.until, "until")}} if inputs.until else {})


def as_step_input(call: Call, given: StepInput, path: str) -> dict[str, Any]:
    """Return an input, as the engine is to send it.

    Raises:
        Invalid: it is not one of action, event, text and position.
    """
    if given.text is None and given.click is None:
        return as_input(call, given, path) | {"strength": given.strength}
    if given.action or given.event or given.position or (given.text and given.click):
        raise Invalid("Give one of action, event, text and click.", path=path, rule="oneOf")
    what = {"text": given.text} if given.text else {"click": click_target(given.click or "")}
    return {"frame": given.frame, **what}
