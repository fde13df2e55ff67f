"""The cells of a layer for a reply: as rows of text with a legend, or one by one, page by page."""

from __future__ import annotations

from typing import Any

from scenewright.core.faults import Invalid
from scenewright.core.operations.paging import Page
from scenewright.godot.tiles.cell_painting import signs
from scenewright.godot.tiles.cells import Cells, Tile
from scenewright.godot.tiles.coords import Pair

__all__ = ["cell_page", "text_page"]

_EMPTY = "."
_WIDEST = 1000
Region = tuple[int, int, int, int]


def text_page(cells: Cells, region: Region | None, offset: int, limit: int) -> dict[str, Any]:
    """Return a page of rows of text for a region, or for all used cells, with the legend of its characters.

    Raises:
        Invalid: the rows are too wide.
    """
    area = region or cells.bounds()
    if area is None:
        return {"rows": [], "legend": {}, "counts": {}}
    x, y, width, height = area
    if width > _WIDEST:
        raise Invalid(
            f"A row has {width} cells.",
            path="input.region",
            rule="maximum",
            hint=f"Give a region of at most {_WIDEST} columns, or form: cells.",
        )
    inside = _tiles_in(cells, area)
    names = _assign_signs([tile for _, tile in inside])
    grid = dict(inside)
    page = Page.cut(range(y, y + height), offset, limit)
    return {
        "rows": [_draw_row(grid, names, x, row, width) for row in page.items],
        "origin": [x, y + offset],
        "legend": {sign: _describe_tile(tile) for tile, sign in names.items()},
        "counts": {sign: sum(tile == placed for _, placed in inside) for tile, sign in names.items()},
        "next_offset": page.next_offset,
    }


def cell_page(cells: Cells, region: Region | None, offset: int, limit: int) -> dict[str, Any]:
    """Return a page of cells, row by row."""
    cells_in_order = _tiles_in(cells, region) if region else list(cells)
    cells_in_order.sort(key=lambda placed: (placed[0][1], placed[0][0]))
    page = Page.cut(cells_in_order, offset, limit)
    listed = [[*cell, tile.source, tile.column, tile.row, tile.alternative] for cell, tile in page.items]
    return {"cells": listed, "next_offset": page.next_offset}


def _tiles_in(cells: Cells, region: Region) -> list[tuple[Pair, Tile]]:
    x, y, width, height = region
    return [(at, tile) for at, tile in cells if x <= at[0] < x + width and y <= at[1] < y + height]


def _assign_signs(tiles: list[Tile]) -> dict[Tile, str]:
    """A sign for each tile, the commonest first."""
    counts: dict[Tile, int] = {}
    for tile in tiles:
        counts[tile] = counts.get(tile, 0) + 1
    ordered = sorted(counts, key=lambda tile: (-counts[tile], tile))
    return dict(zip(ordered, signs(), strict=False))


def _draw_row(grid: dict[Pair, Tile], names: dict[Tile, str], x: int, y: int, width: int) -> str:
    tiles = (grid.get((x + right, y)) for right in range(width))
    return "".join(_EMPTY if tile is None else names[tile] for tile in tiles)


def _describe_tile(tile: Tile) -> dict[str, Any]:
    entry: dict[str, Any] = {"sourceId": tile.source, "atlasCoords": [tile.column, tile.row]}
    return entry | ({"alternativeTile": tile.alternative} if tile.alternative else {})
