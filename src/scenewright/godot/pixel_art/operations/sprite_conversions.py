"""`aseprite_manager` apply_palette_and_export, scale_and_export and convert_color_mode."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.aseprite_files import MANAGER, InputPath
from scenewright.godot.pixel_art.operations.sprite_exports import (
    Overwrite,
    PngPath,
    Program,
    TimeoutMs,
    ask_program,
)
from scenewright.godot.project.openers import open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PIL.Image import Image

    from scenewright.pixel.sprite import Sprite

__all__ = ["OPERATIONS"]

PalettePath = Annotated[str, about("Palette (.gpl, .hex, .pal), picture or sprite.", min_length=1)]


class FramesExported(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path of the picture with all frames in a row.")]
    size: Annotated[list[int], about("Width and height in pixels.")]
    frames: Annotated[int, about("Frames on it.")]


class ApplyPalette(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    palette_path: PalettePath
    output_png_path: PngPath
    engine: Program = "own"
    timeout_ms: TimeoutMs = 60_000
    overwrite: Overwrite = False


@operation(
    id="godot.aseprite.apply_palette",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="apply_palette_to_aseprite",
    manager=MANAGER,
    action="apply_palette_and_export",
    open_world=True,
    idempotent=True,
    timeout=120.0,
    examples=(
        Example(
            "In sixteen colours",
            {"inputPath": "art/hero.aseprite", "palettePath": "art/sixteen.gpl", "outputPngPath": "art/hero16.png"},
            {"path": "res://art/hero16.png", "size": [64, 16], "frames": 4},
        ),
    ),
)
def apply_palette_to_aseprite(call: Call, inputs: ApplyPalette) -> FramesExported:
    """Writes all frames with each colour taken to the nearest of a palette."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite
    from scenewright.pixel.palettes import colors_of, palette_from_text, repainted
    from scenewright.pixel.pictures import open_picture
    from scenewright.pixel.rendering import Renderer
    from scenewright.pixel.sprite import Color, ColorMode

    workspace = open_workspace(call)
    place = workspace.place(inputs.palette_path)
    data = workspace.files.read(place)
    if inputs.engine == "aseprite":
        palette_file = f"palette{posixpath.splitext(place)[1].lower()}"
        sprite = open_sprite(workspace, inputs.input_path)
        changes = ["--palette", palette_file]
        changes += [] if sprite.mode is ColorMode.INDEXED else ["--color-mode", "indexed"]
        return _written_by_program(call, inputs, sprite, changes, {palette_file: data})
    palette: list[Color]
    if place.endswith((".aseprite", ".ase")):
        other = open_sprite(workspace, place)
        palette = [color for color in other.palette() if color[3]] or sorted(colors_of([Renderer(other).frame(0)]))
    elif place.endswith(".png"):
        palette = sorted(colors_of([open_picture(data, "input.palettePath")]))
    else:
        palette = palette_from_text(data[:65536].decode("utf-8", "replace"), "input.palettePath")
    renderer = Renderer(sprite := open_sprite(workspace, inputs.input_path))
    frames = (repainted(renderer.frame(at), {}, palette) for at in range(len(sprite.durations)))
    return _written(call, frames, inputs.output_png_path, 1, overwrite=inputs.overwrite)


