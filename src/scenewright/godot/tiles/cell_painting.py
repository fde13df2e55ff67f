"""Cells given by hand, as rectangles or as rows of text, put into a layer; terrain is left to the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid
from scenewright.godot.tiles.cells import FLIP_H, FLIP_V, TRANSPOSE, Cells, Tile
from scenewright.godot.tiles.coords import Pair, pair, rect
from scenewright.godot.tiles.specs import Area, Brush, TilePlacement
from scenewright.godot.tiles.tiledata import terrain_number
from scenewright.godot.tiles.tileset import Atlas, TileSetView

__all__ = ["Painter", "Terrain", "signs"]

_MOST_CELLS = 1_000_000
_UNTOUCHED = " "


class Terrain(msgspec.Struct, frozen=True):
    """A terrain of a set."""

    terrain_set: int
    terrain: int


class Painter:
    """The cells of a layer while they are changed; terrain is collected for the engine."""

    def __init__(self, cells: Cells, view: TileSetView | None) -> None:
        self._room = _MOST_CELLS
        self.cells = cells
        self.view = view
        self.terrain: dict[Terrain, list[Pair]] = {}
        self.touched: set[Pair] = set()

    def place(self, placements: Iterable[TilePlacement], where: str) -> None:
        for number, placement in enumerate(placements):
            at = f"{where}[{number}]"
            self._put_brush([pair(placement.position, f"{at}.position")], placement, at)

    def fill(self, areas: Iterable[Area], where: str) -> None:
        for number, area in enumerate(areas):
            at = f"{where}[{number}]"
            x, y, width, height = _check_area(rect(area.rect, f"{at}.rect"), at)
            cells = [
                (x + column, y + row)
                for row in range(height)
                for column in range(width)
                if not area.outline or row in (0, height - 1) or column in (0, width - 1)
            ]
            self._put_brush(cells, area, at)

    def write(self, rows: list[str], legend: Mapping[str, Any], origin: Pair) -> None:
        """Paint rows of text by a legend; a space that it does not name leaves the cell as it is."""
        brushes = {sign: _brush(tile, f"input.legend.{sign}") for sign, tile in legend.items()}
        cells_by_sign: dict[str, list[Pair]] = {}
        for down, row in enumerate(rows):
            for right, sign in enumerate(row):
                if sign not in brushes and sign != _UNTOUCHED:
                    raise Invalid(
                        f"The legend does not say what '{sign}' is (row {down}).",
                        path="input.legend",
                        rule="legend",
                        hint="Give each character a tile, or null to erase.",
                    )
                cells_by_sign.setdefault(sign, []).append((origin[0] + right, origin[1] + down))
        for sign, cells in cells_by_sign.items():
            if sign not in brushes:
                continue
            brush = brushes[sign]
            if brush is None:
                self._erase_cells(cells)
            else:
                self._put_brush(cells, brush, f"input.legend.{sign}")

    def erase(self, areas: Iterable[Any], where: str) -> None:
        """Erase cells and rectangles of cells."""
        for number, area in enumerate(areas):
            at = f"{where}[{number}]"
            if isinstance(area, list) and len(area) == 4:
                x, y, width, height = _check_area(rect(area, at), at)
                self._spend_cells(width * height, at)
                self._erase_cells((x + column, y + row) for row in range(height) for column in range(width))
            else:
                self._erase_cells([pair(area, at)])

    def _erase_cells(self, cells: Iterable[Pair]) -> None:
        for cell in cells:
            self.cells.erase(cell)
            self.touched.add(cell)

    def _spend_cells(self, count: int, where: str) -> None:
        check_deadline()
        self._room -= count
        if self._room < 0:
            raise Invalid(f"One call can change at most {_MOST_CELLS:,} cells.", path=where, rule="maximum")

    def _put_brush(self, cells: list[Pair], brush: Brush, where: str) -> None:
        self._spend_cells(len(cells), where)
        if brush.terrain is not None:
            self.terrain.setdefault(self._terrain(brush, where), []).extend(cells)
        else:
            tile = self.tile(brush, where)
            for cell in cells:
                self.cells.set(cell, tile)
        self.touched.update(cells)

    def _terrain(self, brush: Brush, where: str) -> Terrain:
        if brush.atlas_coords is not None or brush.source_id is not None:
            raise Invalid("Give either a tile or a terrain.", path=where, rule="oneOf")
        if self.view is None:
            raise Invalid("The layer has no tile set to take terrain from.", path=where, rule="tileset")
        return Terrain(brush.terrain_set, terrain_number(self.view, brush.terrain_set, brush.terrain, where))

    def tile(self, brush: Brush, where: str) -> Tile:
        """Return the tile of a brush, which the tile set must have.

        Raises:
            Invalid: it has none.
        """
        if brush.item is not None or brush.orientation:
            raise Invalid(
                "item and orientation are for a GridMap; this is a layer of tiles.",
                path=f"{where}.item",
                rule="item",
                hint="Send atlasCoords [x, y], or a terrain.",
            )
        source = brush.source_id
        if source is None:
            source = next(iter(self.view.sources), 0) if self.view else 0
        is_atlas = self.view is None or isinstance(self.view.sources.get(source), Atlas)
        if brush.atlas_coords is None and is_atlas:
            raise Invalid(
                "Which tile? atlasCoords is missing.",
                path=f"{where}.atlasCoords",
                rule="required",
                hint="Send atlasCoords [x, y], or a terrain.",
            )
        column, row = pair(brush.atlas_coords, f"{where}.atlasCoords") if brush.atlas_coords is not None else (0, 0)
        flags = FLIP_H * brush.flip_h | FLIP_V * brush.flip_v | TRANSPOSE * brush.transpose
        tile = Tile(source, column, row, brush.alternative_tile | flags)
        problem = self.view.problem(tile) if self.view is not None else None
        if problem is None and not all(0 <= part < 1 << 16 for part in (source, column, row, tile.alternative)):
            problem = "its numbers are out of range"
        if problem is not None:
            raise Invalid(f"No such tile: {problem}.", path=where, rule="tile", hint="read_tileset lists its tiles.")
        return tile


def _brush(value: Any, where: str) -> Brush | None:
    if value is None:
        return None
    if isinstance(value, list):
        return Brush(atlas_coords=value)
    try:
        return msgspec.convert(value, Brush)
    except msgspec.ValidationError as problem:
        raise Invalid(
            f"'{where}' is not a tile: {problem}.",
            path=where,
            rule="tile",
            hint="Send [x, y], {sourceId, atlasCoords}, {terrain} or null.",
        ) from None


def _check_area(area: tuple[int, int, int, int], where: str) -> tuple[int, int, int, int]:
    if area[2] * area[3] > _MOST_CELLS:
        raise Invalid(f"{area[2] * area[3]:,} cells are too many for one rectangle.", path=where, rule="maximum")
    return area


def signs() -> Iterator[str]:
    """Yield characters for tiles that are easily told apart, the common ones first; never a dot or a space."""
    yield "#"
    yield from "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    yield from "@$%&*+=-~^?!<>/|:;(){}[]_"
    yield from map(chr, range(0xC0, 0x250))
    yield from map(chr, range(0x4E00, 0x9FFF))
