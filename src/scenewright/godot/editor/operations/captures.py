"""Pictures of the open editor and of the running game, as in the Godoty protocol."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about

__all__ = ["OPERATIONS", "as_named"]

PIXELS = 900
FRONT = "front"  # the view that the person looks at
CAPTURE_SECONDS = 25.0
Width = Annotated[int, about("Maximum width in pixels.", ge=16, le=8192)]
Height = Annotated[int, about("Maximum height in pixels.", ge=16, le=8192)]
Longest = Annotated[int, about("Longest side, instead of max_width and max_height.", ge=16, le=8192)]
Format = Annotated[Literal["jpg", "png"], about("jpg is smaller, png exact.")]


def as_named(name: str) -> str:
    """Keep a field's name on the wire as the Godoty protocol has it, with underscores."""
    return name


class ViewportInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    viewport_type: (
        Annotated[Literal["2d", "3d", "both"], about("Which editor view; the one in front if left out.")] | None
    ) = None
    viewport: Annotated[Literal["2d", "3d"], about("Another name of viewport_type.")] | None = None
    max_width: Width = PIXELS
    max_height: Height = PIXELS
    max_size: Longest | None = None
    format: Format = "jpg"
    save_path: Annotated[str, about("Not here: save_viewport_picture writes files.")] | None = None


class GameInputs(Inputs, frozen=True, kw_only=True, rename=as_named):
    max_width: Width = PIXELS
    max_height: Height = PIXELS
    format: Format = "jpg"


class Picture(Record, frozen=True, kw_only=True, rename=as_named):
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    viewport_type: Annotated[str, about("Which view.")] | None = None


class Captured(Outputs, frozen=True, kw_only=True, rename=as_named):
    pictures: Annotated[list[Picture], about("What the images beside this show, in order.")]
    scene_path: Annotated[str, about("Scene that runs.")] | None = None
    timestamp: Annotated[float, about("When, in seconds since 1970.")] | None = None


@operation(
    id="godot.editor.capture_viewport",
    name="Capture Editor Viewport",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_capture_viewport",
    aliases=("capture_editor_viewport",),
    manager="godot_editor_view_manager",
    action="capture_viewport",
    examples=(
        Example(
            "The 2D view", {"viewport_type": "2d"}, {"pictures": [{"width": 900, "height": 506, "viewport_type": "2d"}]}
        ),
    ),
)
async def capture_viewport(call: Call, inputs: ViewportInputs) -> Captured:
    """Returns a picture of the open editor's view that is in front, of its 2D or 3D view, or of both."""
    from scenewright.godot.editor.live.pictures import picture_of

    if inputs.save_path is not None:
        raise Invalid(
            "capture_viewport only reads; it writes no file.",
            path="input.save_path",
            rule="readOnly",
            hint="Use save_viewport_picture (action save_viewport), which takes 'savePath'.",
        )
    shown = _view(inputs)
    width, height = (inputs.max_size or each for each in (inputs.max_width, inputs.max_height))
    answer = await _capture_view(call, shown, (width, height), inputs.format)
    views = answer.get("images") or {answer["viewport_type"]: answer}
    pictures = []
    for name, view in views.items():
        call.attach(picture_of(view))
        pictures.append(Picture(width=int(view["width"]), height=int(view["height"]), viewport_type=str(name)))
    call.summary = "Captured " + ", ".join(f"{p.viewport_type} {p.width}×{p.height}" for p in pictures) + "."
    return Captured(pictures=pictures, timestamp=answer.get("timestamp"))


class SaveInputs(Inputs, frozen=True, kw_only=True):
    save_path: Annotated[str, about("File of the project: .png or .jpg.", min_length=1)]
    viewport: Annotated[Literal["2d", "3d"], about("Which editor view; the one in front if left out.")] | None = None
    max_size: Annotated[int, about("Longest side.", ge=16, le=8192)] = PIXELS


class SavedPicture(Outputs, frozen=True, kw_only=True):
    saved: Annotated[str, about("The file.")]
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]


@operation(
    id="godot.editor.save_viewport",
    name="Save Editor Viewport",
    category="editor",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    requires_bridge=True,
    tool="save_viewport_picture",
    manager="godot_editor_view_manager",
    action="save_viewport",
    examples=(
        Example(
            "The 2D view",
            {"savePath": "shots/level.png", "viewport": "2d"},
            {"saved": "res://shots/level.png", "width": 900, "height": 506},
        ),
    ),
)
async def save_viewport(call: Call, inputs: SaveInputs) -> SavedPicture:
    """Saves a picture of the open editor's 2D or 3D view to a file of the project."""
    from scenewright.godot.editor.live.pictures import picture_of
    from scenewright.godot.project.openers import open_workspace

    place = open_workspace(call).place(inputs.save_path)
    kind = PurePosixPath(place).suffix.lower().removeprefix(".").replace("jpeg", "jpg")
    if kind not in ("jpg", "png"):
        raise Invalid("The file must end in .png or .jpg.", path="input.savePath", rule="pattern")
    answer = await _capture_view(call, inputs.viewport or FRONT, (inputs.max_size, inputs.max_size), kind)
    data = picture_of(answer).data
    assert isinstance(data, bytes)
    call.files.write(place, data)
    call.summary = f"Saved {place}, {answer['width']}×{answer['height']}."
    return SavedPicture(saved=f"res://{place}", width=int(answer["width"]), height=int(answer["height"]))


@operation(
    id="godot.game.capture",
    name="Capture Running Game",
    category="editor",
    safety=Safety.READ_ONLY,
    needs_project=True,
    requires_bridge=True,
    tool="godot_capture_game",
    manager="godot_editor_view_manager",
    action="capture_game",
    examples=(
        Example(
            "What the player sees", {}, {"pictures": [{"width": 900, "height": 506}], "scene_path": "res://main.tscn"}
        ),
    ),
)
async def capture_game(call: Call, inputs: GameInputs) -> Captured:
    """Returns a picture of the game that runs from the open editor."""
    from scenewright.godot.editor.live.access import ask
    from scenewright.godot.editor.live.pictures import picture_of

    size = {"max_width": inputs.max_width, "max_height": inputs.max_height, "format": inputs.format}
    answer = await ask(call, "capture_game", size, timeout=CAPTURE_SECONDS)
    call.attach(picture_of(answer))
    picture = Picture(width=int(answer["width"]), height=int(answer["height"]))
    call.summary = f"Captured the game, {picture.width}×{picture.height}."
    return Captured(pictures=[picture], scene_path=answer.get("scene_path"), timestamp=answer.get("timestamp"))


OPERATIONS = (capture_viewport, save_viewport, capture_game)


def _view(inputs: ViewportInputs) -> str:
    names = {name for name in (inputs.viewport_type, inputs.viewport) if name is not None}
    if len(names) > 1:
        raise Invalid(
            "'viewport' and 'viewport_type' name different views.",
            path="input.viewport",
            rule="oneOf",
            hint="Give one of them.",
        )
    return names.pop() if names else FRONT


async def _capture_view(call: Call, view: str, size: tuple[int, int], kind: str) -> dict[str, Any]:
    from scenewright.godot.editor.live.access import ask

    wanted = {"viewport_type": view, "max_width": size[0], "max_height": size[1], "format": kind}
    return await ask(call, "capture_viewport", wanted, timeout=CAPTURE_SECONDS)
