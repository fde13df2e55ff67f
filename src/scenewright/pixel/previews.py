"""Small pictures made large enough to be looked at: each pixel a square, frames side by side on a checked ground."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["png", "preview"]

_LONGEST = 900
_MOST_SHOWN = 24
_LARGEST_SCALE = 16
_GROUND, _OTHER = (96, 96, 104, 255), (112, 112, 120, 255)


def preview(frames: Iterable[Image], columns: int = 8) -> bytes:
    """Return frames enlarged, in rows, as a PNG; of many only the first, and large ones made smaller."""
    from PIL import Image
    from PIL.Image import Resampling

    shown = [_reduced(frame) for frame in islice(frames, _MOST_SHOWN)]
    across = min(columns, len(shown))
    down = -(-len(shown) // across)
    width, height = shown[0].size
    room = _LONGEST // max(across * (width + 1), down * (height + 1))
    scale = max(1, min(_LARGEST_SCALE, room))
    sheet = Image.new("RGBA", (across * (width * scale + scale) - scale, down * (height * scale + scale) - scale))
    for number, frame in enumerate(shown):
        row, column = divmod(number, across)
        ground = _checked(frame.size)
        ground.alpha_composite(frame)
        at = (column * (width + 1) * scale, row * (height + 1) * scale)
        sheet.paste(ground.resize((width * scale, height * scale), Resampling.NEAREST), at)
    if max(sheet.size) > _LONGEST:
        sheet.thumbnail((_LONGEST, _LONGEST))
    return png(sheet)


def _reduced(frame: Image) -> Image:
    """A frame that is no larger than the whole preview."""
    if max(frame.size) <= _LONGEST:
        return frame
    share = _LONGEST / max(frame.size)
    return frame.resize((max(int(frame.width * share), 1), max(int(frame.height * share), 1)))


def _checked(size: tuple[int, int]) -> Image:
    """A ground on which one sees what is transparent."""
    from PIL import Image

    squares = Image.new("L", (-(-size[0] // 4), -(-size[1] // 4)))
    squares.putdata([(x + y) % 2 * 255 for y in range(squares.height) for x in range(squares.width)])
    mask = squares.resize((squares.width * 4, squares.height * 4), Image.Resampling.NEAREST).crop((0, 0, *size))
    ground = Image.new("RGBA", size, _GROUND)
    ground.paste(_OTHER, (0, 0), mask)
    return ground


def png(picture: Image) -> bytes:
    """Return a picture as a file; the same picture gives the same bytes."""
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()
