"""Aseprite files brought into Unity: a sheet as a picture, and its sprites in the `.meta`."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.pixel.sheet_frames import SheetLayout
from scenewright.unity.operations.openers import open_workspace
from scenewright.unity.operations.scene_changes import MANAGER

if TYPE_CHECKING:
    from scenewright.unity.import_settings import ImportSettings
    from scenewright.unity.workspace import Workspace

__all__ = ["OPERATIONS"]

_SPRITES = (".aseprite", ".ase")


class SheetImport(SheetLayout, frozen=True, kw_only=True):
    path: Annotated[str, about("Sprite (.aseprite or .ase).", min_length=1, max_length=1024)]
    asset_path: (
        Annotated[str, about("Picture to write, below Assets (.png); beside the sprite if left out.", min_length=1)]
        | None
    ) = None
    pivot: (
        Annotated[
            list[float],
            about("Pivot of frames without one of a slice: x, y from 0 to 1, from below.", min_length=2, max_length=2),
        ]
        | None
    ) = None
    pixels_per_unit: Annotated[float, about("Pixels that are one unit.", gt=0, le=100_000)] | None = None
    overwrite: Annotated[bool, about("Replace a picture that is no sheet of this sprite.")] = False


class SpriteRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Its name.")]
    file_id: Annotated[str, about("What refers to it, with the guid.")]
    milliseconds: Annotated[int, about("How long the frame stays.")]
    tag: Annotated[str, about("Its animation.")] | None = None


class SheetImported(Outputs, frozen=True, kw_only=True):
    asset_path: Annotated[str, about("The picture.")]
    guid: Annotated[str, about("Its guid.")]
    size: Annotated[list[int], about("Its width and height.")]
    sprites: Annotated[list[SpriteRow], about("A sprite for each frame.")]
    removed: Annotated[list[str], about("Sprites of frames that are no more.")] | None = None
    kept: Annotated[list[str], about("Sprites that were made by hand.")] | None = None


@operation(
    id="asset.sheet.import",
    name="Import Sprite Sheet",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    manager=MANAGER,
    action="sheet.import",
    idempotent=True,
    timeout=120.0,
    notes="Called again after a change, sprites keep their ids and what was set by hand.",
    asked_for="Aseprite file as sprites, sprite sheet with rectangles and pivots in the .meta",
    examples=(
        Example(
            "The walk of a hero",
            {
                "path": "Art/hero.aseprite",
                "assetPath": "Assets/Textures/hero.png",
                "tag": "walk/run",
                "pixelsPerUnit": 8,
            },
            {
                "assetPath": "Assets/Textures/hero.png",
                "guid": "3e2b07c22a24a8ad77a7512b2357f633",
                "size": [16, 8],
                "sprites": [
                    {"name": "hero_walk_run_0", "fileId": "1101531897512", "milliseconds": 150, "tag": "walk/run"},
                    {"name": "hero_walk_run_1", "fileId": "1099770490430", "milliseconds": 150, "tag": "walk/run"},
                    {"name": "hero_walk_run_2", "fileId": "1102034812804", "milliseconds": 200, "tag": "walk/run"},
                ],
            },
        ),
    ),
)
def import_sheet(call: Call, inputs: SheetImport) -> SheetImported:
    """Makes a sheet of an Aseprite file, with a sprite for each frame, named after tags, pivots from slices."""
    from scenewright.pixel.aseprite_reader import read_sprite
    from scenewright.pixel.previews import png, preview
    from scenewright.pixel.sheet_frames import frame_sheet
    from scenewright.unity.sprite_sheets import other_sprites, prepare_settings, sprite_rows
    from scenewright.unity.yaml.source import read_meta

    workspace = open_workspace(call)
    source, target = _places(workspace, inputs)
    title = posixpath.splitext(posixpath.basename(source))[0]
    sheet = frame_sheet(read_sprite(workspace.content(source)), title, inputs)
    size = sheet.picture.size
    settings = _settings(call, workspace, source, target)
    pivot = (inputs.pivot[0], inputs.pivot[1]) if inputs.pivot is not None else None
    rows = sprite_rows(sheet.frames, size[1], pivot)
    kept, gone = other_sprites(settings, title, rows)
    _check_replaced(call, target, settings, {row["name"] for row in rows} | set(gone), overwrite=inputs.overwrite)
    prepare_settings(settings, size, inputs.pixels_per_unit)
    settings.set_sprites(rows, size, keep=kept)
    call.files.write(target, png(sheet.picture))
    call.files.write(f"{target}.meta", settings.meta)
    call.attach(Attachment("image", preview(sheet.shown), "image/png"))
    call.summary = f"'{target}' has {count_noun(len(rows), 'sprite')}."
    ids = {str(row["name"]): str(row["internalID"]) for row in settings.sprites}
    return SheetImported(
        asset_path=target,
        guid=str(read_meta(settings.meta)["guid"]),
        size=list(size),
        sprites=[
            SpriteRow(name=frame.name, file_id=ids[frame.name], milliseconds=frame.duration, tag=frame.tag)
            for frame in sheet.frames
        ],
        removed=gone or None,
        kept=kept or None,
    )


OPERATIONS = (import_sheet,)


def _places(workspace: Workspace, inputs: SheetImport) -> tuple[str, str]:
    """The sprite and the picture to be, both from the project's root."""
    source = workspace.place(inputs.path)
    if not source.lower().endswith(_SPRITES):
        raise Invalid(f"'{source}' must end in .aseprite or .ase.", path="input.path", rule="suffix")
    target = workspace.place(inputs.asset_path or f"{posixpath.splitext(source)[0]}.png")
    if not target.startswith("Assets/") or not target.lower().endswith(".png"):
        raise Invalid(
            f"'{target}' is no picture (.png) below Assets.",
            path="input.assetPath",
            rule="pattern",
            hint="Pass assetPath, such as Assets/Art/hero.png.",
        )
    return source, target


def _settings(call: Call, workspace: Workspace, source: str, target: str) -> ImportSettings:
    """How the picture is imported; of a new one, with a guid that is the same for the same request."""
    from scenewright.unity.import_settings import ImportSettings
    from scenewright.unity.meta_files import meta_for

    meta = f"{target}.meta"
    content = call.files.read(meta) if call.files.exists(meta) else meta_for(workspace.graph, target, source.encode())
    return ImportSettings(target, content)


def _check_replaced(call: Call, target: str, settings: ImportSettings, ours: set[str], *, overwrite: bool) -> None:
    if overwrite or not call.files.exists(target) or any(row.get("name") in ours for row in settings.sprites):
        return
    raise Conflict(
        f"'{target}' exists and is no sheet of this sprite.",
        hint="Pass another assetPath, or overwrite: true to replace it.",
        retryable=False,
    )
