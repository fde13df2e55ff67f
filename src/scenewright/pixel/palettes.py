"""Palettes: taken from pictures, reduced to few colours, read from and written to the files that programs share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scenewright.core.calls.deadline import check_deadline
from scenewright.core.faults import Invalid
from scenewright.pixel.colors import nearest
from scenewright.pixel.sprite import Color

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "ENDINGS",
    "MOST_COLORS",
    "colors_of",
    "palette_bytes",
    "palette_from_text",
    "reduced",
    "repainted",
    "repainted_color",
]

MOST_COLORS = 256
ENDINGS = (".gpl", ".hex", ".pal")
_MOST_COUNTED = 1 << 18
_NUMBERS = re.compile(r"\s*(\d+)\s+(\d+)\s+(\d+)")


def colors_of(pictures: Iterable[Image]) -> Counter[Color]:
    """Count the colours of pictures, without what is transparent.

    Raises:
        Invalid: there are more than are counted.
    """
    counted: Counter[Color] = Counter()
    for picture in pictures:
        check_deadline()
        colors = picture.getcolors(_MOST_COUNTED)
        for count, color in colors or ():
            if isinstance(color, tuple) and color[3]:
                counted[(color[0], color[1], color[2], color[3])] += count
        if colors is None or len(counted) > _MOST_COUNTED:
            raise Invalid(
                f"There are more than {_MOST_COUNTED:,} colours.",
                rule="colors",
                hint="Give pixel art, or reduce the colours of a painting or photo in a program for those.",
            )
    return counted


def reduced(counted: Counter[Color], count: int) -> list[Color]:
    """Return at most so many colours that stand for all, the most frequent first.

    Boxes of colours are cut where they are longest, as median cut does; each gives the colour it has most of.
    """
    boxes = [sorted(counted)] if counted else []
    sizes = [_size(counted, box) for box in boxes]  # of each box, and the axis along which it is longest
    while len(boxes) < count:
        check_deadline()
        at = max(range(len(boxes)), key=lambda at: (sizes[at][0], -at), default=0)
        if not sizes or sizes[at][0] < 0:
            break
        axis = sizes[at][1]
        ordered = sorted(boxes[at], key=lambda color: (color[axis], color))
        half, seen, cut = _weight(counted, ordered) / 2, 0, 1
        for number, color in enumerate(ordered[:-1], 1):
            seen, cut = seen + counted[color], number
            if seen >= half:
                break
        halves = [ordered[:cut], ordered[cut:]]
        boxes[at : at + 1] = halves
        sizes[at : at + 1] = [_size(counted, box) for box in halves]
    chosen = [(max(box, key=lambda color: (counted[color], color)), _weight(counted, box)) for box in boxes]
    return [color for color, _ in sorted(chosen, key=lambda pair: (-pair[1], pair[0]))]


def _size(counted: Counter[Color], box: Sequence[Color]) -> tuple[int, int]:
    """How urgently a box is to be cut, less than 0 where it cannot be, and along which axis."""
    channels = list(zip(*box, strict=True))[:3]
    longest, axis = max((max(channel) - min(channel), axis) for axis, channel in enumerate(channels))
    return longest * _weight(counted, box) if len(box) > 1 else -1, axis


def _weight(counted: Counter[Color], box: Sequence[Color]) -> int:
    return sum(counted[color] for color in box)


def repainted(picture: Image, colors: dict[Color, Color], palette: Sequence[Color] = ()) -> Image:
    """Return a picture with colours exchanged, then each taken to the nearest of a palette."""
    from PIL import Image

    known: dict[bytes, bytes] = {}
    data = picture.tobytes()
    result = bytearray()
    for at in range(0, len(data), 4):
        pixel = data[at : at + 4]
        if pixel not in known:
            if len(known) % 1024 == 0:
                check_deadline()
            known[pixel] = bytes(repainted_color((pixel[0], pixel[1], pixel[2], pixel[3]), colors, palette))
        result += known[pixel]
    return Image.frombytes("RGBA", picture.size, bytes(result))


def repainted_color(color: Color, colors: dict[Color, Color], palette: Sequence[Color] = ()) -> Color:
    """Return what a colour becomes when colours are exchanged, then each is taken to the nearest of a palette."""
    other = colors.get(color, color)
    return (*nearest(other, palette)[:3], other[3]) if palette and other[3] else other


def palette_from_text(text: str, where: str) -> list[Color]:
    """Return the colours of a .gpl, .hex or JASC .pal file.

    Raises:
        Invalid: it is none of these, or has no colours or too many.
    """
    colors: list[Color] = []
    lines = text.splitlines()
    of_numbers = bool(lines) and lines[0].strip() in ("GIMP Palette", "JASC-PAL")
    for line in lines[3:] if of_numbers and lines[0].strip() == "JASC-PAL" else lines:
        if match := _NUMBERS.match(line) if of_numbers else None:
            red, green, blue = (min(int(part[:4]), 255) for part in match.groups())
            colors.append((red, green, blue, 255))
        elif not of_numbers and re.fullmatch(r"\s*#?[0-9a-fA-F]{6}\s*", line):
            red, green, blue = bytes.fromhex(line.strip().lstrip("#"))
            colors.append((red, green, blue, 255))
    if not 0 < len(colors) <= MOST_COLORS:
        raise Invalid(
            f"The file has {len(colors)} colours; a palette has 1 to {MOST_COLORS}.",
            path=where,
            rule="palette",
            hint="Give a .gpl, .hex or .pal file, a picture or an .aseprite file.",
        )
    return colors


def palette_bytes(colors: Sequence[Color], ending: str, name: str) -> bytes:
    """Return a palette as a file of this ending."""
    rows = [color[:3] for color in colors]
    if ending == ".gpl":
        lines = ["GIMP Palette", f"Name: {name}", f"Columns: {min(len(rows), 16)}", "#"]
        lines += [f"{red:3d} {green:3d} {blue:3d}\t{bytes((red, green, blue)).hex()}" for red, green, blue in rows]
    elif ending == ".pal":
        lines = ["JASC-PAL", "0100", str(len(rows)), *(f"{red} {green} {blue}" for red, green, blue in rows)]
    else:
        lines = [bytes(row).hex() for row in rows]
    return ("\n".join(lines) + "\n").encode()