class ScaleInputs(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    output_png_path: PngPath
    scale: Annotated[int, about("Pixels across for each pixel.", ge=1, le=64)] = 2
    engine: Program = "own"
    timeout_ms: TimeoutMs = 60_000
    overwrite: Overwrite = False


@operation(
    id="godot.aseprite.scale",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="scale_aseprite",
    manager=MANAGER,
    action="scale_and_export",
    open_world=True,
    idempotent=True,
    timeout=120.0,
    examples=(
        Example(
            "Four times as large",
            {"inputPath": "art/hero.aseprite", "outputPngPath": "art/large.png", "scale": 4},
            {"path": "res://art/large.png", "size": [256, 64], "frames": 4},
        ),
    ),
)
def scale_aseprite(call: Call, inputs: ScaleInputs) -> FramesExported:
    """Writes all frames enlarged by whole pixels."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite
    from scenewright.pixel.rendering import Renderer

    renderer = Renderer(sprite := open_sprite(open_workspace(call), inputs.input_path))
    if inputs.engine == "aseprite":
        return _written_by_program(call, inputs, sprite, ["--scale", str(inputs.scale)])
    frames = (renderer.frame(at) for at in range(len(sprite.durations)))
    return _written(call, frames, inputs.output_png_path, inputs.scale, overwrite=inputs.overwrite)


class ConvertInputs(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    mode: Annotated[Literal["rgba", "grayscale", "indexed"], about("Colour mode.")]
    output_path: Annotated[str, about("Sprite to write; in place if left out.", min_length=1)] | None = None
    engine: Program = "own"
    timeout_ms: TimeoutMs = 60_000
    overwrite: Overwrite = False


class Converted(Outputs, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    mode: Annotated[str, about("Its colour mode.")]
    colors: Annotated[int, about("Colours of its palette.")]


@operation(
    id="godot.aseprite.convert_color_mode",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="convert_aseprite_color_mode",
    manager=MANAGER,
    action="convert_color_mode",
    open_world=True,
    idempotent=True,
    timeout=120.0,
    parameter_aliases={"colorMode": "mode"},
    examples=(
        Example(
            "With a palette",
            {"inputPath": "art/hero.aseprite", "mode": "indexed"},
            {"path": "res://art/hero.aseprite", "mode": "indexed", "colors": 12},
        ),
    ),
)
def convert_aseprite_color_mode(call: Call, inputs: ConvertInputs) -> Converted:
    """Converts a sprite to true colour, greys or a palette; layers, frames and tags stay."""
    from scenewright.godot.pixel_art.sprite_files import new_place, open_sprite
    from scenewright.pixel.aseprite_reader import read_sprite
    from scenewright.pixel.aseprite_writer import write_sprite
    from scenewright.pixel.color_modes import converted
    from scenewright.pixel.sprite import ColorMode

    workspace = open_workspace(call)
    if inputs.engine == "aseprite":
        mode = inputs.mode.removesuffix("a")
        arguments = ["input.aseprite", "--color-mode", mode, "--save-as", "out.aseprite"]
        (content,) = ask_program(call, inputs, arguments, ["out.aseprite"])
        sprite = read_sprite(content)
    else:
        sprite = converted(open_sprite(workspace, inputs.input_path), ColorMode[inputs.mode.upper()])
        content = write_sprite(sprite)
    target = inputs.output_path or inputs.input_path
    in_place = workspace.place(target) == workspace.place(inputs.input_path)
    ending = ".ase" if target.endswith(".ase") else ".aseprite"
    place = new_place(workspace, target, ending, "outputPath", overwrite=inputs.overwrite or in_place)
    workspace.files.write(place, content)
    call.summary = f"res://{place} is {inputs.mode}."
    return Converted(path=f"res://{place}", mode=inputs.mode, colors=len(sprite.palette()))


OPERATIONS = (apply_palette_to_aseprite, scale_aseprite, convert_aseprite_color_mode)


def _written_by_program(
    call: Call,
    inputs: ApplyPalette | ScaleInputs,
    sprite: Sprite,
    changes: Sequence[str],
    beside: Mapping[str, bytes] | None = None,
) -> FramesExported:
    """All frames in a row, as the program draws them after some changes."""
    from scenewright.godot.pixel_art.sprite_files import new_place, png
    from scenewright.pixel.pictures import open_picture

    workspace = open_workspace(call)
    place = new_place(workspace, inputs.output_png_path, ".png", "outputPngPath", overwrite=inputs.overwrite)
    arguments = ["input.aseprite", *changes, "--sheet-type", "horizontal", "--sheet", "out.png"]
    (sheet,) = ask_program(call, inputs, arguments, ["out.png"], beside)
    picture = open_picture(sheet, "input.inputPath")
    workspace.files.write(place, png(picture))
    count = len(sprite.durations)
    call.summary = f"{count_noun(count, 'frame')} on res://{place}."
    return FramesExported(path=f"res://{place}", size=list(picture.size), frames=count)


def _written(call: Call, frames: Iterable[Image], path: str, scale: int, *, overwrite: bool) -> FramesExported:
    from scenewright.godot.pixel_art.sprite_files import enlarged, new_place, png
    from scenewright.pixel.sheets import SheetStyle, make_sheet

    workspace = open_workspace(call)
    place = new_place(workspace, path, ".png", "outputPngPath", overwrite=overwrite)
    sheet = make_sheet(frames, SheetStyle())
    picture = enlarged(sheet.picture, scale)
    workspace.files.write(place, png(picture))
    call.summary = f"{count_noun(len(sheet.frames), 'frame')} on res://{place}."
    return FramesExported(path=f"res://{place}", size=list(picture.size), frames=len(sheet.frames))
