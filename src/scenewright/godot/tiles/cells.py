"""The cells of a tile map layer, and the bytes a scene keeps them in.

A TileMapLayer has `tile_map_data`: a format number of 16 bits, then for each cell six little-endian numbers of 16 bits:
x, y (signed), source, column and row in the atlas, alternative. Cells stand in the order they were first set in. The
older TileMap has the same numbers, packed two by two into `layer_N/tile_data`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

import msgspec

from scenewright.core.faults import Invalid
from scenewright.godot.documents.errors import EditError
from scenewright.godot.documents.variant import PackedByteArray, PackedInt32Array
from scenewright.godot.tiles.coords import Pair

__all__ = ["FLIP_H", "FLIP_V", "TRANSFORMS", "TRANSPOSE", "Cells", "Tile"]

FLIP_H, FLIP_V, TRANSPOSE = 4096, 8192, 16384
TRANSFORMS = FLIP_H | FLIP_V | TRANSPOSE
_FORMAT = 0
_CELL = struct.Struct("<hhHHHH")
_LIMIT = 1 << 15


class Tile(msgspec.Struct, frozen=True, order=True):
    """What stands in a cell; of a scene tile, the alternative is the scene's number."""

    source: int
    column: int = 0
    row: int = 0
    alternative: int = 0

    def __str__(self) -> str:
        base = f"{self.source}:{self.column},{self.row}"
        return base + (f"/{self.alternative}" if self.alternative else "")


class Cells:
    """Tiles by cell, in the order they were first set in."""

    def __init__(self, tiles: Iterable[tuple[Pair, Tile]] = ()) -> None:
        self._tiles: dict[Pair, Tile] = dict(tiles)

    @classmethod
    def from_bytes(cls, data: bytes) -> Cells:
        """Read the cells of `tile_map_data`.

        Raises:
            EditError: these are no such bytes.
        """
        if not data:
            return cls()
        if len(data) % _CELL.size != 2 or int.from_bytes(data[:2], "little") > _FORMAT:
            raise EditError("The tile_map_data of this layer has an unknown format.")
        return cls(((x, y), Tile(*tile)) for x, y, *tile in _CELL.iter_unpack(data[2:]))

    def to_bytes(self) -> bytes:
        """Return the bytes of `tile_map_data`; none for no cells, as in the engine."""
        if not self._tiles:
            return b""
        cells = (
            _CELL.pack(x, y, tile.source, tile.column, tile.row, tile.alternative)
            for (x, y), tile in self._tiles.items()
        )
        return _FORMAT.to_bytes(2, "little") + b"".join(cells)

    @classmethod
    def from_old(cls, data: PackedInt32Array) -> Cells:
        """Read the cells of a layer of the older TileMap."""
        if len(data.items) % 3:
            raise EditError("The tile_data of this layer has an unknown format.")
        packed = struct.pack(f"<{len(data.items)}i", *data.items)
        return cls(((x, y), Tile(*tile)) for x, y, *tile in _CELL.iter_unpack(packed))

    def to_old(self) -> PackedInt32Array:
        data = self.to_bytes()[2:]
        return PackedInt32Array(struct.unpack(f"<{len(data) // 4}i", data))

    def packed(self) -> PackedByteArray:
        return PackedByteArray(self.to_bytes())

    def __len__(self) -> int:
        return len(self._tiles)

    def __iter__(self) -> Iterator[tuple[Pair, Tile]]:
        return iter(self._tiles.items())

    def get(self, cell: Pair) -> Tile | None:
        return self._tiles.get(cell)

    def set(self, cell: Pair, tile: Tile) -> None:
        """Put a tile into a cell.

        Raises:
            Invalid: the cell is farther away than a layer reaches.
        """
        if not all(-_LIMIT <= part < _LIMIT for part in cell):
            raise Invalid(
                f"Cell {cell[0]}, {cell[1]} is too far away.",
                path="input.tiles",
                rule="cell",
                hint="Cells reach from -32768 to 32767.",
            )
        self._tiles[cell] = tile

    def erase(self, cell: Pair) -> None:
        self._tiles.pop(cell, None)

    def clear(self) -> None:
        self._tiles.clear()

    def bounds(self) -> tuple[int, int, int, int] | None:
        """Return x, y, width and height of the used cells."""
        if not self._tiles:
            return None
        columns, rows = zip(*self._tiles, strict=True)
        left, top = min(columns), min(rows)
        return left, top, max(columns) - left + 1, max(rows) - top + 1
