"""The layers of a world as cells: each terrain on a layer of its own, with all that lies above it beneath it too."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random

import msgspec

from scenewright.core.calls.deadline import check_deadline
from scenewright.godot.pixel_art.terrain_tables import TerrainTiles
from scenewright.godot.tiles.cells import Tile
from scenewright.pixel.worlds.autotiling import masks_of, tile_number
from scenewright.pixel.worlds.land import GROUND, GROWTH, PATH, ROCK, SHORE, WATER, Land

__all__ = ["LayerCells", "layer_rows", "packed_cells", "terrain_layer", "water_layer", "with_bridges"]

_FULL_TILE = tile_number(255)


class LayerCells(msgspec.Struct):
    """Tiles of a layer, row by row; None where there is none."""

    rows: list[list[Tile | None]]

    @property
    def count(self) -> int:
        return sum(tile is not None for row in self.rows for tile in row)


def layer_rows(land: Land, role: int) -> list[bytes]:
    """Return where a role's layer has cells, as zeros and ones.

    Shore lies under all land, ground under growth, rock and paths, so that what is above may have open edges.
    """
    under = bytearray(land.cells)
    for at, was in land.under.items():
        under[at] = GROUND if was in (ROCK, GROWTH) else was
    if role == PATH:
        wanted = bytes(1 if cell == PATH else 0 for cell in land.cells)
    elif role == SHORE:
        wanted = bytes(1 if cell != WATER else 0 for cell in under)
    elif role == GROUND:
        wanted = bytes(1 if cell in (GROUND, GROWTH, ROCK) else 0 for cell in under)
    else:
        wanted = bytes(1 if cell == role else 0 for cell in under)
    return [wanted[at : at + land.width] for at in range(0, len(wanted), land.width)]


def terrain_layer(rows: Sequence[bytes], tiles: TerrainTiles, seed: int) -> LayerCells:
    """Return the tiles that a complete terrain shows, as the engine's own terrain would choose them."""
    table = tiles.numbered()
    others, share = tiles.others()
    most = int(share * 256)
    chance = Random(f"{seed}:{tiles.terrain_set}:{tiles.number}").randbytes(len(rows) * len(rows[0]))
    result: list[list[Tile | None]] = []
    for y, (row, numbers) in enumerate(zip(rows, masks_of(rows), strict=True)):
        check_deadline()
        line: list[Tile | None] = [table[number] if here else None for here, number in zip(row, numbers, strict=True)]
        if others:
            draws = chance[y * len(row) : (y + 1) * len(row)]
            for x, (here, number, draw) in enumerate(zip(row, numbers, draws, strict=True)):
                if here and number == _FULL_TILE and draw < most:
                    line[x] = others[draw % len(others)]
        result.append(line)
    return LayerCells(result)


def water_layer(land: Land, solid: Sequence[Tile], shallow: Sequence[Tile]) -> LayerCells:
    """Return the water: solid where nothing else is, and without collision under shores and bridges."""
    result: list[list[Tile | None]] = []
    width = land.width
    wet = [
        bytes(1 if cell == WATER or land.is_bridge(y * width + x) else 0 for x, cell in enumerate(row))
        for y in range(land.height)
        for row in [land.cells[y * width : (y + 1) * width]]
    ]
    for y, row in enumerate(wet):
        above, below = wet[max(y - 1, 0)], wet[min(y + 1, land.height - 1)]
        most = [a | b | c for a, b, c in zip(above, row, below, strict=True)]
        line: list[Tile | None] = []
        for x in range(width):
            chance = (x * 7 + y * 13 + (x * y) % 5) % max(len(solid), 1)
            if row[x] and land.cells[y * width + x] == WATER:
                line.append(solid[chance])
            elif most[x] or most[max(x - 1, 0)] or most[min(x + 1, width - 1)]:
                line.append(shallow[chance % len(shallow)])
            else:
                line.append(None)
        result.append(line)
    return LayerCells(result)


def with_bridges(cells: LayerCells, land: Land, across: Sequence[Tile], upright: Sequence[Tile]) -> None:
    """Put bridges where a path goes over water, each along the way it leads."""
    left = {at for at in land.under if land.is_bridge(at)}
    while left:
        start = min(left)
        piece, todo = {start}, [start]
        while todo:
            for other in land.around(todo.pop()):
                if other in left and other not in piece:
                    piece.add(other)
                    todo.append(other)
        left -= piece
        beside = [
            abs(other - at) == 1
            for at in piece
            for other in land.around(at)
            if other not in piece and land.cells[other] == PATH
        ]
        tiles = across if beside.count(True) >= beside.count(False) else upright
        for at in piece:
            cells.rows[at // land.width][at % land.width] = tiles[0]


def packed_cells(cells: LayerCells) -> bytes:
    """Return cells as `tile_map_data` has them."""
    known: dict[Tile, bytes] = {}
    columns = [struct.pack("<h", x) for x in range(len(cells.rows[0]))]
    parts = [b"\0\0"]
    for y, row in enumerate(cells.rows):
        down = struct.pack("<h", y)
        for x, tile in enumerate(row):
            if tile is not None:
                tail = known.get(tile)
                if tail is None:
                    tail = known[tile] = struct.pack("<HHHH", tile.source, tile.column, tile.row, tile.alternative)
                parts.append(columns[x] + down + tail)
    return b"".join(parts) if len(parts) > 1 else b""
