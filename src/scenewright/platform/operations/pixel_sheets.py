"""`pixel_manager` in any project: all frames of a sprite on one picture, with a table of where each is."""

from __future__ import annotations

import posixpath
from typing import Annotated

from scenewright.core.calls.call import Call
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.pixel.sheet_frames import SheetLayout
from scenewright.platform.pixel_files import (
    MANAGER,
    SPRITES,
    Overwrite,
    SpritePath,
    open_sprite,
    place_of,
    show,
    stage_new,
)

__all__ = ["OPERATIONS"]


class SheetInputs(SheetLayout, frozen=True, kw_only=True):
    path: SpritePath
    png_path: Annotated[str, about("Picture to write; beside the sprite if left out.", min_length=1)] | None = None
    table_path: (
        Annotated[str, about("Table to write: .json, or a module .luau; JSON beside the picture.", min_length=1)] | None
    ) = None
    overwrite: Overwrite = False


class SheetWritten(Outputs, frozen=True, kw_only=True):
    png_path: Annotated[str, about("The picture.")]
    table_path: Annotated[str, about("The table: rect, duration, tag and pivot of each frame.")]
    size: Annotated[list[int], about("Width and height of the picture.")]
    frames: Annotated[list[str], about("Names of the frames on it.")]


@operation(
    id="pixel.sheet",
    name="Export Pixel Art",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_sheet",
    manager=MANAGER.name,
    action="sheet",
    idempotent=True,
    timeout=120.0,
    notes="Rojo makes a ModuleScript of the table; in Roblox rectOffset and rectSize go into an ImageLabel.",
    asked_for="Aseprite file as png with a Luau or JSON table, for Roblox and Rojo",
    examples=(
        Example(
            "For a Rojo project",
            {
                "path": "art/hero.aseprite",
                "tag": "idle",
                "pngPath": "assets/hero.png",
                "tablePath": "src/shared/HeroFrames.luau",
            },
            {
                "pngPath": "assets/hero.png",
                "tablePath": "src/shared/HeroFrames.luau",
                "size": [32, 16],
                "frames": ["hero_idle_0", "hero_idle_1"],
            },
        ),
    ),
)
def pixel_sheet(call: Call, inputs: SheetInputs) -> SheetWritten:
    """Exports an Aseprite file as one picture with a table of rectangles, times and tags, in JSON or Luau."""
    from scenewright.pixel.previews import png
    from scenewright.pixel.sheet_frames import frame_sheet, frames_json, frames_luau

    place = place_of(call, inputs.path, "path", SPRITES)
    stem = posixpath.splitext(place)[0]
    picture = place_of(call, inputs.png_path or f"{stem}.png", "pngPath", (".png",))
    beside = f"{posixpath.splitext(picture)[0]}.json"
    table = place_of(call, inputs.table_path or beside, "tablePath", (".json", ".luau", ".lua"))
    sheet = frame_sheet(open_sprite(call, place), posixpath.basename(stem), inputs)
    write_table = frames_json if table.lower().endswith(".json") else frames_luau
    for path, content in (
        (picture, png(sheet.picture)),
        (table, write_table(sheet, posixpath.basename(picture))),
    ):
        if not (call.files.exists(path) and call.files.read(path) == content):
            stage_new(call, path, content, overwrite=inputs.overwrite)
    show(call, sheet.shown)
    call.summary = f"{count_noun(len(sheet.frames), 'frame')} on {picture}."
    return SheetWritten(
        png_path=picture,
        table_path=table,
        size=list(sheet.picture.size),
        frames=[frame.name for frame in sheet.frames],
    )


OPERATIONS = (pixel_sheet,)
