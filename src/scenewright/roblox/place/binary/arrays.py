"""Arrays as the binary format lays them out: bytes interleaved, integers zig-zagged, the sign of floats last.

Whole arrays are transformed as one large integer, lane by lane, which runs in C; a loop would take most of the time
that opening a place takes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from itertools import accumulate

from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.values import f32

__all__ = [
    "ArrayReader",
    "floats",
    "gathered",
    "interleave",
    "ints",
    "longs",
    "pack_floats",
    "pack_ints",
    "pack_longs",
    "pack_refs",
    "pack_words",
    "refs",
    "words",
]


class ArrayReader:
    """Reads from a chunk's data; whatever would lie beyond its end is an error."""

    __slots__ = ("data", "place")

    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data = data
        self.place = place

    def take(self, count: int) -> bytes:
        end = self.place + count
        if count < 0 or end > len(self.data):
            raise BrokenPlace("A chunk ends before the values that it should hold.")
        part = self.data[self.place : end]
        self.place = end
        return part

    def byte(self) -> int:
        return self.take(1)[0]

    def word(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def text(self) -> bytes:
        return self.take(self.word())

    def count(self, width: int) -> int:
        """Return a number of items of which each takes at least so many bytes."""
        count = self.word()
        if count * width > len(self.data) - self.place:
            raise BrokenPlace("A chunk claims more items than it can hold.")
        return count

    @property
    def left(self) -> int:
        return len(self.data) - self.place


def gathered(reader: ArrayReader, count: int, width: int) -> bytes:
    """Undo the interleaving: the bytes of each item together again."""
    data = reader.take(count * width)
    out = bytearray(count * width)
    for plane in range(width):
        out[plane::width] = data[plane * count : (plane + 1) * count]
    return bytes(out)


def interleave(data: bytes, width: int) -> bytes:
    return b"".join(data[plane::width] for plane in range(width))


def _lanes(pattern: bytes, count: int) -> int:
    return int.from_bytes(pattern * count, "big")


def _unzigzag(data: bytes, width: int) -> bytes:
    count = len(data) // width
    number = int.from_bytes(data, "big")
    half = (number >> 1) & _lanes(b"\x7f" + b"\xff" * (width - 1), count)
    signs = number & _lanes(b"\0" * (width - 1) + b"\x01", count)
    return (half ^ (signs * ((1 << 8 * width) - 1))).to_bytes(len(data), "big")


def _zigzag(data: bytes, width: int) -> bytes:
    count = len(data) // width
    number = int.from_bytes(data, "big")
    signs = (number >> (8 * width - 1)) & _lanes(b"\0" * (width - 1) + b"\x01", count)
    double = (number << 1) & _lanes(b"\xff" * (width - 1) + b"\xfe", count)
    return (double ^ (signs * ((1 << 8 * width) - 1))).to_bytes(len(data), "big")


def words(reader: ArrayReader, count: int) -> tuple[int, ...]:
    return struct.unpack(f">{count}I", gathered(reader, count, 4))


def ints(reader: ArrayReader, count: int) -> tuple[int, ...]:
    return struct.unpack(f">{count}i", _unzigzag(gathered(reader, count, 4), 4))


def longs(reader: ArrayReader, count: int) -> tuple[int, ...]:
    return struct.unpack(f">{count}q", _unzigzag(gathered(reader, count, 8), 8))


def floats(reader: ArrayReader, count: int) -> tuple[float, ...]:
    data = gathered(reader, count, 4)
    number = int.from_bytes(data, "big")
    rotated = (number >> 1) & _lanes(b"\x7f\xff\xff\xff", count) | (number & _lanes(b"\0\0\0\x01", count)) << 31
    return struct.unpack(f">{count}f", rotated.to_bytes(len(data), "big"))


def refs(reader: ArrayReader, count: int) -> list[int]:
    """Return referents, each stored as the difference to the one before."""
    return list(accumulate(ints(reader, count)))


def pack_words(values: Sequence[int]) -> bytes:
    return interleave(struct.pack(f">{len(values)}I", *values), 4)


def pack_ints(values: Sequence[int]) -> bytes:
    return interleave(_zigzag(struct.pack(f">{len(values)}i", *values), 4), 4)


def pack_longs(values: Sequence[int]) -> bytes:
    return interleave(_zigzag(struct.pack(f">{len(values)}q", *values), 8), 8)


def pack_floats(values: Sequence[float]) -> bytes:
    try:
        data = struct.pack(f">{len(values)}f", *values)
    except OverflowError:
        data = struct.pack(f">{len(values)}f", *map(f32, values))
    count = len(values)
    number = int.from_bytes(data, "big")
    rotated = (number << 1) & _lanes(b"\xff\xff\xff\xfe", count) | (number >> 31) & _lanes(b"\0\0\0\x01", count)
    return interleave(rotated.to_bytes(len(data), "big"), 4)


def pack_refs(values: Iterable[int]) -> bytes:
    last, steps = 0, []
    for value in values:
        steps.append(value - last)
        last = value
    return pack_ints(steps)
