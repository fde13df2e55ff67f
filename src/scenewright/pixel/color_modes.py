"""A sprite in another colour mode: true colour, greys, or numbers of a palette."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scenewright.core.faults import Invalid
from scenewright.pixel.aseprite_writer import pack_pixels
from scenewright.pixel.colors import nearest
from scenewright.pixel.palettes import MOST_COLORS, colors_of, reduced
from scenewright.pixel.pixels import Pixels
from scenewright.pixel.sprite import Cel, Color, ColorMode, Sprite
from scenewright.pixel.sprite_edits import check_writable

__all__ = ["converted"]


def converted(sprite: Sprite, mode: ColorMode, palette: Sequence[Color] = ()) -> Sprite:
    """Return a sprite in a mode; an indexed one has the palette given, or at most 255 colours of its own.

    Raises:
        Unsupported: it has parts that are not written here.
        Invalid: the palette is too large.
    """
    check_writable(sprite)
    if sprite.mode is mode and not palette:
        return sprite
    if len(palette) >= MOST_COLORS:
        raise Invalid(
            f"An indexed sprite has up to {MOST_COLORS - 1} colours beside the transparent one.",
            path="input.palette",
            rule="maxItems",
        )
    pixels = Pixels(sprite)
    pictures = {
        (frame, at): pixels.of_cel(cel, sprite.layers[at], frame)
        for frame, cels in enumerate(sprite.cels)
        for at, cel in cels.items()
    }
    colors = [(*color[:3], 255) for color in palette]
    if mode is ColorMode.INDEXED and not colors:
        colors = reduced(colors_of(pictures.values()), MOST_COLORS - 1)
    numbers: dict[bytes, bytes] = {}

    def packed(data: bytes) -> bytes:
        converted_pixels = bytearray()
        for at in range(0, len(data), 4):
            pixel = data[at : at + 4]
            if pixel not in numbers:
                numbers[pixel] = _pixel(pixel, mode, colors)
            converted_pixels += numbers[pixel]
        return pack_pixels(bytes(converted_pixels))

    def cel_of(frame: int, at: int, cel: Cel) -> Cel:
        return msgspec.structs.replace(
            cel, packed=packed(pictures[frame, at].tobytes()), compressed=True, linked_to=None
        )

    cels = [{at: cel_of(frame, at, cel) for at, cel in cels.items()} for frame, cels in enumerate(sprite.cels)]
    palettes = {0: [(0, 0, 0, 0), *colors]} if mode is ColorMode.INDEXED else dict(sprite.palettes)
    return msgspec.structs.replace(sprite, mode=mode, cels=cels, palettes=palettes, transparent_index=0)


def _pixel(pixel: bytes, mode: ColorMode, colors: Sequence[Color]) -> bytes:
    red, green, blue, alpha = pixel
    if mode is ColorMode.RGBA:
        return pixel
    if mode is ColorMode.GRAYSCALE:
        return bytes(((red * 2126 + green * 7152 + blue * 722 + 5000) // 10000, alpha))
    if alpha < 128 or not colors:
        return b"\0"
    return bytes((colors.index(nearest((red, green, blue, 255), colors)) + 1,))
