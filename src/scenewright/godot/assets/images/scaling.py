"""A picture made small enough for a reply, and several of them as one."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from scenewright.godot.assets.images.drawing import draw_digits

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

__all__ = ["Format", "Scaled", "Strip", "encode", "join_pictures", "scaled"]

Format = Literal["jpg", "png"]
MOST_PNG = 700_000  # bytes of a PNG that nobody asked for: as text it stays below what hosts take
GAP, BAND = 4, 18  # as the engine reckons when it chooses how large each picture of a strip is
_GROUND = (32, 32, 32)


class Scaled(msgspec.Struct, frozen=True):
    """A picture as it goes out, and how large it was."""

    data: bytes
    mime: str
    width: int
    height: int
    whole: tuple[int, int]


class Strip(msgspec.Struct, frozen=True):
    """Several pictures as one, and where each begins."""

    picture: Image
    places: list[tuple[int, int]]


def scaled(data: bytes, most: int, suffix: Format | None) -> Scaled:
    """Return a picture with no side longer than this; where the format is left open, in the smaller one."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        picture = opened.convert("RGB")
    whole = picture.size
    picture.thumbnail((most, most))
    encoded, mime = encode(picture, suffix, crisp=False)
    return Scaled(encoded, mime, *picture.size, whole)


def encode(picture: Image, wanted: Format | None, *, crisp: bool) -> tuple[bytes, str]:
    """Return a picture as a file and its type: PNG where it is crisp or no larger so, unless a format is asked for."""
    png = _saved(picture, "PNG") if wanted != "jpg" else None
    if png is not None and (wanted == "png" or (crisp and len(png) <= MOST_PNG)):
        return png, "image/png"
    jpeg = _saved(picture, "JPEG")
    return (png, "image/png") if png is not None and len(png) <= len(jpeg) else (jpeg, "image/jpeg")


def join_pictures(pictures: Sequence[Image], captions: Sequence[str], most: int) -> Strip:
    """Return pictures in rows, each below its number or words, in the shape that is nearest to a square."""
    from PIL import Image
    from PIL.ImageDraw import Draw

    wide, high = (max(picture.size[side] for picture in pictures) for side in (0, 1))
    columns = min(range(1, len(pictures) + 1), key=lambda count: max(_strip_size(wide, high, count, len(pictures))))
    strip = Image.new("RGB", _strip_size(wide, high, columns, len(pictures)), _GROUND)
    pen, places = Draw(strip), []
    for at, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        left, top = at % columns * (wide + GAP), at // columns * (high + GAP + BAND)
        _draw_caption(pen, caption, left, top + 2)
        strip.paste(picture, (left, top + BAND))
        places.append((left, top + BAND))
    if max(strip.size) > most:  # where later pictures show a larger part than the first
        factor = most / max(strip.size)
        strip.thumbnail((most, most))
        places = [(round(left * factor), round(top * factor)) for left, top in places]
    return Strip(strip, places)


def _draw_caption(pen: ImageDraw, caption: str, left: int, top: int) -> None:
    if caption.isdigit():
        draw_digits(pen, caption, left, top, 2)
    else:
        pen.text((left + 2, top), caption, fill="white")


def _strip_size(wide: int, high: int, columns: int, count: int) -> tuple[int, int]:
    rows = -(-count // columns)
    return columns * (wide + GAP) - GAP, rows * (high + GAP + BAND) - GAP


def _saved(picture: Image, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **({"quality": 88} if kind == "JPEG" else {"optimize": True}))
    return out.getvalue()
