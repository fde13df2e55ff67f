"""The pixels of cels and tiles, unpacked within limits and given the colours of their palette, as pictures.

Each `Pixels` has a budget for all that it unpacks and draws, so that a small file that says it is huge ends in a clear
fault, and soon.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid
from scenewright.pixel.byte_reader import damaged
from scenewright.pixel.sprite import Cel, ColorMode, Layer, Sprite, Tileset

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST_PIXELS", "MOST_PIXELS_TOGETHER", "Pixels"]

MOST_PIXELS = 4096 * 4096  # of one picture
MOST_PIXELS_TOGETHER = 512 * 1024 * 1024  # unpacked and drawn for one call
_MOST_HELD = 4 * MOST_PIXELS  # on canvases at once
_MOST_TILES = 1024 * 1024
_MOST_KEPT = 16 * 1024 * 1024  # pixels of cels that are drawn again


class Pixels:
    """A sprite's cels as pictures; those that are linked are unpacked once."""

    def __init__(self, sprite: Sprite) -> None:
        self.sprite = sprite
        self._left = MOST_PIXELS_TOGETHER
        self._kept: dict[tuple[int, int, bool], Image] = {}
        self._kept_pixels = 0
        self._tiles: dict[tuple[int, int], list[Image]] = {}

    def spend(self, width: int, height: int, what: str) -> None:
        """Count a picture that is going to be drawn.

        Raises:
            Invalid: it is too large, or all together are.
        """
        pixels = width * height
        self._left -= pixels
        if pixels > MOST_PIXELS or self._left < 0:
            raise Invalid(
                f"{what} has {width} x {height} pixels, too many to draw."
                if pixels > MOST_PIXELS
                else f"This takes more than {MOST_PIXELS_TOGETHER:,} pixels to draw.",
                rule="size",
                hint=f"A picture may have {MOST_PIXELS:,} pixels; name fewer frames or layers where there are many.",
            )

    def hold(self, pixels: int) -> None:
        """Refuse more pixels on canvases than there may be at once.

        Raises:
            Invalid: there are too many.
        """
        if pixels > _MOST_HELD:
            raise Invalid(
                f"Groups in groups of this size take more than {_MOST_HELD:,} pixels to draw.",
                rule="size",
                hint="Name layers, or flatten some groups in Aseprite.",
            )

    def of_cel(self, cel: Cel, layer: Layer, frame: int) -> Image:
        """Return a cel's picture, four channels."""
        if cel.tiles is not None:
            return self._tile_map(cel, layer, frame)
        key = (id(cel.packed), self._palette_frame(frame), layer.background)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        self.spend(cel.width, cel.height, f"The cel of layer '{layer.name}' in frame {frame}")
        size = cel.width * cel.height * self.sprite.mode.bytes
        data = _unpack(cel.packed, size) if cel.compressed else cel.packed
        picture = self._colored(data, (cel.width, cel.height), frame, opaque=layer.background)
        if self._kept_pixels + cel.width * cel.height <= _MOST_KEPT:
            self._kept_pixels += cel.width * cel.height
            self._kept[key] = picture
        return picture

    def tiles(self, tileset: Tileset, frame: int = 0) -> list[Image]:
        """Return the pictures of a tile set's tiles.

        Raises:
            Invalid: they are in another file, damaged or too many.
        """
        key = (id(tileset), self._palette_frame(frame))
        if key not in self._tiles:
            sheet = self.tile_sheet(tileset, frame)
            width, height = tileset.width, tileset.height
            self._tiles[key] = [sheet.crop((0, at * height, width, (at + 1) * height)) for at in range(tileset.count)]
        return self._tiles[key]

    def tile_sheet(self, tileset: Tileset, frame: int = 0) -> Image:
        """Return a tile set's tiles below one another."""
        if tileset.packed is None:
            raise Invalid(
                f"The tiles of tile set '{tileset.name}' are in another file.",
                rule="format",
                hint="Embed the tile set in Aseprite: its menu, Export, then without a link.",
            )
        if tileset.count > _MOST_TILES:
            raise damaged(f"tile set '{tileset.name}' has {tileset.count:,} tiles")
        size = (tileset.width, tileset.height * tileset.count)
        self.spend(*size, f"Tile set '{tileset.name}'")
        return self._colored(
            _unpack(tileset.packed, size[0] * size[1] * self.sprite.mode.bytes), size, frame, opaque=False
        )

    def _tile_map(self, cel: Cel, layer: Layer, frame: int) -> Image:
        from PIL import Image

        tileset = self.sprite.tilesets[layer.tileset or 0]
        size = (cel.width * tileset.width, cel.height * tileset.height)
        self.spend(*size, f"The tile map of layer '{layer.name}'")
        tiles = self.tiles(tileset, frame)
        turned: dict[int, Image.Image] = {}
        picture = Image.new("RGBA", size)
        for at, code in enumerate(self.tile_codes(cel, layer)):
            if at % 4096 == 0:
                check_deadline()
            if code not in turned:
                turned[code] = _turned(tiles, tileset, cel, code) or Image.new("RGBA", (1, 1))
            row, column = divmod(at, cel.width)
            if turned[code].size == (tileset.width, tileset.height):
                picture.paste(turned[code], (column * tileset.width, row * tileset.height))
        return picture

    def tile_codes(self, cel: Cel, layer: Layer) -> list[int]:
        """Return the tiles of a tile map's cel, row by row, with the bits that turn them."""
        count = cel.width * cel.height
        if count > _MOST_TILES:
            raise damaged(f"layer '{layer.name}' has a map of {cel.width} x {cel.height} tiles")
        return list(memoryview(_unpack(cel.packed, count * 4)).cast("I"))

    def _palette_frame(self, frame: int) -> int:
        return max((at for at in self.sprite.palettes if at <= frame), default=0)

    def _colored(self, data: bytes, size: tuple[int, int], frame: int, *, opaque: bool) -> Image:
        from PIL import Image

        if not size[0] or not size[1]:
            return Image.new("RGBA", size)
        match self.sprite.mode:
            case ColorMode.RGBA:
                return Image.frombytes("RGBA", size, data)
            case ColorMode.GRAYSCALE:
                return Image.frombytes("LA", size, data).convert("RGBA")
            case ColorMode.INDEXED:
                indices = Image.frombytes("L", size, data)
                colors = [*self.sprite.palette(frame)[:256]]
                colors += [(0, 0, 0, 255)] * (256 - len(colors))
                if not opaque:
                    colors[self.sprite.transparent_index] = (0, 0, 0, 0)
                return Image.merge("RGBA", [indices.point(list(channel)) for channel in zip(*colors, strict=True)])


def _unpack(packed: bytes, size: int) -> bytes:
    """Unpack so many bytes and not one more, whatever else is in there."""
    check_deadline()
    try:
        data = zlib.decompressobj().decompress(packed, size or 1)
    except zlib.error:
        raise damaged("packed pixels cannot be unpacked") from None
    if len(data) < size:
        raise damaged(f"packed pixels end {size - len(data)} bytes too early")
    return data[:size]


def _turned(tiles: list[Image], tileset: Tileset, cel: Cel, code: int) -> Image | None:
    """The picture of a tile as it is turned; None where nothing is shown."""
    from PIL.Image import Transpose

    codes = cel.tiles
    assert codes is not None  # only cels of tile maps come here
    number = code & codes.number
    if number >= len(tiles) or (number == 0 and tileset.first_is_empty):
        return None
    tile = tiles[number]
    for bit, turn in (
        (codes.transposed, Transpose.TRANSPOSE),
        (codes.mirrored, Transpose.FLIP_LEFT_RIGHT),
        (codes.upside_down, Transpose.FLIP_TOP_BOTTOM),
    ):
        if code & bit:
            tile = tile.transpose(turn)
    return tile
