"""Tile sets of a sprite as a sheet and a TileSet; one that exists is completed, so that what was added to it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_resource
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.documents.resources import add_external_file, add_inner_resource
from scenewright.godot.pixel_art.sprite_files import png
from scenewright.godot.tiles.tileset import Atlas, open_tileset
from scenewright.pixel.pixels import Pixels

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import Sprite, Tileset

__all__ = ["ACROSS", "stage_sprite_tileset"]

ACROSS = 8  # however many tiles there are, so that a further tile moves no other


def stage_sprite_tileset(
    workspace: Workspace, sprite: Sprite, tiles: Tileset, sheet: str, tileset: str, across: int = ACROSS
) -> None:
    """Stage the sheet of a sprite's tile set, and its TileSet.

    Raises:
        Invalid: its tiles are in another file, or too many.
    """
    from PIL import Image

    pictures = Pixels(sprite).tiles(tiles)
    rows = -(-max(len(pictures), 1) // across)
    picture = Image.new("RGBA", (across * tiles.width, rows * tiles.height))
    for number, tile in enumerate(pictures):
        picture.paste(tile, (number % across * tiles.width, number // across * tiles.height))
    workspace.files.write(sheet, png(picture))
    first = 1 if tiles.first_is_empty else 0
    wanted = [(number % across, number // across) for number in range(first, tiles.count)]
    if workspace.files.exists(tileset):
        _complete(workspace, tileset, wanted)
        return
    size = v.Vector2i(tiles.width, tiles.height)
    is_usual = (tiles.width, tiles.height) == (16, 16)
    document = new_resource("TileSet", {} if is_usual else {"tile_size": size}, uid=new_uid())
    document, texture = add_external_file(document, "Texture2D", f"res://{sheet}", None)
    values: dict[str, v.Variant] = {"texture": v.ExtResource(texture)}
    if not is_usual:
        values["texture_region_size"] = size
    values |= {f"{x}:{y}/0": 0 for x, y in wanted}
    document, source = add_inner_resource(document, "TileSetAtlasSource", values)
    section = document.find("resource")
    assert section is not None  # new_resource has made it
    workspace.save(tileset, document.set_property(section, "sources/0", v.SubResource(source)))


def _complete(workspace: Workspace, tileset: str, wanted: list[tuple[int, int]]) -> None:
    """Add the tiles that a TileSet lacks."""
    view, _ = open_tileset(workspace, tileset)
    atlas = view.sources.get(0)
    if not isinstance(atlas, Atlas):
        return
    document = view.document
    for x, y in wanted:
        if (x, y) not in atlas.tiles:
            section = document.find("sub_resource", id=atlas.id)
            assert section is not None  # it was just found there
            document = document.set_property(section, f"{x}:{y}/0", 0)
    if document is not view.document:
        workspace.save(tileset, document)
