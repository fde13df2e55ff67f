"""Pictures of a game that is played, between two of its frames."""

from __future__ import annotations

import tempfile
from typing import Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.godot.engine.operations.pictures import Overlay, Side
from scenewright.godot.play.drawn_frames import attach_pictures, mind_screen
from scenewright.godot.play.operations.records import PlayInputs, ask, session_of

__all__ = ["OPERATIONS"]


class PlayPictureInputs(PlayInputs, frozen=True, kw_only=True):
    node: Annotated[str, about("Only around this node.", min_length=1)] | None = None
    margin: Annotated[float, about("Pixels around the node.", ge=0, le=2000)] = 16
    sides: Annotated[list[Side], about("3D: sides to see it from.", max_length=6)] = msgspec.field(default_factory=list)
    zoom: Annotated[float, about("Enlarge it.", gt=0, le=16)] = 1
    max_size: Annotated[int, about("Longest side of the picture.", ge=16, le=4096)] = 900
    overlays: Annotated[list[Overlay], about("What to draw over it.")] = msgspec.field(default_factory=list)


class PlayPicture(Outputs, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frames since begin.")]
    width: Annotated[int, about("Width.")]
    height: Annotated[int, about("Height.")]
    part: Annotated[list[int], about("Part of the window: x, y, width, height.")]


@operation(
    id="godot.play.picture",
    category="debug",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="play_picture",
    manager="godot_play_manager",
    action="picture",
    transactional=False,
    executes="always",
    notes="The game has to be begun with screen: true. No frame passes.",
    examples=(
        Example(
            "The player",
            {"node": "Player", "zoom": 4},
            {"frame": 60, "width": 208, "height": 208, "part": [38, 254, 52, 52]},
        ),
    ),
)
async def play_picture(call: Call, inputs: PlayPictureInputs) -> PlayPicture:
    """Shows a played game as it is, whole or around a node, in 3D from several sides."""
    from scenewright.godot.engine.drawn_pictures import mind_view

    session = session_of(call, inputs)
    mind_screen(session)
    with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
        drawn = (await ask(session, "picture", _wanted(inputs, session.frame, folder))).value["pictures"]
        finished = await attach_pictures(call, drawn, inputs.max_size)
    mind_view(call, inputs.node, drawn)
    call.summary = f"Frame {session.frame}, {finished.width} x {finished.height}."
    part = [int(side) for side in drawn[0]["part"]]
    return PlayPicture(frame=session.frame, width=finished.width, height=finished.height, part=part)


OPERATIONS = (play_picture,)


def _wanted(inputs: PlayPictureInputs, frame: int, folder: str) -> dict[str, Any]:
    """What the engine is to draw, in its words."""
    wanted: dict[str, Any] = {
        "frames": [frame],
        "zoom": inputs.zoom,
        "most": inputs.max_size,
        "overlays": inputs.overlays,
        "folder": folder,
        "margin": inputs.margin,
    }
    wanted |= {"sides": list(dict.fromkeys(inputs.sides))} if inputs.sides else {}
    return wanted | ({"node": inputs.node} if inputs.node else {})
