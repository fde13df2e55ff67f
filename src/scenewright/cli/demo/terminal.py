"""Shows a picture in a terminal: two pixels a character, an upper half block over a background."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

__all__ = ["half_blocks"]


def half_blocks(picture: bytes, columns: int) -> Iterator[str]:
    """Return the lines of a picture, at most so many characters wide, in 24-bit colours."""
    from PIL import Image

    with Image.open(BytesIO(picture)) as whole:
        columns = min(columns, whole.width)
        rows = max(2, round(whole.height * columns / whole.width) // 2 * 2)
        small = whole.convert("RGB").resize((columns, rows), Image.Resampling.BOX)
    pixels = small.tobytes()
    for row in range(0, rows, 2):
        upper, lower = (pixels[each * columns * 3 : (each + 1) * columns * 3] for each in (row, row + 1))
        yield "".join(_cell(upper[at : at + 3], lower[at : at + 3]) for at in range(0, columns * 3, 3)) + "\x1b[0m"


def _cell(upper: bytes, lower: bytes) -> str:
    above, below = (";".join(str(part) for part in colour) for colour in (upper, lower))
    return f"\x1b[38;2;{above};48;2;{below}m▀"
