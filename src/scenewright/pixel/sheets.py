"""Sprite sheets: frames trimmed, laid out in a line, in rows, in columns or packed, and drawn onto one picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import msgspec

from scenewright.core.faults import Invalid
from scenewright.pixel.pixels import MOST_PIXELS
from scenewright.pixel.sprite import Pair, Rect

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Placed", "Sheet", "SheetStyle", "SheetType", "make_sheet"]

SheetType = Literal["horizontal", "vertical", "rows", "columns", "packed"]


class SheetStyle(msgspec.Struct, frozen=True):
    """How a sheet is laid out; `across` counts frames of a row, or with `columns` those of a column."""

    type: SheetType = "horizontal"
    across: int | None = None
    border: int = 0
    spacing: int = 0
    inner: int = 0
    extrude: bool = False
    trim: bool = False


class Placed(msgspec.Struct, frozen=True):
    """A frame on a sheet: where it is there, and which part of the frame that is."""

    on_sheet: Rect
    of_frame: Rect
    frame_size: Pair

    @property
    def trimmed(self) -> bool:
        return self.of_frame[2:] != self.frame_size


class Sheet(msgspec.Struct, frozen=True):
    picture: Image
    frames: list[Placed]


def make_sheet(frames: Iterable[Image], style: SheetStyle) -> Sheet:
    """Draw frames of one size onto a sheet.

    Raises:
        Invalid: it would be too large.
    """
    from PIL import Image

    parts, boxes, whole, pixels = [], [], (0, 0), 0
    for frame in frames:  # one at a time, and of each only what is kept
        boxes.append(_kept(frame, style))
        parts.append(frame.crop(boxes[-1]))
        whole = frame.size
        pixels += parts[-1].width * parts[-1].height
        _check_size(pixels, 1)
    inset = style.inner + style.extrude
    places, size = _laid_out([(part.width + 2 * inset, part.height + 2 * inset) for part in parts], style)
    _check_size(*size)
    picture = Image.new("RGBA", size)
    placed = []
    for part, box, (x, y) in zip(parts, boxes, places, strict=True):
        at = (x + inset, y + inset)
        if style.extrude:
            _draw_edges(picture, part, at)
        picture.paste(part, at)
        placed.append(Placed((*at, *part.size), (box[0], box[1], *part.size), whole))
    return Sheet(picture, placed)


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise Invalid(
            f"The sheet would have more than {MOST_PIXELS:,} pixels.",
            rule="size",
            hint="Export fewer frames, such as those of one tag, or trim them.",
        )


def _kept(frame: Image, style: SheetStyle) -> Rect:
    """The part of a frame that goes onto the sheet; of an empty one a pixel."""
    if not style.trim:
        return (0, 0, *frame.size)
    return frame.getchannel("A").getbbox() or (0, 0, 1, 1)


def _draw_edges(picture: Image, part: Image, at: Pair) -> None:
    """Repeat the outermost pixels once around a frame, so that filters find no neighbour there."""
    for across, down in ((-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 0), (1, 0), (0, -1), (0, 1)):
        edge = part.crop(
            (
                part.width - 1 if across > 0 else 0,
                part.height - 1 if down > 0 else 0,
                1 if across < 0 else part.width,
                1 if down < 0 else part.height,
            )
        )
        x = at[0] + (-1 if across < 0 else part.width if across > 0 else 0)
        y = at[1] + (-1 if down < 0 else part.height if down > 0 else 0)
        picture.paste(edge, (x, y))


def _laid_out(cells: list[Pair], style: SheetStyle) -> tuple[list[Pair], Pair]:
    """Where each cell lies, and the size of the whole."""
    if style.type == "packed":
        return _packed(cells, style)
    across = {"horizontal": len(cells), "vertical": 1}.get(style.type) or style.across or math.ceil(len(cells) ** 0.5)
    turned = style.type == "columns"
    across = max(min(across, len(cells)), 1)
    lines = [divmod(at, across)[:: -1 if not turned else 1] for at in range(len(cells))]  # column and row of each
    width, height = max(cell[0] for cell in cells), max(cell[1] for cell in cells)
    places = [
        (style.border + column * (width + style.spacing), style.border + row * (height + style.spacing))
        for column, row in lines
    ]
    return places, _size(places, [(width, height)] * len(cells), style)


def _packed(cells: list[Pair], style: SheetStyle) -> tuple[list[Pair], Pair]:
    """The highest first, in rows about as long as all are high."""
    area = sum((width + style.spacing) * (height + style.spacing) for width, height in cells)
    most = max(math.ceil(area**0.5), max(width for width, _ in cells)) + style.border
    places = [(0, 0)] * len(cells)
    x, y, row = style.border, style.border, 0
    for at in sorted(range(len(cells)), key=lambda at: (-cells[at][1], -cells[at][0], at)):
        width, height = cells[at]
        if x > style.border and x + width > most:
            x, y, row = style.border, y + row + style.spacing, 0
        places[at] = (x, y)
        x, row = x + width + style.spacing, max(row, height)
    return places, _size(places, cells, style)


def _size(places: list[Pair], cells: list[Pair], style: SheetStyle) -> Pair:
    right = max(x + width for (x, _), (width, _) in zip(places, cells, strict=True))
    bottom = max(y + height for (_, y), (_, height) in zip(places, cells, strict=True))
    return right + style.border, bottom + style.border
