"""A contact sheet of a game that was played: every so many frames a picture, with what was done in between."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.play.drawn_frames import attach_pictures
from scenewright.godot.play.operations.records import PlayInputs, session_of
from scenewright.godot.play.operations.replays import draw_tape, open_tape, tape_of

if TYPE_CHECKING:
    from scenewright.godot.play.tapes import Tape

__all__ = ["OPERATIONS"]

_MOST_PICTURES = 30
_USUAL = 12
_RELEASED = " released"
_WIDEST = 6  # pixels of a letter of a caption


class SheetInputs(PlayInputs, frozen=True, kw_only=True):
    path: Annotated[str, about("Tape, instead of a session.")] | None = None
    every: Annotated[int, about("A picture every so many frames; else 12 in all.", ge=1)] | None = None
    max_size: Annotated[int, about("Longest side of the picture.", ge=64, le=4096)] = 1400


class Sheet(Outputs, frozen=True, kw_only=True):
    frames: Annotated[list[int], about("The frames it shows, in order.")]
    captions: Annotated[list[str], about("What stands above each: the frame, and what was done since the one before.")]
    width: Annotated[int, about("Width.")]
    height: Annotated[int, about("Height.")]


@operation(
    id="godot.play.sheet",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_sheet",
    manager="godot_play_manager",
    action="sheet",
    timeout=600.0,
    transactional=False,
    executes="always",
    notes="Needs a screen, or Xvfb. What was done is played once more there; the session stands as it did.",
    examples=(
        Example(
            "A picture each second",
            {"every": 60},
            {"frames": [1, 60], "captions": ["frame 1", "frame 60 right"], "width": 1160, "height": 236},
        ),
    ),
)
async def play_sheet(call: Call, inputs: SheetInputs) -> Sheet:
    """Shows a played game, or a tape, as one sheet of pictures with their frames and what was done."""
    tape = open_tape(call, inputs.path, "path")[1] if inputs.path is not None else tape_of(session_of(call, inputs))
    frames = _frames(tape.frames, inputs.every)
    with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
        drawn = await draw_tape(call, tape, frames, folder, inputs.max_size)
        shown = [int(each["frame"]) for each in drawn]
        captions = _captions(tape, shown, int(drawn[0]["width"]) // _WIDEST)
        finished = await attach_pictures(call, drawn, inputs.max_size, captions)
    call.summary = f"{count_noun(len(shown), 'picture')} of {count_noun(tape.frames, 'frame')}."
    return Sheet(frames=shown, captions=captions, width=finished.width, height=finished.height)


OPERATIONS = (play_sheet,)


def _frames(last: int, every: int | None) -> list[int]:
    """Return the frames to show; the last is one of them.

    Raises:
        Invalid: they are too many for a sheet.
    """
    step = every if every is not None else max(1, -(-last // (_USUAL - 1)))
    frames = sorted({1, *range(step, last + 1, step), last})  # nothing is drawn yet at frame 0
    if len(frames) > _MOST_PICTURES:
        raise Invalid(
            f"{len(frames)} pictures are too many for one sheet.",
            path="input.every",
            rule="minimum",
            hint=f"Pass every: {-(-last // (_MOST_PICTURES - 2))} or more.",
        )
    return frames


def _captions(tape: Tape, frames: Sequence[int], letters: int) -> list[str]:
    """Return what stands above each picture: its frame, and what was done since the one before."""
    done: list[tuple[int, str]] = []
    before = 0
    for event in tape.events:
        done += _deeds(event, before)
        before = int(event.get("frame", before))
    captions = []
    last = -1
    for frame in frames:
        words = list(dict.fromkeys(word for at, word in done if last < at <= frame))
        words = [word for word in words if word.removesuffix(_RELEASED) not in words or not word.endswith(_RELEASED)]
        captions.append(" ".join([f"frame {frame}", *words])[: max(letters, 12)])
        last = frame
    return captions


def _deeds(event: dict[str, Any], before: int) -> list[tuple[int, str]]:
    """Return what an event does, each at its frame of the game, in a word or two."""
    given = event.get("step", {})
    deeds = [(before + each.get("frame", 0) + 1, _word(each)) for each in given.get("inputs", [])]
    deeds += [(before + each.get("frame", 0) + 1, _called(each)) for each in given.get("calls", [])]
    deeds += [(before, _called(each)) for each in event.get("call", {}).get("calls", [])]
    deeds += [(before, f"set {path}") for path in event.get("set", {}).get("properties", {})]
    if "expect" in event:
        said = event["expect"].get("text") or event["expect"].get("expression", "")
        deeds.append((int(event["frame"]), f"{'saw' if event.get('met') else 'missed'} {said}"))
    return deeds


def _word(given: dict[str, Any]) -> str:
    text = next((str(given[key]) for key in ("action", "event", "click", "text") if given.get(key)), "mouse")
    return text if given.get("pressed", True) else f"{text}{_RELEASED}"


def _called(given: dict[str, Any]) -> str:
    return f"{given.get('method') or given.get('emit')}()"
