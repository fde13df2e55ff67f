"""What a person played in the game that the open editor runs, as a tape that plays it again in lock step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scenewright.core.faults import Invalid
from scenewright.godot.documents.variant import Object, StringName
from scenewright.godot.documents.variant_reader import parse_variant
from scenewright.godot.editor.live.access import ask
from scenewright.godot.play.tapes import Tape
from scenewright.godot.project.input_events import describe_event
from scenewright.godot.project.openers import class_index

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call

__all__ = ["tape_of_editor_game"]

_FPS: Final = 60
_MOST_FRAMES: Final = 36_000  # of one step
_MOST_INPUTS: Final = 500


async def tape_of_editor_game(call: Call) -> Tape:
    """Return what was played so far, by the clock of the game; its marks are still to be made.

    Raises:
        NotConnected: no editor has the project open.
        Invalid: nothing was played, or more than a tape takes at once.
    """
    played = await ask(call, "scenewright.get_game_inputs")
    frames = round(float(played["seconds"]) * _FPS)
    if frames < 1 or not played["scene_path"]:
        raise Invalid("Nothing was played in the editor's game yet.", path="input.fromEditor", rule="minimum")
    if frames > _MOST_FRAMES:
        raise Invalid(
            f"The editor's game has run for {frames // _FPS} s, which is more than a tape takes.",
            path="input.fromEditor",
            rule="maximum",
            hint="Run it anew and save what you play within ten minutes.",
        )
    if played["left_out"]:
        call.warnings.append(f"The last {int(played['left_out'])} inputs were too many, and are left out.")
    width, height = (int(side) for side in played["size"])
    inputs = [_as_input(call, row, frames) for row in played["inputs"]]
    return Tape(
        engine="",
        scene=str(played["scene_path"]),
        seed=1,
        fps=_FPS,
        size=(width, height),
        frames=frames,
        events=_steps(inputs, frames),
    )


def _as_input(call: Call, row: dict[str, Any], frames: int) -> dict[str, Any]:
    """Return an input in the words of a step; the frame is that of the game."""
    frame = min(round(float(row["at"]) * _FPS), frames - 1)
    place = [float(side) for side in row["position"]]
    if not row["event"]:
        return {"frame": frame, "position": place}
    event = parse_variant(row["event"])
    assert isinstance(event, Object)
    fields = dict(event.properties)
    given: dict[str, Any] = {"frame": frame}
    if event.type == "InputEventAction":
        action = fields.get("action")
        given["action"] = action.text if isinstance(action, StringName) else str(action)
    else:
        given["event"] = describe_event(event, class_index(call)) or row["event"]
        given |= {"position": place} if event.type == "InputEventMouseButton" else {}
    return given | ({} if fields.get("pressed") else {"pressed": False})


def _steps(inputs: list[dict[str, Any]], frames: int) -> list[dict[str, Any]]:
    """Return steps of no more inputs than one takes; each begins where the one before has ended."""
    events: list[dict[str, Any]] = []
    begun = 0
    for at in range(0, max(len(inputs), 1), _MOST_INPUTS):
        part = inputs[at : at + _MOST_INPUTS]
        rest = inputs[at + _MOST_INPUTS :]
        end = min(max(rest[0]["frame"], part[-1]["frame"] + 1), frames) if rest else frames
        due = [{**each, "frame": max(each["frame"] - begun, 0)} for each in part]
        events.append({"step": {"frames": max(end - begun, 1)} | ({"inputs": due} if due else {})})
        begun = end
    return events
