"""What is different in two pictures: how much, where, and both side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.assets.images.pictures import Region

__all__ = ["Compared", "compare_images", "put_side_by_side"]

_CELLS = 128  # across the longer side: changes within neighbouring cells are one
_GAP, _BAND = 8, 16
_MARK, _GROUND = (255, 0, 255), (32, 32, 32)


class Compared(msgspec.Struct, frozen=True):
    """How many pixels of how many differ, and the rectangles around them, the largest first."""

    changed: int
    total: int
    rectangles: list[Region]


def compare_images(before: Image, after: Image, tolerance: int = 0) -> Compared:
    """Compare pixel by pixel; where only one of them reaches, that is a difference."""
    mask = _differences(before, after, tolerance)
    changed = mask.histogram()[255]
    areas = _clusters(mask) if changed else []
    rectangles = sorted(areas, key=lambda area: (-area[2] * area[3], area))
    return Compared(changed, mask.width * mask.height, rectangles)


def put_side_by_side(before: Image, after: Image, rectangles: list[Region], most: int) -> Image:
    """Return both in one picture of at most that size, the rectangles framed in magenta."""
    from PIL import Image
    from PIL.ImageDraw import Draw

    upright = before.width + after.width > 2 * max(before.height, after.height)  # one above the other shows more
    wide, high = max(before.width, after.width), max(before.height, after.height)
    room = (most, (most - _GAP) // 2 - _BAND) if upright else ((most - _GAP) // 2, most - _BAND)
    factor = min(room[0] / wide, room[1] / high, 1.0)
    size = max(round(wide * factor), 1), max(round(high * factor), 1)
    step = (0, size[1] + _BAND + _GAP) if upright else (size[0] + _GAP, 0)
    whole = Image.new("RGB", (size[0] + step[0], size[1] + _BAND + step[1]), _GROUND)
    pen = Draw(whole)
    for number, (picture, caption) in enumerate(((before, "before"), (after, "after"))):
        left, top = number * step[0], number * step[1]
        pen.text((left + 2, top + 1), caption, fill="white")
        scaled = picture.convert("RGBA").resize(
            (max(round(picture.width * factor), 1), max(round(picture.height * factor), 1))
        )
        whole.paste(scaled, (left, top + _BAND), scaled)
        for x, y, width, height in rectangles:
            corner = left + round(x * factor) - 2, top + _BAND + round(y * factor) - 2
            end = left + round((x + width) * factor) + 1, top + _BAND + round((y + height) * factor) + 1
            pen.rectangle((corner, end), outline=_MARK)
    return whole


def _differences(before: Image, after: Image, tolerance: int) -> Image:
    """White where they differ, black elsewhere."""
    from PIL import Image, ImageChops

    size = max(before.width, after.width), max(before.height, after.height)
    first, second = (_visible(picture, size) for picture in (before, after))
    channels = ImageChops.difference(first, second).split()
    largest = channels[0]
    for channel in channels[1:]:
        largest = ImageChops.lighter(largest, channel)
    mask = largest.point([255 if level > tolerance else 0 for level in range(256)])
    reach = [Image.new("L", picture.size, 255).crop((0, 0, *size)) for picture in (before, after)]
    return ImageChops.lighter(mask, ImageChops.difference(*reach))


def _visible(picture: Image, size: tuple[int, int]) -> Image:
    """The picture on a larger sheet, without the colours of what cannot be seen."""
    from PIL import Image

    sheet = Image.new("RGBA", size, (0, 0, 0, 0))
    sheet.paste(picture.convert("RGBA"), (0, 0))
    seen = sheet.getchannel("A").point([0] + [255] * 255)
    return Image.composite(sheet, Image.new("RGBA", size, (0, 0, 0, 0)), seen)


def _clusters(mask: Image) -> list[Region]:
    """The boxes around differences that are near each other."""
    cells, side = mask, 1
    while side < 8 or max(cells.size) > _CELLS:
        cells, side = cells.reduce(2).point([0] + [255] * 255), side * 2
    data = cells.tobytes()
    waiting = {(at % cells.width, at // cells.width) for at, level in enumerate(data) if level}
    regions: list[Region] = []
    while waiting:
        regions.append(_box(mask, _neighbours(waiting), side))
    return regions


def _neighbours(waiting: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Take a cell, and all that touch it or each other, out of those that wait."""
    cluster = [waiting.pop()]
    for x, y in cluster:
        near = {(x + across, y + down) for across in (-1, 0, 1) for down in (-1, 0, 1)} & waiting
        waiting -= near
        cluster += near
    return cluster


def _box(mask: Image, cells: list[tuple[int, int]], side: int) -> Region:
    """The pixels that differ within some cells."""
    left, top = min(x for x, _ in cells) * side, min(y for _, y in cells) * side
    right, bottom = (max(x for x, _ in cells) + 1) * side, (max(y for _, y in cells) + 1) * side
    box = mask.crop((left, top, min(right, mask.width), min(bottom, mask.height))).getbbox()
    assert box is not None  # a cell is only there for a pixel of it
    return left + box[0], top + box[1], box[2] - box[0], box[3] - box[1]
