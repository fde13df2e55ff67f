"""The property types of the binary format: for each id, how a column of values is read and written."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from scenewright.roblox.place.binary import arrays
from scenewright.roblox.place.binary.arrays import ArrayReader
from scenewright.roblox.place.binary.layouts import (
    Column,
    Links,
    Type,
    arrays_of,
    packed,
    read_bools,
    read_bytes,
    read_colors,
    read_doubles,
    read_texts,
    records_of,
    sequences_of,
    single_array,
    with_length,
    write_bools,
    write_bytes,
    write_colors,
    write_doubles,
    write_texts,
)
from scenewright.roblox.place.binary.rotations import (
    read_frames,
    read_optional_frames,
    write_frames,
    write_optional_frames,
)
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.values import TEXT_KINDS

__all__ = ["BY_ID", "TYPES", "type_of"]

_PHYSICS = {1: struct.Struct("<5f"), 3: struct.Struct("<6f")}


def _read_physics(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    column: Column = []
    for _ in range(count):
        record = _PHYSICS.get(reader.byte())
        column.append(record.unpack(reader.take(record.size)) if record else None)
    return column


def _write_physics(values: Sequence[Any], links: Links) -> bytes:
    del links
    parts = []
    for value in values:
        flag = 0 if value is None else 1 if len(value) == 5 else 3
        parts.append(bytes((flag,)) + (packed(_PHYSICS[flag], value) if flag else b""))
    return b"".join(parts)


def _read_refs(reader: ArrayReader, count: int, links: Links) -> Column:
    return [links.instance(number) for number in arrays.refs(reader, count)]


def _write_refs(values: Sequence[Any], links: Links) -> bytes:
    return arrays.pack_refs([links.referent(value) for value in values])


def _read_shared(reader: ArrayReader, count: int, links: Links) -> Column:
    return [links.shared(number) for number in arrays.words(reader, count)]


def _write_shared(values: Sequence[Any], links: Links) -> bytes:
    return arrays.pack_words([links.share(value) for value in values])


_UNIQUE = struct.Struct(">IIQ")


def _read_unique(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    data = arrays.gathered(reader, count, 16)
    return [(index, time, _to_signed(random)) for index, time, random in _UNIQUE.iter_unpack(data)]


def _to_signed(random: int) -> int:
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


def _read_fonts(reader: ArrayReader, count: int, links: Links) -> Column:
    del links
    return [
        (reader.text(), int.from_bytes(reader.take(2), "little"), reader.byte(), reader.text()) for _ in range(count)
    ]


def _write_fonts(values: Sequence[Any], links: Links) -> bytes:
    del links
    return b"".join(
        with_length(family) + weight.to_bytes(2, "little") + bytes((style,)) + with_length(face)
        for family, weight, style, face in values
    )


def _read_contents(reader: ArrayReader, count: int, links: Links) -> Column:
    sources = arrays.ints(reader, count)
    uris = iter([reader.text() for _ in range(reader.count(4))])
    objects = iter(_read_refs(reader, reader.count(4), links))
    if reader.count(4):
        raise BrokenPlace("A Content points outside the file.")
    column: Column = []
    for source in sources:
        part = {0: iter((None,)), 1: uris, 2: objects}.get(source)
        if part is None:
            raise BrokenPlace(f"A Content has source {source}, which is not known here.")
        try:
            column.append(next(part))
        except StopIteration:
            raise BrokenPlace("A chunk of Content claims more values than it holds.") from None
    return column


def _write_contents(values: Sequence[Any], links: Links) -> bytes:
    uris = [value for value in values if isinstance(value, bytes)]
    objects = [value for value in values if value is not None and not isinstance(value, bytes)]
    sources = [0 if value is None else 1 if isinstance(value, bytes) else 2 for value in values]
    return (
        arrays.pack_ints(sources)
        + len(uris).to_bytes(4, "little")
        + write_texts(uris, links)
        + len(objects).to_bytes(4, "little")
        + _write_refs(objects, links)
        + bytes(4)
    )


TYPES = (
    Type(0x01, "String", read_texts, write_texts),
    Type(0x02, "Bool", read_bools, write_bools),
    single_array(0x03, "Int32", "i"),
    single_array(0x04, "Float32", "f"),
    Type(0x05, "Float64", read_doubles, write_doubles),
    arrays_of(0x06, "UDim", "fi"),
    arrays_of(0x07, "UDim2", "ffii", (0, 2, 1, 3)),
    records_of(0x08, "Ray", "<6f"),
    Type(0x09, "Faces", read_bytes, write_bytes),
    Type(0x0A, "Axes", read_bytes, write_bytes),
    single_array(0x0B, "BrickColor", "I"),
    arrays_of(0x0C, "Color3", "fff"),
    arrays_of(0x0D, "Vector2", "ff"),
    arrays_of(0x0E, "Vector3", "fff"),
    Type(0x10, "CFrame", read_frames, write_frames),
    single_array(0x12, "Enum", "I"),
    Type(0x13, "Ref", _read_refs, _write_refs, points=True),
    records_of(0x14, "Vector3int16", "<3h"),
    sequences_of(0x15, "NumberSequence", 3),
    sequences_of(0x16, "ColorSequence", 5),
    records_of(0x17, "NumberRange", "<2f"),
    arrays_of(0x18, "Rect", "ffff"),
    Type(0x19, "PhysicalProperties", _read_physics, _write_physics),
    Type(0x1A, "Color3uint8", read_colors, write_colors),
    single_array(0x1B, "Int64", "q"),
    Type(0x1C, "SharedString", _read_shared, _write_shared),
    Type(0x1D, "Bytecode", read_texts, write_texts),
    Type(0x1E, "OptionalCFrame", read_optional_frames, write_optional_frames),
    Type(0x1F, "UniqueId", _read_unique, _write_unique),
    Type(0x20, "Font", _read_fonts, _write_fonts),
    single_array(0x21, "SecurityCapabilities", "q"),
    Type(0x22, "Content", _read_contents, _write_contents, points=True),
)
BY_ID = {each.number: each for each in TYPES}
_BY_KIND = {each.kind: each for each in TYPES} | {"NetAssetRef": BY_ID[0x1C]}


def type_of(kind: str) -> Type | None:
    return _BY_KIND.get("String" if kind in TEXT_KINDS else kind)
