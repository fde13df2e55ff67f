"""A picture for the eye: a part of it enlarged without blurring, over a chequered ground, with grid and numbers."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import msgspec

from scenewright.godot.assets.images.pictures import PictureGrid, Region

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

__all__ = ["Drawn", "View", "draw", "draw_digits"]

_LIGHT, _DARK = (200, 200, 200, 255), (150, 150, 150, 255)
_LINE = (255, 0, 255, 255)
_INK, _PAPER = (255, 255, 255, 255), (0, 0, 0, 255)
_BOUNDS = (0, 255, 0, 255)
_CHECK = 8
# Three columns and five rows for each digit, a row in three bits.
_DIGITS = {
    "0": (7, 5, 5, 5, 7),
    "1": (2, 6, 2, 2, 7),
    "2": (7, 1, 7, 4, 7),
    "3": (7, 1, 7, 1, 7),
    "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7),
    "6": (7, 4, 7, 5, 7),
    "7": (7, 1, 1, 1, 1),
    "8": (7, 5, 7, 5, 7),
    "9": (7, 5, 7, 1, 7),
}
_DOTS = {
    digit: [(column, row) for row, bits in enumerate(rows) for column in range(3) if bits & (4 >> column)]
    for digit, rows in _DIGITS.items()
}


class View(msgspec.Struct, frozen=True):
    """Which part is drawn how."""

    region: Region
    zoom: int = 0  # as large as fits, where it is 0
    most: int = 900  # longest side
    grid: PictureGrid | None = None
    lines: bool = True
    numbers: bool = True
    bounds: Region | None = None


class Drawn(msgspec.Struct, frozen=True):
    data: bytes
    width: int
    height: int
    zoom: int


def draw(picture: Image, view: View) -> Drawn:
    """Return the part of a picture as a PNG."""
    from PIL import Image, ImageDraw

    x, y, width, height = view.region
    largest = max(view.most // max(width, height), 1)
    zoom = min(view.zoom, largest) if view.zoom else min(largest, 16)
    size = width * zoom, height * zoom
    part = picture.crop((x, y, x + width, y + height)).resize(size, Image.Resampling.NEAREST)
    canvas = _ground(size)
    canvas.alpha_composite(part)
    pen = ImageDraw.Draw(canvas)
    if view.grid is not None:
        _cells(pen, view, view.grid, zoom)
    if view.bounds is not None:
        _frame(pen, _enlarged(view.bounds, view.region, zoom), _BOUNDS)
    if max(size) > view.most:  # a single pixel for each would be too many
        canvas.thumbnail((view.most, view.most))
    out = io.BytesIO()
    canvas.convert("RGB").save(out, "PNG", optimize=True)
    return Drawn(out.getvalue(), canvas.width, canvas.height, zoom)


def _ground(size: tuple[int, int]) -> Image:
    from PIL import Image

    tile = Image.new("RGBA", (2 * _CHECK, 2 * _CHECK), _LIGHT)
    for corner in ((0, 0), (_CHECK, _CHECK)):
        tile.paste(_DARK, (*corner, corner[0] + _CHECK, corner[1] + _CHECK))
    ground = Image.new("RGBA", size)
    for left in range(0, size[0], 2 * _CHECK):
        for top in range(0, size[1], 2 * _CHECK):
            ground.paste(tile, (left, top))
    return ground


def _cells(pen: ImageDraw, view: View, grid: PictureGrid, zoom: int) -> None:
    for number, cell in enumerate(grid.cells()):
        left, top, right, bottom = _enlarged(cell, view.region, zoom)
        if right <= 0 or bottom <= 0 or left >= view.region[2] * zoom or top >= view.region[3] * zoom:
            continue
        if view.lines:
            _frame(pen, (left, top, right, bottom), _LINE)
        if view.numbers:
            _number(pen, str(number), left, top, (right - left, bottom - top))


def _enlarged(part: Region, region: Region, zoom: int) -> Region:
    """The corners of a part on the canvas: left, top, right, bottom."""
    left, top = (part[0] - region[0]) * zoom, (part[1] - region[1]) * zoom
    return left, top, left + part[2] * zoom, top + part[3] * zoom


def _frame(pen: ImageDraw, corners: Region, colour: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = corners
    pen.rectangle((left, top, right - 1, bottom - 1), outline=colour)


def _number(pen: ImageDraw, text: str, left: int, top: int, room: tuple[int, int]) -> None:
    """Digits in the corner of a cell, twice as large where there is room; none where they do not fit."""
    scale = 2 if min(room[0] // (4 * len(text) + 1), room[1] // 7) >= 4 else 1
    wide, high = (4 * len(text) + 1) * scale, 7 * scale
    if wide > room[0] or high > room[1]:
        return
    draw_digits(pen, text, left, top, scale)


def draw_digits(pen: ImageDraw, text: str, left: int, top: int, scale: int = 1) -> None:
    """Draw a number, white on black."""
    wide, high = (4 * len(text) + 1) * scale, 7 * scale
    pen.rectangle((left, top, left + wide - 1, top + high - 1), fill=_PAPER)
    pen.point(
        [
            (left + (1 + 4 * place + column) * scale + right, top + (1 + row) * scale + down)
            for place, digit in enumerate(text)
            for column, row in _DOTS[digit]
            for right in range(scale)
            for down in range(scale)
        ],
        fill=_INK,
    )
