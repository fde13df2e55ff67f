"""Tile sheets with their TileSet: drawn by rules, taken over as they are, or out of a sprite with a tile set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from scenewright.core.faults import Invalid, NotFound
from scenewright.godot.documents.ids import seeded_ids
from scenewright.godot.pixel_art.generated_tilesets import generated_tileset
from scenewright.godot.pixel_art.sprite_files import open_sprite, png
from scenewright.pixel.worlds.autotiling import MASKS
from scenewright.pixel.worlds.specs import TilemapSpec
from scenewright.pixel.worlds.themes import find_theme
from scenewright.pixel.worlds.tile_art import TERRAINS, SheetPlan, draw_sheet, plan_sheet

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.project.workspace import Workspace

__all__ = ["SheetPlaces", "TileSheet", "make_sheet", "places_of"]


class SheetPlaces(msgspec.Struct, frozen=True):
    """Where the files of a tile map go, from the project's root."""

    sheet: str
    tileset: str
    meta: str | None


class TileSheet(msgspec.Struct, frozen=True):
    places: SheetPlaces
    source: str  # drawn, reused, given or aseprite
    tiles: int


def places_of(workspace: Workspace, spec: TilemapSpec) -> SheetPlaces:
    """Return where the files go; in tilesets/ under the spec's name where it does not say."""
    name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in spec.name)
    output = spec.output
    sheet = workspace.place(output.sheet_png_path or f"tilesets/{name}.png")
    tileset = workspace.place(output.tileset_path or f"tilesets/{name}.tres")
    meta = workspace.place(output.meta_json_path) if output.meta_json_path else None
    for place, ending, parameter in (
        (sheet, ".png", "sheetPngPath"),
        (tileset, ".tres", "tilesetPath"),
        (meta, ".json", "metaJsonPath"),
    ):
        if place is not None and not place.endswith(ending):
            raise Invalid(
                f"'res://{place}' must end in {ending}.", path=f"input.spec.output.{parameter}", rule="suffix"
            )
    return SheetPlaces(sheet, tileset, meta)


def make_sheet(
    workspace: Workspace, spec: TilemapSpec, seed: int, *, given: Image | None = None, redraw: bool = False
) -> TileSheet:
    """Stage a theme's sheet and TileSet; a sheet that is there is taken over unless it is to be drawn again.

    Raises:
        NotFound: there is no such theme.
        Invalid: the picture that was given or is there has another size.
    """
    places = places_of(workspace, spec)
    if spec.source_aseprite_path is not None:
        return _from_sprite(workspace, spec, places)
    plan = plan_sheet(spec.tile_size, spec.sheet.columns, spec.sheet.rows or 1)
    theme = find_theme(spec.theme)
    there = workspace.files.exists(places.sheet)
    source = "given" if given is not None else "reused" if there and not redraw else "drawn"
    if source != "reused":
        picture = draw_sheet(theme, plan, seed) if given is None else given
        _check_size(picture.size, plan)
        workspace.files.write(places.sheet, png(picture))
    if not workspace.files.exists(places.tileset) or (redraw and not _has_others(workspace, places.tileset)):
        with seeded_ids(f"{seed}:{places.tileset}"):
            document = generated_tileset(workspace, places.tileset, places.sheet, theme, plan)
        workspace.save(places.tileset, document)
    if places.meta is not None:
        workspace.files.write(places.meta, _meta(spec, plan, seed))
    return TileSheet(places, source, 10 + len(TERRAINS) * (len(MASKS) + 1))


def _has_others(workspace: Workspace, tileset: str) -> bool:
    """Whether a tile set has more sources than the sheet, which would be lost if it were written anew."""
    from scenewright.godot.tiles.tileset import open_tileset

    view, _ = open_tileset(workspace, tileset)
    return len(view.sources) > 1


def _check_size(size: tuple[int, int], plan: SheetPlan) -> None:
    wanted = (plan.columns * plan.tile, plan.rows * plan.tile)
    if size != wanted:
        raise Invalid(
            f"The sheet has {size[0]} x {size[1]} pixels, not {wanted[0]} x {wanted[1]}.",
            path="input.spec.output.sheetPngPath",
            rule="size",
        )


def _meta(spec: TilemapSpec, plan: SheetPlan, seed: int) -> bytes:
    theme = find_theme(spec.theme)
    tiles = {
        theme.looks[role].name: {
            "role": role,
            "tiles": [list(plan.terrain(number, tile)) for tile in range(len(MASKS) + 1)],
            "masks": [*MASKS, 255],
        }
        for number, role in enumerate(TERRAINS)
    }
    value = {
        "name": spec.name,
        "theme": theme.name,
        "seed": seed,
        "tileSize": plan.tile,
        "columns": plan.columns,
        "rows": plan.rows,
        "water": [list(plan.water(number, solid=True)) for number in range(4)],
        "bridges": [list(plan.bridge(upright=False)), list(plan.bridge(upright=True))],
        "terrains": tiles,
    }
    return (json.dumps(value, indent=2) + "\n").encode()


def _from_sprite(workspace: Workspace, spec: TilemapSpec, places: SheetPlaces) -> TileSheet:
    """The first tile set of a sprite as a sheet of its own."""
    from scenewright.godot.pixel_art.sprite_tilesets import stage_sprite_tileset

    sprite = open_sprite(workspace, spec.source_aseprite_path or "")
    if not sprite.tilesets:
        raise NotFound(
            f"'{spec.source_aseprite_path}' has no tile set.",
            hint="Give a sprite with a tilemap layer, or leave sourceAsepritePath out to have one drawn.",
        )
    stage_sprite_tileset(workspace, sprite, sprite.tilesets[0], places.sheet, places.tileset, spec.sheet.columns)
    return TileSheet(places, "aseprite", sprite.tilesets[0].count)
