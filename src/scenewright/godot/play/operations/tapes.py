"""Tapes of games that were played: saved into the project, and played again."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.engine.operations.runs import Said
from scenewright.godot.play.drawn_frames import MOST_SIDE, attach_pictures, plain_picture
from scenewright.godot.play.films import digest_at, unpack_film
from scenewright.godot.play.operations.records import Digest, PlayInputs, digest_of, session_of
from scenewright.godot.play.operations.replays import Replay, Sight, draw_tape, marked, open_tape, play_tape, tape_of
from scenewright.godot.play.recording import Recording
from scenewright.godot.play.tapes import ENDING, Difference, Tape, cut_events, kind_of, write_tape
from scenewright.godot.play.videos import VideoWriter
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]

_LARGEST = 4096  # a film is as large as the window


class SaveInputs(PlayInputs, frozen=True, kw_only=True):
    path: Annotated[str, about("File to write; it ends in .tape.json.", min_length=1)]
    overwrite: Annotated[bool, about("Replace a tape that is there.")] = False
    from_editor: Annotated[bool, about("What the person played so far in the open editor's game.")] = False


class Saved(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    frames: Annotated[int, about("How many frames it has.")]
    events: Annotated[int, about("How many steps, changes and checks.")]
    repeats: Annotated[bool, about("Whether a second game, played by it at once, was the same.")]
    differs: Annotated[int, about("The first frame where it was not.")] | None = None


@operation(
    id="godot.play.save_tape",
    category="debug",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="play_save_tape",
    manager="godot_play_manager",
    action="save_tape",
    timeout=600.0,
    executes="always",
    notes="The game is played once more as it is saved, to see that it repeats; the session goes on. What a person "
    "played comes at the times of that game's clock: in lock step it may go otherwise, and the tape has how.",
    examples=(
        Example(
            "A level",
            {"path": "tests/level_1.tape.json"},
            {"path": "res://tests/level_1.tape.json", "frames": 612, "events": 9, "repeats": True},
        ),
    ),
)
async def play_save_tape(call: Call, inputs: SaveInputs) -> Saved:
    """Saves what was done in a played game as a tape: a playtest that replay and `scenewright play` play again."""
    from scenewright.godot.play.operations.editor_games import tape_of_editor_game

    place = open_workspace(call).place(inputs.path)
    if not place.endswith(ENDING):
        raise Invalid(f"A tape ends in {ENDING}.", path="input.path", rule="pattern")
    if call.files.exists(place) and not inputs.overwrite:
        raise Conflict(f"'res://{place}' exists already.", hint="Pass overwrite: true to replace it.", retryable=False)
    tape = await tape_of_editor_game(call) if inputs.from_editor else tape_of(session_of(call, inputs))
    if inputs.from_editor:
        tape = marked(tape, await play_tape(call, tape, stops=False, compares=False))
    again = await play_tape(call, tape, stops=False)
    difference = again.difference
    call.files.write(place, write_tape(marked(tape, again)))
    if difference is not None:
        drawn = not inputs.from_editor and session_of(call, inputs).start.screen
        why = "asks the clock, or is otherwise without a screen" if drawn else "or asks the clock"
        call.warnings.append(
            f"Played again the game differs from frame {difference.frame} on: it calls randomize(), has a "
            f"RandomNumberGenerator of its own, {why}. The tape has the second game."
        )
    call.summary = f"Saved {count_noun(again.frames, 'frame')} as res://{place}."
    return Saved(
        path=f"res://{place}",
        frames=again.frames,
        events=len(again.events),
        repeats=difference is None,
        differs=difference.frame if difference is not None else None,
    )


class ReplayInputs(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Tape to play.", min_length=1)]
    picture: Annotated[bool, about("Where it differs, show that frame and the one before, if there is a screen.")] = (
        True
    )


class Differs(Record, frozen=True, kw_only=True):
    """The first difference."""

    frame: Annotated[int, about("Frame of the game.")]
    event: Annotated[int, about("Number of the event in the tape, from 0.")]
    what: Annotated[str, about("state, met, stopped or frame.")]
    expected: Annotated[Any, about("As the tape has it.")]
    found: Annotated[Any, about("As it was.")]
    did: Annotated[dict[str, Any], about("What was done.")]
    digest: Annotated[Digest, about("The game at that frame, where it was stopped.")]
    expected_digest: Annotated[Digest, about("As the tape has it, where it does; without a hash.")] | None = None


class Replayed(Outputs, frozen=True, kw_only=True):
    passed: Annotated[bool, about("Whether it went as on the tape.")]
    frames: Annotated[int, about("How many frames were played.")]
    checks: Annotated[int, about("How many expectations were met.")]
    differs: Annotated[Differs, about("The first difference.")] | None = None
    errors: Annotated[list[Said], about("Errors and warnings of the event that differs.")] | None = None


@operation(
    id="godot.play.replay",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_replay",
    manager="godot_play_manager",
    action="replay",
    timeout=600.0,
    transactional=False,
    executes="always",
    notes="In a game of its own, which is ended; no session is needed.",
    examples=(
        Example(
            "It still works",
            {"path": "tests/level_1.tape.json"},
            {"passed": True, "frames": 612, "checks": 2},
        ),
    ),
)
async def play_replay(call: Call, inputs: ReplayInputs) -> Replayed:
    """Plays a tape again, and says whether it went the same, or where it first differed."""
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.staged_copy import refuse_staged

    refuse_staged(call)
    await warn_of_unsaved(call)
    place, tape = open_tape(call, inputs.path, "path")
    video = call.runtime.services.get(Recording, Recording).video
    replay = await (_film(call, tape, video) if video is not None else play_tape(call, tape, stops=True))
    difference, frames = replay.difference, replay.frames
    checks = sum(bool(event.get("met")) for event in replay.events)
    if difference is None:
        call.summary = f"{place} went as on the tape: {count_noun(frames, 'frame')}."
        return Replayed(passed=True, frames=frames, checks=checks)
    if replay.engine != tape.engine:
        call.warnings.append(f"The tape is of Godot {tape.engine}, and this is {replay.engine}.")
    call.summary = f"{place} differs at frame {difference.frame}: {difference.what}."
    if inputs.picture:
        await _show_difference(call, tape, difference)
    expected = digest_at(unpack_film(tape.film), difference.frame)
    kept = tape.events[difference.event]
    kind = kind_of(kept) or ""
    differs = Differs(
        frame=difference.frame,
        event=difference.event,
        what=difference.what,
        expected=difference.expected,
        found=difference.found,
        did={kind: kept[kind]},
        digest=digest_of(replay.digest),
        expected_digest=digest_of(expected) if expected is not None else None,
    )
    return Replayed(passed=False, frames=frames, checks=checks, differs=differs, errors=replay.errors)


OPERATIONS = (play_save_tape, play_replay)


async def _film(call: Call, tape: Tape, video: Path) -> Replay:
    """Play a tape and film it, to where it differs."""
    with tempfile.TemporaryDirectory(prefix="scenewright-film-") as folder, VideoWriter(video, tape.fps) as writer:

        def take(pictures: Sequence[dict[str, Any]]) -> None:
            for each in pictures:
                writer.add(Path(each["path"]).read_bytes(), int(each["width"]), int(each["height"]))
                Path(each["path"]).unlink()

        picture = plain_picture(folder) | {"film": True, "most": _LARGEST}
        return await play_tape(call, tape, stops=True, sight=Sight(picture, take))


async def _show_difference(call: Call, tape: Tape, difference: Difference) -> None:
    """Show the frame that differs and the one before it, as they are now, where there is a screen to draw them on."""
    frames = [frame for frame in (difference.frame - 1, difference.frame) if frame >= 0]
    short = msgspec.structs.replace(tape, events=cut_events(tape.events, difference.frame), frames=difference.frame)
    with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
        try:
            drawn = await draw_tape(call, short, frames, folder, MOST_SIDE)
        except Unsupported:
            return
        if drawn:
            await attach_pictures(call, drawn, MOST_SIDE)
