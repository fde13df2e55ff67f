"""Which of 47 tiles a terrain shows in a cell: by its neighbours on all sides and, where both sides fit, corners.

These are the tiles that Godot's terrain mode "match corners and sides" tells apart.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["FULL", "MASKS", "PEERING", "masks_of", "tile_number"]

# Bits clockwise from the top; a corner's bit stands between those of its two sides.
PEERING = (
    "top_side",
    "top_right_corner",
    "right_side",
    "bottom_right_corner",
    "bottom_side",
    "bottom_left_corner",
    "left_side",
    "top_left_corner",
)
FULL = 255


def _told(mask: int) -> int:
    """A mask without corners of which a side is missing."""
    for corner in (1, 3, 5, 7):
        if not (mask >> (corner - 1) & 1 and mask >> ((corner + 1) % 8) & 1):
            mask &= ~(1 << corner)
    return mask


MASKS = tuple(sorted({_told(mask) for mask in range(256)}))
_NUMBERS = bytes(MASKS.index(_told(mask)) for mask in range(256))


def tile_number(mask: int) -> int:
    """Return which of the 47 tiles a mask of neighbours asks for."""
    return _NUMBERS[mask]


def masks_of(rows: Sequence[bytes]) -> list[bytes]:
    """Return the tile's number for each cell of a map of zeros and ones; beyond its edges it goes on as it is there."""
    result = []
    for y, row in enumerate(rows):
        above, below = rows[max(y - 1, 0)], rows[min(y + 1, len(rows) - 1)]
        sides = [(line[:1] + line[:-1], line, line[1:] + line[-1:]) for line in (above, row, below)]
        (nw, n, ne), (w, _, e), (sw, s, se) = sides
        result.append(
            bytes(
                _NUMBERS[a | b << 1 | c << 2 | d << 3 | f << 4 | g << 5 | h << 6 | i << 7]
                for a, b, c, d, f, g, h, i in zip(n, ne, e, se, s, sw, w, nw, strict=True)
            )
        )
    return result
