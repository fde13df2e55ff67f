"""Opens pictures and says what is in them: opaque bounds, coverage, colours."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from scenewright.core.faults import Invalid

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.core.writes.changeset import Changeset

__all__ = [
    "MOST_PIXELS",
    "UNREADABLE",
    "PictureGrid",
    "Region",
    "colours",
    "coverage",
    "decode",
    "opaque_bounds",
    "open_picture",
    "picture_size",
    "too_large",
    "transparent_share",
    "unreadable",
]

Region = tuple[int, int, int, int]
"""x, y, width, height in pixels."""

MOST_PIXELS = 64_000_000
UNREADABLE = "picture"  # the rule that a file breaks which is no picture


class PictureGrid(msgspec.Struct, frozen=True):
    """Cells of one size over a picture, counted row by row."""

    width: int
    height: int
    columns: int
    rows: int
    left: int = 0
    top: int = 0
    across: int = 0
    down: int = 0

    @property
    def total(self) -> int:
        return self.columns * self.rows

    def cell(self, number: int) -> Region:
        row, column = divmod(number, self.columns)
        return (
            self.left + column * (self.width + self.across),
            self.top + row * (self.height + self.down),
            self.width,
            self.height,
        )

    def cells(self) -> Iterator[Region]:
        return (self.cell(number) for number in range(self.total))


def open_picture(files: Changeset, place: str, parameter: str) -> Image:
    """Return a picture of the project with four channels.

    Raises:
        NotFound: there is no such file.
        Invalid: it is no picture that can be read here.
    """
    return decode(files.read(place), place, parameter)


def decode(data: bytes, place: str, parameter: str) -> Image:
    """Return the picture in a file's content, with four channels.

    Raises:
        Invalid: it is no picture that can be read here.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise too_large(place, picture.size, parameter)
            return picture.convert("RGBA")
    except (OSError, SyntaxError, Image.DecompressionBombError):  # a broken PNG is a SyntaxError
        raise unreadable(place, parameter) from None


def unreadable(place: str, parameter: str) -> Invalid:
    """Return the fault of a file that is not a picture, or a broken one."""
    return Invalid(
        f"'res://{place}' is not a picture that can be read.",
        path=parameter,
        rule=UNREADABLE,
        hint="png, webp, jpg, bmp, tga and gif can; inspect_image also takes svg, exr, hdr, ktx and dds, with Godot.",
    )


def too_large(place: str, size: tuple[int, int], parameter: str) -> Invalid:
    """Return the fault of a picture with too many pixels."""
    return Invalid(
        f"'res://{place}' has {size[0]} x {size[1]} pixels, too many to look at.",
        path=parameter,
        rule="size",
        hint=f"Up to {MOST_PIXELS:,} can be looked at.",
    )


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a picture or drawing; None where they cannot be told."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except (OSError, SyntaxError, Image.DecompressionBombError):
        return _drawing_size(data[:4096].decode("utf-8", "replace"))


def _drawing_size(text: str) -> tuple[int, int] | None:
    """That of an SVG, where it says it in pixels."""
    width, height = (
        re.search(rf'<svg\b[^>]*?\s{side}="([0-9]+(?:\.[0-9]+)?)(?:px)?"', text) for side in ("width", "height")
    )
    return (round(float(width[1])), round(float(height[1]))) if width and height else None


def opaque_bounds(picture: Image, region: Region, threshold: int = 1) -> Region | None:
    """Return the smallest part of a region that has every pixel of at least that alpha, from the picture's corner."""
    x, y, width, height = region
    alpha = picture.crop((x, y, x + width, y + height)).getchannel("A").point(_at_least(threshold))
    box = alpha.getbbox()
    return None if box is None else (x + box[0], y + box[1], box[2] - box[0], box[3] - box[1])


def coverage(picture: Image, region: Region, threshold: int = 1) -> float:
    """Return which share of a region has at least that alpha."""
    x, y, width, height = region
    alpha = picture.crop((x, y, x + width, y + height)).getchannel("A").histogram()
    return sum(alpha[threshold:]) / (width * height)


def transparent_share(picture: Image, region: Region) -> float:
    """Return which share of a region is neither quite opaque nor quite transparent."""
    x, y, width, height = region
    alpha = picture.crop((x, y, x + width, y + height)).getchannel("A").histogram()
    return sum(alpha[1:255]) / (width * height)


def colours(picture: Image, region: Region) -> list[tuple[str, int]]:
    """Return the colours of a region and how many pixels have each, most used first, without transparent ones."""
    x, y, width, height = region
    part = picture.crop((x, y, x + width, y + height))
    counts: dict[str, int] = {}
    for count, pixel in part.getcolors(width * height) or []:
        red, green, blue, alpha = pixel if isinstance(pixel, tuple) else (0, 0, 0, 0)
        if alpha:
            name = f"#{red:02x}{green:02x}{blue:02x}" + (f"{alpha:02x}" if alpha < 255 else "")
            counts[name] = counts.get(name, 0) + count
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


@cache
def _at_least(threshold: int) -> list[int]:
    return [255 if alpha >= threshold else 0 for alpha in range(256)]
