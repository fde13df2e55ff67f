"""Tile map layers of a sprite as TileMapLayers, with the tile sets they take their tiles from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.godot.pixel_art.sprite_files import new_place
from scenewright.godot.pixel_art.sprite_tilesets import ACROSS, stage_sprite_tileset
from scenewright.godot.scenes.scene_edit import Addition, SceneEdit
from scenewright.godot.tiles.cells import FLIP_H, FLIP_V, TRANSPOSE, Cells, Tile
from scenewright.godot.tiles.layer import open_layer, put_cells
from scenewright.pixel.pixels import Pixels

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import Sprite

__all__ = ["SpriteTilemaps"]


class SpriteTilemaps:
    """Puts the maps of one sprite into a scene."""

    def __init__(
        self, workspace: Workspace, edit: SceneEdit, sprite: Sprite, stem: str, *, overwrite: bool = False
    ) -> None:
        self._workspace = workspace
        self._edit = edit
        self._sprite = sprite
        self._stem = stem
        self._overwrite = overwrite
        self._made: dict[int, str] = {}

    def stage(self, layer: int, frame: int) -> tuple[str, int, str]:
        """Put a layer into the scene; return its node, how many cells it has, and its tile set's place."""
        known = self._sprite.layers[layer]
        number = known.tileset or 0
        tileset = self._tileset(number)
        tiles = self._sprite.tilesets[number]
        cel = self._sprite.cels[frame].get(layer)
        cells = Cells()
        if cel is not None and cel.tiles is not None:
            codes = Pixels(self._sprite).tile_codes(cel, known)
            for at, code in enumerate(codes):
                tile = code & cel.tiles.number
                if tile >= tiles.count or (tile == 0 and tiles.first_is_empty):
                    continue
                flips = FLIP_H * bool(code & cel.tiles.mirrored) | FLIP_V * bool(code & cel.tiles.upside_down)
                flips |= TRANSPOSE * bool(code & cel.tiles.transposed)
                cells.set((at % cel.width, at // cel.width), Tile(0, tile % ACROSS, tile // ACROSS, flips))
        place = [cel.x, cel.y] if cel is not None else [0, 0]
        path = self._node(known.name, tileset, place, visible=self._sprite.shown(layer))
        put_cells(self._edit, open_layer(self._edit, path, 0), cells)
        return path, len(cells), tileset

    def _node(self, name: str, tileset: str, place: list[int], *, visible: bool) -> str:
        name = "".join("_" if letter in '.:@/"%' else letter for letter in name) or "Tiles"
        if self._edit.tree.find(name) is not None:
            path = self._edit.node(name, wanted="TileMapLayer").path
            self._edit.set(path, {"position": place})
            return path
        values = {"tile_set": f"res://{tileset}", "position": place, "visible": visible}
        return self._edit.add(Addition(name=name, kind="TileMapLayer", properties=values)).path

    def _tileset(self, number: int) -> str:
        if number not in self._made:
            suffix = "" if len(self._sprite.tilesets) == 1 else f"_{number}"
            place = f"{self._stem}_tiles{suffix}"
            is_ours = self._overwrite or self._workspace.files.exists(f"{place}.tres")
            new_place(self._workspace, f"{place}.png", ".png", "inputPath", overwrite=is_ours)
            stage_sprite_tileset(
                self._workspace, self._sprite, self._sprite.tilesets[number], f"{place}.png", f"{place}.tres"
            )
            self._made[number] = f"{place}.tres"
        return self._made[number]
