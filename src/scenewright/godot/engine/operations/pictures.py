"""What a scene looks like: pictures of it at some frames, and of the game that runs."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Invalid, TimedOut
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import ERRORS_AND_WARNINGS, count_noun
from scenewright.godot.assets.images.scaling import Format
from scenewright.godot.assets.missing_imports import set_apart_unimported
from scenewright.godot.engine.drawn_pictures import (
    METHODS,
    Finished,
    finish_pictures,
    mind_renderer,
    mind_view,
    read_drawn,
)
from scenewright.godot.engine.operations.rehearsal import (
    FPS,
    MOST_OUTPUT,
    MOST_STEPS,
    Height,
    InputsAt,
    Width,
    loaded,
    mind_the_end,
    printed,
    stage,
)
from scenewright.godot.engine.operations.runs import Said, folded, games_of, said_by, said_of, scene_to_run
from scenewright.godot.project.openers import ScenePath, open_workspace

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.core.writes.changeset import Change
    from scenewright.godot.engine.games import Game
    from scenewright.godot.engine.worker import Reply

__all__ = ["OPERATIONS", "Overlay", "PictureInputs", "Side", "draw_scene"]

_MOST_PICTURES = 12
Renderer = Literal["compatibility", "mobile", "forward_plus"]
Side = Literal["front", "back", "right", "left", "top", "bottom"]
Overlay = Literal["markers", "shapes", "rects", "paths", "names"]


class PictureInputs(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    frames: Annotated[
        list[int], about("Frames of 1/60 s to show, as a strip; the first if left out.", max_length=12)
    ] = msgspec.field(default_factory=list)
    node: Annotated[str, about("Only the part around this node; in 3D, seen from near it.")] | None = None
    look_from: (
        Annotated[
            list[float],
            about("3D: place [x, y, z] to see node or the whole scene from.", min_length=3, max_length=3),
        ]
        | None
    ) = None
    sides: Annotated[
        list[Side], about("3D: sides to see it from, as a strip; front is from +z, right from +x.", max_length=6)
    ] = msgspec.field(default_factory=list)
    margin: Annotated[int, about("Pixels around it.", ge=0, le=500)] = 16
    zoom: Annotated[float, about("Factor to enlarge by.", gt=0, le=32)] = 1.0
    max_size: Annotated[int, about("Longest side; 900, or 1400 of a strip, if left out.", ge=16, le=2048)] | None = None
    overlays: Annotated[list[Overlay], about("What to draw over it.")] = msgspec.field(default_factory=list)
    renderer: Annotated[Renderer, about("Renderer; compatibility runs everywhere.")] = "compatibility"
    format: Annotated[Format, about("Else png where lines or pixels matter.")] | None = None
    inputs: InputsAt = msgspec.field(default_factory=list)
    width: Width | None = None
    height: Height | None = None


class Picture(Record, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frame it shows.")]
    side: Annotated[str, about("Side it is seen from.")] | None = None
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    part: Annotated[list[int], about("Part of the window it shows, or beyond: x, y, width, height.")]
    at: Annotated[list[int], about("Where it begins in the strip.")] | None = None


class Pictures(Outputs, frozen=True, kw_only=True):
    pictures: Annotated[list[Picture], about("What the picture that comes with this reply shows, in order.")]
    errors: Annotated[list[Said], about("Errors and warnings, of shaders too.")]
    output: Annotated[list[str], about("What was printed.")]
    saved: Annotated[str, about("File of the project that has the picture.")] | None = None
    running: Annotated[bool, about("It shows the running game as it is now.")] | None = None


@operation(
    id="godot.scene.picture",
    category="scene",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="scene_picture",
    common=True,
    forms={"position": "[x,y]", "lookFrom": "[x,y,z]"},
    manager="godot_scene_manager",
    action="picture",
    timeout=180.0,
    transactional=False,
    notes="Needs Godot, and Xvfb or a screen.",
    executes="always",
    examples=(
        Example(
            "How it looks after a second",
            {"scenePath": "main.tscn", "frames": [60]},
            {
                "pictures": [{"frame": 60, "width": 900, "height": 506, "part": [0, 0, 1152, 648]}],
                "errors": [],
                "output": [],
            },
        ),
    ),
)
async def scene_picture(call: Call, inputs: PictureInputs) -> Pictures:
    """Shows a scene as it looks at some frames, whole or around a node, with what is invisible drawn over it."""
    shown, _ = await _draw(call, inputs)
    return shown


class ScreenshotInputs(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene to show; else the running game, or the main scene.")] | None = None
    output_path: Annotated[str, about("File of the project to save the picture to: .png or .jpg.")] | None = None
    delay: Annotated[float, about("Seconds to let it run first.", ge=0, le=60)] = 0.0
    max_size: Annotated[int, about("Longest side of the picture.", ge=16, le=2048)] = 900


@operation(
    id="godot.project.screenshot",
    category="scene",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="take_screenshot",
    manager="godot_scene_manager",
    action="screenshot",
    timeout=180.0,
    notes="Needs Godot, and Xvfb or a screen. picture shows more and writes nothing.",
    executes="always",
    examples=(
        Example(
            "The game after two seconds",
            {"delay": 2, "outputPath": "shots/start.png"},
            {
                "pictures": [{"frame": 120, "width": 900, "height": 506, "part": [0, 0, 1152, 648]}],
                "errors": [],
                "output": [],
                "saved": "res://shots/start.png",
            },
        ),
    ),
)
async def take_screenshot(call: Call, inputs: ScreenshotInputs) -> Pictures:
    """Shows the running game, or else a scene after a while, and saves the picture to a file if asked to."""
    place = open_workspace(call).place(inputs.output_path) if inputs.output_path else None
    game = _shown_game(call) if inputs.scene_path is None else None
    suffix = _format_of(place) if place is not None else None
    frames = [max(2, min(round(inputs.delay * FPS), MOST_STEPS))]
    if game is not None:
        await anyio.sleep(inputs.delay)
        shown, drawn = await _photograph(call, game, inputs.max_size, suffix)
    else:
        scene = scene_to_run(call, inputs.scene_path)
        wanted = PictureInputs(scene_path=scene, frames=frames, max_size=inputs.max_size, format=suffix)
        shown, drawn = await _draw(call, wanted)
    if place is None or drawn is None:
        return shown
    call.files.write(place, drawn)
    return msgspec.structs.replace(shown, saved=f"res://{place}")


OPERATIONS = (scene_picture, take_screenshot)


def _shown_game(call: Call) -> Game | None:
    """The game of this project that runs and has a window."""
    game = games_of(call).find(call.state.project.root)
    if game is None or not game.running or game.session is None:
        return None
    if game.headless:
        call.warnings.append("The running game has no window; this shows a separate run.")
        return None
    return game


def _format_of(place: str) -> Format:
    suffix = Path(place).suffix.lower()
    if suffix not in (".jpg", ".jpeg", ".png"):
        raise Invalid("The file must end in .png or .jpg.", path="input.outputPath", rule="pattern")
    return "png" if suffix == ".png" else "jpg"


async def _photograph(call: Call, game: Game, most: int, suffix: Format | None) -> tuple[Pictures, bytes | None]:
    from scenewright.godot.assets.images.scaling import scaled

    assert game.session is not None
    path = await anyio.to_thread.run_sync(game.session.picture)
    if path is None:
        raise TimedOut(
            "The running game gives no picture; it may be paused in the debugger, or its Godot older than 4.5.",
            hint="Resume it with debug_resume, or pass scenePath for a separate run.",
        )
    file = Path(path)
    drawn = await anyio.to_thread.run_sync(lambda: scaled(file.read_bytes(), most, suffix))
    file.unlink(missing_ok=True)
    call.attach(Attachment("image", drawn.data, drawn.mime))
    call.summary = f"A picture of the running game, {drawn.width} x {drawn.height}."
    part = [0, 0, *drawn.whole]
    pictures = [Picture(frame=0, width=drawn.width, height=drawn.height, part=part)]
    lines, errors, _ = said_by(game, 0)
    return Pictures(pictures=pictures, errors=errors[-50:], output=lines[-MOST_OUTPUT:], running=True), drawn.data


class Drawn(NamedTuple):
    """What the engine has drawn, and what it said; the images are what it has of them."""

    value: dict[str, Any]
    reply: Reply
    images: list[Image]


async def draw_scene(
    call: Call,
    inputs: PictureInputs,
    most: int,
    folder: str,
    *,
    changes: Sequence[Change] = (),
    seed: int | None = None,
) -> Drawn:
    """Have a new engine draw a scene, in the project as it is or with changes."""
    from scenewright.godot.engine.requests import FreshEngine, ask_fresh_engine

    frames = _frames(inputs)
    params = stage(call, inputs.scene_path, frames[-1], inputs.inputs, (inputs.width, inputs.height))
    params |= {"picture": _wanted(inputs, frames, most, folder)}
    params |= {"seed": seed} if seed is not None else {}
    engine = FreshEngine(draws=True, arguments=_drawing_arguments(inputs.renderer), changes=changes)
    reply = await ask_fresh_engine(call, "probe.run", params, engine=engine, timeout=150.0)
    value = loaded(reply, inputs.scene_path)
    return Drawn(value, reply, [read_drawn(each) for each in value["pictures"]])


async def _draw(call: Call, inputs: PictureInputs) -> tuple[Pictures, bytes | None]:
    from scenewright.godot.editor.live.access import warn_of_unsaved

    await warn_of_unsaved(call)
    frames = _frames(inputs)
    sides = _sides(inputs, frames)
    most = inputs.max_size or (900 if len(frames) == len(sides) == 1 else 1400)
    with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
        value, reply, images = await draw_scene(call, inputs, most, folder)
    pictures = value["pictures"]
    _mind_sides(inputs, pictures)
    finished = await anyio.to_thread.run_sync(finish_pictures, pictures, images, most, _format_for(inputs))
    mind_renderer(call, inputs.renderer, value)
    mind_view(call, inputs.node, pictures)
    mind_the_end(call, value)
    complaints = set_apart_unimported(call, reply.complaints, lambda each: each.message, lambda each: each.path)
    errors = folded([said_of(complaint) for complaint in complaints])[:50]
    data = None
    if finished is not None:
        data = finished.data
        call.attach(Attachment("image", finished.data, finished.mime))
    shown = _shown(finished, len(pictures), "view" if inputs.sides else "frame")
    call.summary = f"{shown}, {count_noun(len(errors), *ERRORS_AND_WARNINGS)}."
    places = finished.places if finished is not None else []
    rows = [_picture(each, at) for each, at in zip(pictures, places, strict=True)]
    return Pictures(pictures=rows, errors=errors, output=printed(reply)), data


def _mind_sides(inputs: PictureInputs, pictures: Sequence[dict[str, Any]]) -> None:
    if inputs.sides and pictures and not any(each["view"] for each in pictures):
        raise Invalid(
            "There is nothing in 3D to be seen from a side.",
            path="input.sides",
            rule="range",
            hint="Leave sides out for a 2D scene, or name a node that shows something in 3D.",
        )


def _frames(inputs: PictureInputs) -> list[int]:
    # One frame settles containers, the next shows them. Nothing is drawn of frame 0, which looks as the first.
    frames = sorted({frame or 1 for frame in inputs.frames}) or [2]
    if frames[0] < 1 or frames[-1] > MOST_STEPS:
        raise Invalid(f"Frames are from 1 to {MOST_STEPS}.", path="input.frames", rule="range")
    return frames


def _sides(inputs: PictureInputs, frames: list[int]) -> list[str]:
    """The sides to draw from; nothing stands for where the camera is."""
    sides: list[str] = list(dict.fromkeys(inputs.sides))
    if sides and inputs.look_from is not None:
        raise Invalid("Give either sides or lookFrom.", path="input.sides", rule="oneOf")
    if len(sides) * len(frames) > _MOST_PICTURES:
        raise Invalid(
            f"{len(frames)} frames from {len(sides)} sides are too many for one picture.",
            path="input.sides",
            rule="maximum",
            hint=f"At most {_MOST_PICTURES} in all.",
        )
    return sides or [""]


def _wanted(inputs: PictureInputs, frames: list[int], most: int, folder: str) -> dict[str, Any]:
    """What the engine is to draw, in its words."""
    wanted: dict[str, Any] = {
        "frames": frames,
        "zoom": inputs.zoom,
        "most": most,
        "overlays": inputs.overlays,
        "folder": folder,
        "margin": inputs.margin,
    }
    wanted |= {"node": inputs.node} if inputs.node else {}
    wanted |= {"sides": list(dict.fromkeys(inputs.sides))} if inputs.sides else {}
    return wanted | ({"look_from": inputs.look_from} if inputs.look_from else {})


def _format_for(inputs: PictureInputs) -> Format | None:
    return "png" if inputs.format is None and inputs.overlays else inputs.format


def _shown(finished: Finished | None, count: int, what: str) -> str:
    if finished is None:
        return "No picture"
    size = f"{finished.width} x {finished.height}, {finished.mime.removeprefix('image/')}"
    return f"A picture of {size}" if count == 1 else f"A strip of {count_noun(count, what)}, {size}"


def _drawing_arguments(renderer: str) -> tuple[str, ...]:
    driver = ("--rendering-driver", "opengl3") if renderer == "compatibility" else ()
    return ("--rendering-method", METHODS[renderer], *driver, "--audio-driver", "Dummy", "--fixed-fps", str(FPS))


def _picture(each: dict[str, Any], at: tuple[int, int] | None) -> Picture:
    return Picture(
        frame=int(each["frame"]),
        side=each["side"] or None,
        width=int(each["width"]),
        height=int(each["height"]),
        part=[int(side) for side in each["part"]],
        at=None if at is None else list(at),
    )
