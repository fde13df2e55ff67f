"""CFrames in the binary format, where rotations along the axes have numbers of their own."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from scenewright.roblox.place.binary import arrays
from scenewright.roblox.place.binary.arrays import ArrayReader
from scenewright.roblox.place.binary.layouts import Column, Links, packed
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.values import IDENTITY

__all__ = [
    "ROTATIONS",
    "ROTATION_IDS",
    "read_frames",
    "read_optional_frames",
    "write_frames",
    "write_optional_frames",
]

_NORMALS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))
_MATRIX = struct.Struct("<9f")


def _rotations() -> dict[int, tuple[float, ...]]:
    """Return the rotations that have a number of their own: the right and the up vector each along an axis."""
    by_number = {}
    for i, x in enumerate(_NORMALS):
        for j, y in enumerate(_NORMALS):
            z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
            if any(z):
                rows = zip(x, y, z, strict=True)
                by_number[6 * i + j + 1] = tuple(float(part) for row in rows for part in row)
    return by_number


ROTATIONS = _rotations()
ROTATION_IDS = {matrix: number for number, matrix in ROTATIONS.items()}


def read_frames(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    matrices = []
    for _ in range(count):
        number = reader.byte()
        matrix = ROTATIONS.get(number) if number else _MATRIX.unpack(reader.take(36))
        if matrix is None:
            raise BrokenPlace(f"A CFrame has rotation {number}, which does not exist.")
        matrices.append(matrix)
    positions = zip(*(arrays.floats(reader, count) for _ in range(3)), strict=True)
    return [position + matrix for position, matrix in zip(positions, matrices, strict=True)]


def write_frames(values: Sequence[Any], links: Links) -> bytes:
    del links
    parts = []
    for value in values:
        number = ROTATION_IDS.get(value[3:], 0)
        parts.append(bytes((number,)) if number else b"\0" + packed(_MATRIX, value[3:]))
    parts += [arrays.pack_floats([value[place] for value in values]) for place in range(3)]
    return b"".join(parts)


def read_optional_frames(reader: ArrayReader, count: int, links: Links) -> Column:
    if reader.byte() != 0x10:
        raise BrokenPlace("An optional CFrame is not laid out as one.")
    frames = read_frames(reader, count, links)
    if reader.byte() != 0x02:
        raise BrokenPlace("An optional CFrame is not laid out as one.")
    return [frame if there else None for frame, there in zip(frames, reader.take(count), strict=True)]


def write_optional_frames(values: Sequence[Any], links: Links) -> bytes:
    frames = write_frames([value or IDENTITY for value in values], links)
    return b"\x10" + frames + b"\x02" + bytes(value is not None for value in values)
