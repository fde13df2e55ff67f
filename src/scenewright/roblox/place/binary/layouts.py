"""How columns of plain values are laid out in the binary format: texts, numbers, and records made of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scenewright.roblox.place.binary import arrays
from scenewright.roblox.place.binary.arrays import ArrayReader
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.values import f32

__all__ = [
    "Column",
    "Links",
    "Type",
    "arrays_of",
    "packed",
    "read_bools",
    "read_bytes",
    "read_colors",
    "read_doubles",
    "read_texts",
    "records_of",
    "sequences_of",
    "single_array",
    "with_length",
    "write_bools",
    "write_bytes",
    "write_colors",
    "write_doubles",
    "write_texts",
]

Column = list[Any]


@dataclass(frozen=True, slots=True)
class Links:
    """What some columns only point to: instances by referent, shared strings by place in the file."""

    instance: Callable[[int], Any]
    referent: Callable[[Any], int]
    shared: Callable[[int], bytes]
    share: Callable[[bytes], int]


@dataclass(frozen=True, slots=True)
class Type:
    """How a kind of value is laid out in a column."""

    number: int
    kind: str
    read: Callable[[ArrayReader, int, Links], Column]
    write: Callable[[Sequence[Any], Links], bytes]
    points: bool = False  # to instances, so that it changes when they are numbered anew


# Text


def read_texts(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    data, place, end, texts = reader.data, reader.place, len(reader.data), []
    for _ in range(count):
        start = place + 4
        place = start + int.from_bytes(data[place:start], "little")
        if place > end or start > end:
            raise BrokenPlace("A text is longer than the chunk that holds it.")
        texts.append(data[start:place])
    reader.place = place
    return texts


def write_texts(values: Sequence[Any], links: Links) -> bytes:
    del links
    return b"".join(with_length(value) for value in values)


def with_length(value: bytes) -> bytes:
    return len(value).to_bytes(4, "little") + value


# Numbers


def read_bools(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    return [byte != 0 for byte in reader.take(count)]


def write_bools(values: Sequence[Any], links: Links) -> bytes:
    del links
    return bytes(map(bool, values))


def read_bytes(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    return list(reader.take(count))


def write_bytes(values: Sequence[Any], links: Links) -> bytes:
    del links
    return bytes(values)


def read_doubles(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    return list(struct.unpack(f"<{count}d", reader.take(8 * count)))


def write_doubles(values: Sequence[Any], links: Links) -> bytes:
    del links
    return struct.pack(f"<{len(values)}d", *values)


_READERS: dict[str, Callable[[ArrayReader, int], tuple[Any, ...]]] = {
    "f": arrays.floats,
    "i": arrays.ints,
    "q": arrays.longs,
    "I": arrays.words,
}
_WRITERS: dict[str, Callable[[Sequence[Any]], bytes]] = {
    "f": arrays.pack_floats,
    "i": arrays.pack_ints,
    "q": arrays.pack_longs,
    "I": arrays.pack_words,
}


def single_array(number: int, kind: str, part: str) -> Type:
    """Return one interleaved array."""

    def read(reader: ArrayReader, count: int, links: Links) -> Column:
        del links
        return list(_READERS[part](reader, count))

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return _WRITERS[part](values)

    return Type(number, kind, read, write)


def arrays_of(number: int, kind: str, parts: str, order: Sequence[int] | None = None) -> Type:
    """Return one interleaved array per component; `order` says which component each array holds."""
    places = list(order or range(len(parts)))

    def read(reader: ArrayReader, count: int, links: Links) -> Column:
        del links
        columns: list[tuple[Any, ...]] = [()] * len(parts)
        for part, place in zip(parts, places, strict=True):
            columns[place] = _READERS[part](reader, count)
        return list(zip(*columns, strict=True))

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return b"".join(
            _WRITERS[part]([value[place] for value in values]) for part, place in zip(parts, places, strict=True)
        )

    return Type(number, kind, read, write)


def records_of(number: int, kind: str, layout: str) -> Type:
    """Return one plain record after the other."""
    record = struct.Struct(layout)

    def read(reader: ArrayReader, count: int, links: Links) -> Column:
        del links
        return list(record.iter_unpack(reader.take(record.size * count)))

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return b"".join(packed(record, value) for value in values)

    return Type(number, kind, read, write)


def packed(record: struct.Struct, value: Sequence[float]) -> bytes:
    try:
        return record.pack(*value)
    except OverflowError:
        return record.pack(*map(f32, value))


def sequences_of(number: int, kind: str, width: int) -> Type:
    keypoint = struct.Struct(f"<{width}f")

    def read(reader: ArrayReader, count: int, links: Links) -> Column:
        del links
        return [
            tuple(keypoint.iter_unpack(reader.take(reader.count(keypoint.size) * keypoint.size))) for _ in range(count)
        ]

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return b"".join(
            len(value).to_bytes(4, "little") + b"".join(packed(keypoint, point) for point in value) for value in values
        )

    return Type(number, kind, read, write)


# Colours


def read_colors(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    return list(zip(reader.take(count), reader.take(count), reader.take(count), strict=True))


def write_colors(values: Sequence[Any], links: Links) -> bytes:
    del links
    return b"".join(bytes(value[place] for value in values) for place in range(3))
