"""Tapes that are edited: cut short, joined with another, and marked anew with how the game goes now."""

from __future__ import annotations

from typing import Annotated

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.play.operations.replays import marked, open_tape, play_tape
from scenewright.godot.play.tapes import ENDING, Tape, cut_events, unmarked, write_tape
from scenewright.godot.project.openers import open_workspace

__all__ = ["OPERATIONS"]


class EditInputs(Inputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Tape to edit.", min_length=1)]
    frames: Annotated[int, about("Keep only so many frames.", ge=1)] | None = None
    append: Annotated[str, about("Tape to go on with from there, of the same scene.")] | None = None
    remark: Annotated[bool, about("Keep how the game goes now, where that differs from the tape.")] = False
    output_path: Annotated[str, about("Tape to write instead.")] | None = None


class Edited(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    frames: Annotated[int, about("How many frames it has.")]
    events: Annotated[int, about("How many steps, changes and checks.")]
    differed: Annotated[int, about("The first frame that was marked anew.")] | None = None


@operation(
    id="godot.play.edit_tape",
    category="debug",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="play_edit_tape",
    manager="godot_play_manager",
    action="tape.edit",
    timeout=600.0,
    executes="always",
    notes="The tape is played as it then is, to be marked. With remark alone it takes up what the game does now.",
    examples=(
        Example(
            "The game was changed on purpose",
            {"path": "tests/level_1.tape.json", "remark": True},
            {"path": "res://tests/level_1.tape.json", "frames": 612, "events": 9, "differed": 63},
        ),
    ),
)
async def play_edit_tape(call: Call, inputs: EditInputs) -> Edited:
    """Cuts a tape short, joins another to it, or marks it anew with how the game goes now."""
    place, tape = open_tape(call, inputs.path, "path")
    target = open_workspace(call).place(inputs.output_path) if inputs.output_path else place
    if not target.endswith(ENDING):
        raise Invalid(f"A tape ends in {ENDING}.", path="input.outputPath", rule="pattern")
    if target != place and call.files.exists(target):
        raise Conflict(f"'res://{target}' exists already.", hint="Choose another outputPath.", retryable=False)
    edited = _edited(call, inputs, tape)
    replay = await play_tape(call, edited, stops=False, compares=True)
    difference = replay.difference
    if difference is not None and not inputs.remark:
        raise Conflict(
            f"The game differs from the tape at frame {difference.frame}: {difference.what}.",
            hint="Pass remark: true if that is how it should be now; play replay shows the difference.",
            retryable=False,
        )
    unmet = sum(event.get("met") is False for event in replay.events)
    if unmet:
        call.warnings.append(f"{count_noun(unmet, 'expectation')} of it not met: the tape expects just that now.")
    call.files.write(target, write_tape(marked(edited, replay)))
    call.summary = f"Wrote {count_noun(replay.frames, 'frame')} as res://{target}."
    return Edited(
        path=f"res://{target}",
        frames=replay.frames,
        events=len(replay.events),
        differed=difference.frame if difference is not None else None,
    )


OPERATIONS = (play_edit_tape,)


def _edited(call: Call, inputs: EditInputs, tape: Tape) -> Tape:
    """Return the tape with other events.

    Raises:
        Invalid: nothing is to be edited, or the tapes do not go together.
    """
    if inputs.frames is None and inputs.append is None and not inputs.remark:
        raise Invalid("Give frames, append or remark.", path="input", rule="anyOf")
    events = cut_events(tape.events, inputs.frames) if inputs.frames is not None else [*tape.events]
    frames = min(inputs.frames or tape.frames, tape.frames)
    if inputs.append is not None:
        _, other = open_tape(call, inputs.append, "append")
        if (other.scene, other.fps, other.size) != (tape.scene, tape.fps, tape.size):
            raise Invalid(
                f"'{inputs.append}' is of another game: {other.scene}, {other.fps} frames a second.",
                path="input.append",
                rule="const",
                hint=f"Append a tape of {tape.scene} with {tape.fps} frames a second.",
            )
        events += [unmarked(event) for event in other.events]
        frames += other.frames
    return msgspec.structs.replace(tape, events=events, frames=frames)
