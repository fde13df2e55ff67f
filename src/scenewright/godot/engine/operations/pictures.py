"""What a scene looks like: pictures of it at some frames, and of the game that runs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio
import anyio.to_thread
import msgspec

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Invalid, TimedOut
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import ERRORS_AND_WARNINGS, count_noun
from scenewright.godot.assets.operations.imports import mind_unimported
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
    from scenewright.godot.engine.games import Game

__all__ = ["OPERATIONS"]

Renderer = Literal["compatibility", "mobile", "forward_plus"]
_METHODS = {"compatibility": "gl_compatibility", "mobile": "mobile", "forward_plus": "forward_plus"}
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
    margin: Annotated[int, about("Pixels around it.", ge=0, le=500)] = 16
    zoom: Annotated[float, about("Factor to enlarge by.", gt=0, le=32)] = 1.0
    max_size: Annotated[int, about("Longest side of the picture.", ge=16, le=2048)] = 900
    overlays: Annotated[list[Overlay], about("What to draw over it.")] = msgspec.field(default_factory=list)
    renderer: Annotated[Renderer, about("Renderer; compatibility runs everywhere.")] = "compatibility"
    format: Annotated[Literal["jpg", "png"], about("Format of the picture.")] = "jpg"
    inputs: InputsAt = msgspec.field(default_factory=list)
    width: Width | None = None
    height: Height | None = None


class Picture(Record, frozen=True, kw_only=True):
    frame: Annotated[int, about("Frame it shows.")]
    width: Annotated[int, about("Width in pixels.")]
    height: Annotated[int, about("Height in pixels.")]
    part: Annotated[list[int], about("Part of the window it shows: x, y, width, height.")]


class Pictures(Outputs, frozen=True, kw_only=True):
    pictures: Annotated[list[Picture], about("The pictures that come with this reply, in order.")]
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
    suffix = Path(place or "shot.jpg").suffix.lower().removeprefix(".").replace("jpeg", "jpg")
    if suffix not in ("jpg", "png"):
        raise Invalid("The file must end in .png or .jpg.", path="input.outputPath", rule="pattern")
    frames = [max(2, min(round(inputs.delay * FPS), MOST_STEPS))]
    if game is not None:
        await anyio.sleep(inputs.delay)
        shown, drawn = await _photograph(call, game, inputs.max_size, suffix)
    else:
        scene = scene_to_run(call, inputs.scene_path)
        wanted = PictureInputs(scene_path=scene, frames=frames, max_size=inputs.max_size, format=suffix)  # type: ignore[arg-type]  # checked above
        shown, drawn = await _draw(call, wanted)
    if place is None or not drawn:
        return shown
    call.files.write(place, drawn[0])
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


async def _photograph(call: Call, game: Game, most: int, suffix: str) -> tuple[Pictures, list[bytes]]:
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
    return Pictures(pictures=pictures, errors=errors[-50:], output=lines[-MOST_OUTPUT:], running=True), [drawn.data]


async def _draw(call: Call, inputs: PictureInputs) -> tuple[Pictures, list[bytes]]:
    from scenewright.godot.editor.live.access import warn_of_unsaved
    from scenewright.godot.engine.requests import ask_fresh_engine

    await warn_of_unsaved(call)
    frames = sorted(set(inputs.frames)) or [2]  # one frame settles containers, the next shows them
    if frames[0] < 1 or frames[-1] > MOST_STEPS:
        raise Invalid(f"Frames are from 1 to {MOST_STEPS}.", path="input.frames", rule="range")
    with tempfile.TemporaryDirectory(prefix="scenewright-pictures-") as folder:
        wanted: dict[str, Any] = {
            "frames": frames,
            "zoom": inputs.zoom,
            "most": inputs.max_size,
            "overlays": inputs.overlays,
            "format": inputs.format,
            "folder": folder,
            "margin": inputs.margin,
        }
        wanted |= {"node": inputs.node} if inputs.node else {}
        wanted |= {"look_from": inputs.look_from} if inputs.look_from else {}
        window = (inputs.width, inputs.height)
        params = stage(call, inputs.scene_path, frames[-1], inputs.inputs, window) | {"picture": wanted}
        reply = await ask_fresh_engine(
            call, "probe.run", params, draws=True, timeout=150.0, arguments=_drawing_arguments(inputs.renderer)
        )
        value = loaded(reply, inputs.scene_path)
        drawn = [Path(each["path"]).read_bytes() for each in value["pictures"]]
    used = value.get("renderer", _METHODS[inputs.renderer])
    if used != _METHODS[inputs.renderer]:
        call.warnings.append(f"Drawn by {used}: {inputs.renderer} needs Vulkan, Metal or Direct3D 12 on this machine.")
    _tell_of_view(call, value["pictures"])
    mime = "image/jpeg" if inputs.format == "jpg" else "image/png"
    for data in drawn:
        call.attach(Attachment("image", data, mime))
    mind_the_end(call, value)
    mind_unimported(call, (complaint.message for complaint in reply.complaints))
    errors = folded([said_of(complaint) for complaint in reply.complaints])[:50]
    call.summary = f"{count_noun(len(drawn), 'picture')}, {count_noun(len(errors), *ERRORS_AND_WARNINGS)}."
    pictures = [_picture(each) for each in value["pictures"]]
    return Pictures(pictures=pictures, errors=errors, output=printed(reply)), drawn


def _tell_of_view(call: Call, pictures: list[dict[str, Any]]) -> None:
    """Warns where the picture shows what the game would not: a camera or a light that the scene lacks."""
    view = next((each["view"] for each in pictures if each.get("view")), None)
    if view is None or not (view["missing"] or not view["lit"]):
        return
    place = ", ".join(f"{part:.3g}" for part in view["from"])
    light = "" if view["lit"] else " and no light"
    call.warnings.append(
        f"The scene has no Camera3D{light}: this is the view of a temporary camera at [{place}]; lookFrom moves it."
    )


def _drawing_arguments(renderer: str) -> tuple[str, ...]:
    driver = ("--rendering-driver", "opengl3") if renderer == "compatibility" else ()
    return ("--rendering-method", _METHODS[renderer], *driver, "--audio-driver", "Dummy", "--fixed-fps", str(FPS))


def _picture(each: dict[str, Any]) -> Picture:
    return Picture(
        frame=int(each["frame"]),
        width=int(each["width"]),
        height=int(each["height"]),
        part=[int(side) for side in each["part"]],
    )
