"""Sorts the tiles of an LDtk layer into layers of one tile a cell, so that what was on top stays on top."""

from __future__ import annotations

from collections.abc import Iterable

from scenewright.godot.tiles.coords import Pair
from scenewright.godot.tiles.ldtk import TileAt

__all__ = ["Sheet", "rectangles", "stacked"]


class Sheet:
    """Tiles that lie side by side on one grid, which may be moved by some pixels."""

    def __init__(self, shift: Pair, grid: int) -> None:
        self.shift = shift
        self.grid = grid
        self.tiles: dict[Pair, TileAt] = {}

    def overlaps(self, at: Pair) -> bool:
        """Return whether one of its tiles lies where a tile at these pixels would."""
        x, y = (at[side] - self.shift[side] for side in (0, 1))
        columns = {x // self.grid, -(-x // self.grid)}
        rows = {y // self.grid, -(-y // self.grid)}
        return any((column, row) in self.tiles for column in columns for row in rows)

    def put(self, tile: TileAt) -> None:
        x, y = (tile.px[side] - self.shift[side] for side in (0, 1))
        self.tiles[x // self.grid, y // self.grid] = tile


def stacked(tiles: Iterable[TileAt], grid: int) -> list[Sheet]:
    """Sort tiles into as few sheets as needed, the lowest first; of tiles on one place the later is above."""
    sheets: list[Sheet] = []
    for tile in tiles:
        shift = tile.px[0] % grid, tile.px[1] % grid
        above = max((number + 1 for number, sheet in enumerate(sheets) if sheet.overlaps(tile.px)), default=0)
        fitting = next((sheet for sheet in sheets[above:] if sheet.shift == shift), None)
        if fitting is None:
            fitting = Sheet(shift, grid)
            sheets.append(fitting)
        fitting.put(tile)
    return sheets


def rectangles(cells: set[Pair]) -> list[tuple[int, int, int, int]]:
    """Cover cells with few rectangles that do not overlap: x, y, width, height."""
    left = set(cells)
    covering: list[tuple[int, int, int, int]] = []
    for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        if (x, y) not in left:
            continue
        width = 1
        while (x + width, y) in left:
            width += 1
        height = 1
        while all((x + column, y + height) in left for column in range(width)):
            height += 1
        left -= {(x + column, y + row) for column in range(width) for row in range(height)}
        covering.append((x, y, width, height))
    return covering
