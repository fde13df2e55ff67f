"""The property types of the binary format: for each id, how a column of values is read and written."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scenewright.roblox.place.binary import arrays
from scenewright.roblox.place.binary.arrays import Reader
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.values import IDENTITY, TEXT_KINDS, f32

__all__ = ["BY_ID", "ROTATIONS", "ROTATION_IDS", "Links", "Type", "type_of"]

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
    read: Callable[[Reader, int, Links], Column]
    write: Callable[[Sequence[Any], Links], bytes]
    points: bool = False  # to instances, so that it changes when they are numbered anew


def type_of(kind: str) -> Type | None:
    return _BY_KIND.get("String" if kind in TEXT_KINDS else kind)


# Text


def _read_texts(reader: Reader, count: int, links: Links) -> Column:
    del links
    data, place, end, found = reader.data, reader.place, len(reader.data), []
    for _ in range(count):
        start = place + 4
        place = start + int.from_bytes(data[place:start], "little")
        if place > end or start > end:
            raise BrokenPlace("A text is longer than the chunk that holds it.")
        found.append(data[start:place])
    reader.place = place
    return found


def _write_texts(values: Sequence[Any], links: Links) -> bytes:
    del links
    return b"".join(_text(value) for value in values)


def _text(value: bytes) -> bytes:
    return len(value).to_bytes(4, "little") + value


# Numbers


def _read_bools(reader: Reader, count: int, links: Links) -> Column:
    del links
    return [byte != 0 for byte in reader.take(count)]


def _write_bools(values: Sequence[Any], links: Links) -> bytes:
    del links
    return bytes(map(bool, values))


def _read_bytes(reader: Reader, count: int, links: Links) -> Column:
    del links
    return list(reader.take(count))


def _write_bytes(values: Sequence[Any], links: Links) -> bytes:
    del links
    return bytes(values)


def _read_doubles(reader: Reader, count: int, links: Links) -> Column:
    del links
    return list(struct.unpack(f"<{count}d", reader.take(8 * count)))


def _write_doubles(values: Sequence[Any], links: Links) -> bytes:
    del links
    return struct.pack(f"<{len(values)}d", *values)


_READERS: dict[str, Callable[[Reader, int], tuple[Any, ...]]] = {
    "f": arrays.floats, "i": arrays.ints, "q": arrays.longs, "I": arrays.words,
}  # fmt: skip
_WRITERS: dict[str, Callable[[Sequence[Any]], bytes]] = {
    "f": arrays.pack_floats, "i": arrays.pack_ints, "q": arrays.pack_longs, "I": arrays.pack_words,
}  # fmt: skip


def _single(number: int, kind: str, part: str) -> Type:
    """One interleaved array."""

    def read(reader: Reader, count: int, links: Links) -> Column:
        del links
        return list(_READERS[part](reader, count))

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return _WRITERS[part](values)

    return Type(number, kind, read, write)


def _struct(number: int, kind: str, parts: str, order: Sequence[int] | None = None) -> Type:
    """One interleaved array per component; `order` says which component each array holds."""
    places = list(order or range(len(parts)))

    def read(reader: Reader, count: int, links: Links) -> Column:
        del links
        found: list[tuple[Any, ...]] = [()] * len(parts)
        for part, place in zip(parts, places, strict=True):
            found[place] = _READERS[part](reader, count)
        return list(zip(*found, strict=True))

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return b"".join(
            _WRITERS[part]([value[place] for value in values]) for part, place in zip(parts, places, strict=True)
        )

    return Type(number, kind, read, write)


def _rows(number: int, kind: str, layout: str) -> Type:
    """One plain record after the other."""
    record = struct.Struct(layout)

    def read(reader: Reader, count: int, links: Links) -> Column:
        del links
        return list(record.iter_unpack(reader.take(record.size * count)))

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return b"".join(_record(record, value) for value in values)

    return Type(number, kind, read, write)


def _record(record: struct.Struct, value: Sequence[float]) -> bytes:
    try:
        return record.pack(*value)
    except OverflowError:
        return record.pack(*map(f32, value))


def _sequences(number: int, kind: str, width: int) -> Type:
    keypoint = struct.Struct(f"<{width}f")

    def read(reader: Reader, count: int, links: Links) -> Column:
        del links
        return [
            tuple(keypoint.iter_unpack(reader.take(reader.count(keypoint.size) * keypoint.size))) for _ in range(count)
        ]

    def write(values: Sequence[Any], links: Links) -> bytes:
        del links
        return b"".join(
            len(value).to_bytes(4, "little") + b"".join(_record(keypoint, point) for point in value) for value in values
        )

    return Type(number, kind, read, write)


# Colours


def _read_colors(reader: Reader, count: int, links: Links) -> Column:
    del links
    return list(zip(reader.take(count), reader.take(count), reader.take(count), strict=True))


def _write_colors(values: Sequence[Any], links: Links) -> bytes:
    del links
    return b"".join(bytes(value[place] for value in values) for place in range(3))


# Places in space

_NORMALS = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))
_MATRIX = struct.Struct("<9f")


def _rotations() -> dict[int, tuple[float, ...]]:
    """The rotations that have a number of their own: the right and the up vector each along an axis."""
    found = {}
    for i, x in enumerate(_NORMALS):
        for j, y in enumerate(_NORMALS):
            z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
            if any(z):
                rows = zip(x, y, z, strict=True)
                found[6 * i + j + 1] = tuple(float(part) for row in rows for part in row)
    return found


ROTATIONS = _rotations()
ROTATION_IDS = {matrix: number for number, matrix in ROTATIONS.items()}


def _read_frames(reader: Reader, count: int, links: Links) -> Column:
    del links
    matrices = []
    for _ in range(count):
        number = reader.byte()
        matrix = ROTATIONS.get(number) if number else _MATRIX.unpack(reader.take(36))
        if matrix is None:
            raise BrokenPlace(f"A CFrame has rotation {number}, which there is not.")
        matrices.append(matrix)
    positions = zip(*(arrays.floats(reader, count) for _ in range(3)), strict=True)
    return [position + matrix for position, matrix in zip(positions, matrices, strict=True)]


def _write_frames(values: Sequence[Any], links: Links) -> bytes:
    del links
    parts = []
    for value in values:
        number = ROTATION_IDS.get(value[3:], 0)
        parts.append(bytes((number,)) if number else b"\0" + _record(_MATRIX, value[3:]))
    parts += [arrays.pack_floats([value[place] for value in values]) for place in range(3)]
    return b"".join(parts)


def _read_optional_frames(reader: Reader, count: int, links: Links) -> Column:
    if reader.byte() != 0x10:
        raise BrokenPlace("An optional CFrame is not laid out as one.")
    frames = _read_frames(reader, count, links)
    if reader.byte() != 0x02:
        raise BrokenPlace("An optional CFrame is not laid out as one.")
    return [frame if there else None for frame, there in zip(frames, reader.take(count), strict=True)]


def _write_optional_frames(values: Sequence[Any], links: Links) -> bytes:
    frames = _write_frames([value or IDENTITY for value in values], links)
    return b"\x10" + frames + b"\x02" + bytes(value is not None for value in values)


# The rest

_PHYSICS = {1: struct.Struct("<5f"), 3: struct.Struct("<6f")}


def _read_physics(reader: Reader, count: int, links: Links) -> Column:
    del links
    found: Column = []
    for _ in range(count):
        record = _PHYSICS.get(reader.byte())
        found.append(record.unpack(reader.take(record.size)) if record else None)
    return found


def _write_physics(values: Sequence[Any], links: Links) -> bytes:
    del links
    parts = []
    for value in values:
        flag = 0 if value is None else 1 if len(value) == 5 else 3
        parts.append(bytes((flag,)) + (_record(_PHYSICS[flag], value) if flag else b""))
    return b"".join(parts)


def _read_refs(reader: Reader, count: int, links: Links) -> Column:
    return [links.instance(number) for number in arrays.refs(reader, count)]


def _write_refs(values: Sequence[Any], links: Links) -> bytes:
    return arrays.pack_refs([links.referent(value) for value in values])


def _read_shared(reader: Reader, count: int, links: Links) -> Column:
    return [links.shared(number) for number in arrays.words(reader, count)]


def _write_shared(values: Sequence[Any], links: Links) -> bytes:
    return arrays.pack_words([links.share(value) for value in values])


_UNIQUE = struct.Struct(">IIQ")


def _read_unique(reader: Reader, count: int, links: Links) -> Column:
    del links
    data = arrays.gathered(reader, count, 16)
    return [(index, time, _signed(random)) for index, time, random in _UNIQUE.iter_unpack(data)]


def _signed(random: int) -> int:
    # The file turns the number one bit to the left.
    random = random >> 1 | (random & 1) << 63
    return random - (1 << 64) if random >> 63 else random


def _write_unique(values: Sequence[Any], links: Links) -> bytes:
    del links
    parts = []
    for index, time, random in values:
        bits = random & (1 << 64) - 1
        parts.append(_UNIQUE.pack(index, time, bits << 1 & (1 << 64) - 1 | bits >> 63))
    return arrays.interleave(b"".join(parts), 16)


def _read_fonts(reader: Reader, count: int, links: Links) -> Column:
    del links
    return [
        (reader.text(), int.from_bytes(reader.take(2), "little"), reader.byte(), reader.text()) for _ in range(count)
    ]


def _write_fonts(values: Sequence[Any], links: Links) -> bytes:
    del links
    return b"".join(
        _text(family) + weight.to_bytes(2, "little") + bytes((style,)) + _text(face)
        for family, weight, style, face in values
    )


def _read_contents(reader: Reader, count: int, links: Links) -> Column:
    sources = arrays.ints(reader, count)
    uris = iter([reader.text() for _ in range(reader.count(4))])
    objects = iter(_read_refs(reader, reader.count(4), links))
    if reader.count(4):
        raise BrokenPlace("A Content points outside the file.")
    found: Column = []
    for source in sources:
        part = {0: iter((None,)), 1: uris, 2: objects}.get(source)
        if part is None:
            raise BrokenPlace(f"A Content has source {source}, which is not known here.")
        try:
            found.append(next(part))
        except StopIteration:
            raise BrokenPlace("A chunk of Content says more values than it holds.") from None
    return found


def _write_contents(values: Sequence[Any], links: Links) -> bytes:
    uris = [value for value in values if isinstance(value, bytes)]
    objects = [value for value in values if value is not None and not isinstance(value, bytes)]
    sources = [0 if value is None else 1 if isinstance(value, bytes) else 2 for value in values]
    return (
        arrays.pack_ints(sources)
        + len(uris).to_bytes(4, "little")
        + _write_texts(uris, links)
        + len(objects).to_bytes(4, "little")
        + _write_refs(objects, links)
        + bytes(4)
    )


TYPES = (
    Type(0x01, "String", _read_texts, _write_texts),
    Type(0x02, "Bool", _read_bools, _write_bools),
    _single(0x03, "Int32", "i"),
    _single(0x04, "Float32", "f"),
    Type(0x05, "Float64", _read_doubles, _write_doubles),
    _struct(0x06, "UDim", "fi"),
    _struct(0x07, "UDim2", "ffii", (0, 2, 1, 3)),
    _rows(0x08, "Ray", "<6f"),
    Type(0x09, "Faces", _read_bytes, _write_bytes),
    Type(0x0A, "Axes", _read_bytes, _write_bytes),
    _single(0x0B, "BrickColor", "I"),
    _struct(0x0C, "Color3", "fff"),
    _struct(0x0D, "Vector2", "ff"),
    _struct(0x0E, "Vector3", "fff"),
    Type(0x10, "CFrame", _read_frames, _write_frames),
    _single(0x12, "Enum", "I"),
    Type(0x13, "Ref", _read_refs, _write_refs, points=True),
    _rows(0x14, "Vector3int16", "<3h"),
    _sequences(0x15, "NumberSequence", 3),
    _sequences(0x16, "ColorSequence", 5),
    _rows(0x17, "NumberRange", "<2f"),
    _struct(0x18, "Rect", "ffff"),
    Type(0x19, "PhysicalProperties", _read_physics, _write_physics),
    Type(0x1A, "Color3uint8", _read_colors, _write_colors),
    _single(0x1B, "Int64", "q"),
    Type(0x1C, "SharedString", _read_shared, _write_shared),
    Type(0x1D, "Bytecode", _read_texts, _write_texts),
    Type(0x1E, "OptionalCFrame", _read_optional_frames, _write_optional_frames),
    Type(0x1F, "UniqueId", _read_unique, _write_unique),
    Type(0x20, "Font", _read_fonts, _write_fonts),
    _single(0x21, "SecurityCapabilities", "q"),
    Type(0x22, "Content", _read_contents, _write_contents, points=True),
)
BY_ID = {each.number: each for each in TYPES}
_BY_KIND = {each.kind: each for each in TYPES} | {"NetAssetRef": BY_ID[0x1C]}
