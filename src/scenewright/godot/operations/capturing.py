"""Pictures of the open editor and of the running game (seed 003)."""

from __future__ import annotations

from typing import Annotated, Literal

from scenewright.core.call import Call
from scenewright.core.model import Inputs, Outputs, Record, about
from scenewright.core.operation import Example, Safety, operation

__all__ = ["OPERATIONS", "as_named"]

PIXELS = 900
CAPTURE_SECONDS = 25.0
Width = Annotated[int, about("Most pixels across.", ge=16, le=8192)]
Height = Annotated[int, about("Most pixels down.", ge=16, le=8192)]
Format = Annotated[Literal["jpg", "png"], about("jpg is smaller, png exact.")]


def as_named(name: str) -> str:
    """Field names on the wire as seed 003 has them, with underscores."""
    return name


class ViewportInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    viewport_type: Annotated[Literal["2d", "3d", "both"], about("Which editor view.")] = "3d"
    max_width: Width = PIXELS
    max_height: Height = PIXELS
    format: Format = "jpg"


class GameInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    max_width: Width = PIXELS
    max_height: Height = PIXELS
    format: Format = "jpg"


class Picture(Record, frozen=True, kw_only=True, rename=as_named):
    width: Annotated[int, about("Pixels across.")]
    height: Annotated[int, about("Pixels down.")]
    viewport_type: Annotated[str, about("Which view.")] | None = None


class Captured(Outputs, frozen=True, kw_only=True, rename=as_named):
    pictures: Annotated[list[Picture], about("What the images beside this show, in order.")]
    scene_path: Annotated[str, about("Scene that runs.")] | None = None
    timestamp: Annotated[float, about("When, in seconds since 1970.")] | None = None


@operation(
    id="godot.editor.capture_viewport", name="Capture Editor Viewport", category="editor", safety=Safety.READ_ONLY,
    needs_project=True, requires_bridge=True, tool="godot_capture_viewport", aliases=("capture_editor_viewport",),
    action=("godot_editor_view_manager", "capture_viewport"),
    examples=(
        Example("The 2D view", {"viewport_type": "2d"},
                {"pictures": [{"width": 900, "height": 506, "viewport_type": "2d"}]}),
    ),
)  # fmt: skip
async def capture_viewport(call: Call, inputs: ViewportInputs) -> Captured:
    """Returns a picture of the open editor's 2D or 3D view, or of both."""
    from scenewright.godot.live.access import ask
    from scenewright.godot.live.pictures import picture_of

    answer = await ask(
        call,
        "capture_viewport",
        {
            "viewport_type": inputs.viewport_type,
            "max_width": inputs.max_width,
            "max_height": inputs.max_height,
            "format": inputs.format,
        },
        timeout=CAPTURE_SECONDS,
    )
    views = answer.get("images") or {inputs.viewport_type: answer}
    pictures = []
    for name, view in views.items():
        call.attach(picture_of(view))
        pictures.append(Picture(width=int(view["width"]), height=int(view["height"]), viewport_type=str(name)))
    call.summary = "Captured " + ", ".join(f"{p.viewport_type} {p.width}×{p.height}" for p in pictures) + "."
    return Captured(pictures=pictures, timestamp=answer.get("timestamp"))


@operation(
    id="godot.game.capture", name="Capture Running Game", category="editor", safety=Safety.READ_ONLY,
    needs_project=True, requires_bridge=True, tool="godot_capture_game",
    action=("godot_editor_view_manager", "capture_game"),
    examples=(
        Example("What the player sees", {}, {"pictures": [{"width": 900, "height": 506}],
                                             "scene_path": "res://main.tscn"}),
    ),
)  # fmt: skip
async def capture_game(call: Call, inputs: GameInputs) -> Captured:
    """Returns a picture of the game that runs from the open editor."""
    from scenewright.godot.live.access import ask
    from scenewright.godot.live.pictures import picture_of

    size = {"max_width": inputs.max_width, "max_height": inputs.max_height, "format": inputs.format}
    answer = await ask(call, "capture_game", size, timeout=CAPTURE_SECONDS)
    call.attach(picture_of(answer))
    picture = Picture(width=int(answer["width"]), height=int(answer["height"]))
    call.summary = f"Captured the game, {picture.width}×{picture.height}."
    return Captured(pictures=[picture], scene_path=answer.get("scene_path"), timestamp=answer.get("timestamp"))


OPERATIONS = (capture_viewport, capture_game)
