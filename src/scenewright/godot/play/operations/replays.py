"""A tape that is played again, in a game of its own: for `replay`, and to see what a new tape has to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio.from_thread
import msgspec

from scenewright.core.faults import Invalid, NotFound, Unsupported
from scenewright.godot.engine.operations.rehearsal import loaded
from scenewright.godot.engine.operations.runs import scene_to_run
from scenewright.godot.play.beginning import begin_session
from scenewright.godot.play.drawn_frames import plain_picture
from scenewright.godot.play.films import pack_film
from scenewright.godot.play.operations.actions import (
    CallInputs,
    ExpectInputs,
    SetInputs,
    expect,
    make_calls,
    set_values,
)
from scenewright.godot.play.operations.records import errors_of
from scenewright.godot.play.operations.steps import StepInputs, run_step
from scenewright.godot.play.sessions import RUNNING
from scenewright.godot.play.tapes import Difference, Tape, first_difference, kind_of, read_tape
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.godot.engine.operations.runs import Said
    from scenewright.godot.engine.worker import Progress, Reply
    from scenewright.godot.play.sessions import Session

__all__ = ["Replay", "Sight", "draw_tape", "marked", "open_tape", "play_tape", "tape_of"]


@dataclass(slots=True)
class Replay:
    """How a tape went when it was played: its events, the first difference, and how the game was at the end."""

    engine: str
    events: list[dict[str, Any]] = field(default_factory=list)
    difference: Difference | None = None
    digest: dict[str, Any] = field(default_factory=dict)
    errors: list[Said] | None = None
    film: list[Any] = field(default_factory=list)
    pictures: list[dict[str, Any]] = field(default_factory=list)
    frames: int = 0


@dataclass(frozen=True, slots=True)
class Sight:
    """What of a replay is drawn, as the engine is told it; who takes the pictures gets those of each event at once."""

    picture: Mapping[str, Any]
    take: Callable[[Sequence[dict[str, Any]]], None] | None = None


async def play_tape(
    call: Call, tape: Tape, *, stops: bool, compares: bool = True, sight: Sight | None = None
) -> Replay:
    """Play a tape, on a screen if there is to be something to see; where it stops, to the first difference from it.

    Raises:
        Invalid: an event of the tape is none, or its scene cannot be loaded.
        Unsupported: there is no screen to draw on.
    """
    scene_to_run(call, tape.scene)  # refused where it is none of the project
    start = tape.start if sight is None else tape.start.drawn()
    session, reply = await begin_session(call, start, sight.picture if sight is not None else None)
    loaded(reply, tape.scene)
    replay = Replay(session.engine, pictures=[*reply.value.get("pictures", [])])
    try:
        for number, event in enumerate(tape.events):
            before = session.frame
            await _repeat(call, session, tape, number, replay, stops=stops)
            if compares and replay.difference is None:
                replay.difference = first_difference(number, before, event, session.events[-1])
            if sight is not None and sight.take is not None:
                sight.take(replay.pictures)
                replay.pictures = []
            await call.progress(session.frame, tape.frames, f"frame {session.frame} of {tape.frames}")
            if session.over is not None or (stops and replay.difference is not None):
                break
    finally:
        session.end("it was played")
    replay.events, replay.digest, replay.frames = session.events, session.digest, session.frame
    return replay


async def _repeat(call: Call, session: Session, tape: Tape, number: int, replay: Replay, *, stops: bool) -> None:
    """Do again what a tape has, and keep what came of it."""
    event = tape.events[number]
    kind = kind_of(event) or ""
    wanted = {"trail": True, "film": not stops, "expected": str(event.get("trail", "")) if stops else ""}
    told: Progress = _telling(call, tape, session.frame)
    reply: Reply | None
    try:
        if kind == "set":
            reply = await set_values(session, msgspec.convert(event[kind], SetInputs))
        elif kind == "call":
            reply = await make_calls(call, session, msgspec.convert(event[kind], CallInputs))
        elif kind == "expect":
            _, reply = await expect(call, session, msgspec.convert(event[kind], ExpectInputs), wanted)
        else:
            inputs = msgspec.convert(event[kind], StepInputs)
            reply = await run_step(call, session, inputs, wanted, on_progress=told)
    except msgspec.ValidationError as problem:
        raise Invalid(f"Event {number} of the tape: {problem}.", path="input.path", rule="tape") from None
    if reply is not None:
        replay.errors = errors_of(reply)
        replay.film += reply.value.get("film", [])
        replay.pictures += reply.value.get("pictures", [])


def _telling(call: Call, tape: Tape, before: int) -> Progress:
    def tell(done: int, _: int, __: str) -> None:
        frame = before + done
        anyio.from_thread.run(call.progress, frame, tape.frames, f"frame {frame} of {tape.frames}")

    return tell


async def draw_tape(call: Call, tape: Tape, frames: Sequence[int], folder: str, most: int) -> list[dict[str, Any]]:
    """Play a tape on a screen, and return what the engine has drawn of these frames; it may go as it likes.

    Raises:
        Unsupported: there is no screen to draw on.
    """
    picture = plain_picture(folder, frames, most)
    replay = await play_tape(call, tape, stops=False, compares=False, sight=Sight(picture))
    return replay.pictures


def open_tape(call: Call, path: str, parameter: str) -> tuple[str, Tape]:
    """Return the place of a tape in the project, and the tape.

    Raises:
        NotFound: there is none.
        Invalid: the file is no tape.
    """
    place = open_workspace(call).place(path)
    if not call.files.exists(place):
        raise NotFound(f"There is no file 'res://{place}'.", hint="play save_tape writes one.")
    return place, read_tape(call.files.read(place), place, parameter)


def tape_of(session: Session) -> Tape:
    """Return what was done in a session so far.

    Raises:
        Unsupported: it is the game that runs freely, which makes no tape.
        Invalid: nothing was done.
    """
    if session.id == RUNNING:
        raise Unsupported(
            "The game that runs makes no tape.",
            hint="play begin starts one that does; fromEditor keeps what a person plays from the editor.",
        )
    if not session.events:
        raise Invalid("Nothing was done in this game yet.", path="input.session", rule="minItems")
    start = session.start
    return Tape(
        engine=session.engine,
        scene=start.scene,
        seed=start.seed,
        fps=start.fps,
        size=start.size,
        arguments=start.arguments,
        frames=session.frame,
        events=[*session.events],
    )


def marked(tape: Tape, replay: Replay) -> Tape:
    """Return a tape with what came of it when it was played."""
    events = [{name: value for name, value in event.items() if name != "hash"} for event in replay.events]
    film = pack_film(replay.film)
    return msgspec.structs.replace(tape, engine=replay.engine, events=events, frames=replay.frames, film=film)
