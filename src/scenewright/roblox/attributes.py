"""Attributes and tags, each of which files hold in one blob."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scenewright.core.faults import Unsupported
from scenewright.roblox.place.binary.arrays import ArrayReader
from scenewright.roblox.place.binary.rotations import ROTATION_IDS, ROTATIONS
from scenewright.roblox.place.errors import BrokenPlace
from scenewright.roblox.values import Value, as_bytes, as_text, f32

__all__ = ["pack_attributes", "pack_tags", "unpack_attributes", "unpack_tags"]


@dataclass(frozen=True, slots=True)
class _Type:
    number: int
    kind: str
    read: Callable[[ArrayReader], Any]
    write: Callable[[Any], bytes]


def unpack_attributes(blob: bytes) -> dict[str, Value]:
    """Return attributes by name.

    Raises:
        BrokenPlace: the blob is damaged.
        Unsupported: one has a type that is not known here, so that the rest cannot be found either.
    """
    if not blob:
        return {}
    reader = ArrayReader(blob)
    attributes = {}
    for _ in range(reader.count(5)):
        name = as_text(reader.text())
        number = reader.byte()
        known = _BY_NUMBER.get(number)
        if known is None:
            raise Unsupported(f"The attribute '{name}' has a type (0x{number:02x}) that is not known here.")
        attributes[name] = Value(known.kind, known.read(reader))
    return attributes


def pack_attributes(attributes: dict[str, Value]) -> bytes:
    if not attributes:
        return b""
    parts = [len(attributes).to_bytes(4, "little")]
    for name, value in attributes.items():
        known = _BY_KIND[value.kind]
        parts += [_text(as_bytes(name)), bytes((known.number,)), known.write(value.data)]
    return b"".join(parts)


def unpack_tags(blob: bytes) -> list[str]:
    return [as_text(tag) for tag in blob.split(b"\0") if tag]


def pack_tags(tags: list[str] | tuple[str, ...]) -> bytes:
    return b"\0".join(as_bytes(tag) for tag in tags)


def _text(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


def _record(number: int, kind: str, layout: str) -> _Type:
    record = struct.Struct(layout)
    is_single = len(layout) == 2

    def read(reader: ArrayReader) -> Any:
        numbers = record.unpack(reader.take(record.size))
        return numbers[0] if is_single else numbers

    def write(data: Any) -> bytes:
        parts = (data,) if is_single else data
        try:
            return record.pack(*parts)
        except OverflowError:
            return record.pack(*(f32(part) if isinstance(part, float) else part for part in parts))

    return _Type(number, kind, read, write)


_MATRIX = struct.Struct("<9f")
_POINT = struct.Struct("<3f")


def _read_frame(reader: ArrayReader) -> tuple[float, ...]:
    position = _POINT.unpack(reader.take(12))
    number = reader.byte()
    matrix = ROTATIONS.get(number) if number else _MATRIX.unpack(reader.take(36))
    if matrix is None:
        raise BrokenPlace(f"An attribute has rotation {number}, which does not exist.")
    return (*position, *matrix)


def _write_frame(data: Any) -> bytes:
    number = ROTATION_IDS.get(data[3:], 0)
    return _POINT.pack(*data[:3]) + bytes((number,)) + (b"" if number else _MATRIX.pack(*data[3:]))


def _sequence(number: int, kind: str, width: int) -> _Type:
    """Return the layout of keypoints, whose envelope comes first here and last in values."""
    point = struct.Struct(f"<{width}f")

    def read(reader: ArrayReader) -> Any:
        rows = point.iter_unpack(reader.take(reader.count(point.size) * point.size))
        return tuple((*row[1:], row[0]) for row in rows)

    def write(data: Any) -> bytes:
        return len(data).to_bytes(4, "little") + b"".join(point.pack(row[-1], *row[:-1]) for row in data)

    return _Type(number, kind, read, write)


def _read_font(reader: ArrayReader) -> tuple[bytes, int, int, bytes]:
    weight, style = int.from_bytes(reader.take(2), "little"), reader.byte()
    return reader.text(), weight, style, reader.text()


def _write_font(data: Any) -> bytes:
    family, weight, style, face = data
    return int(weight).to_bytes(2, "little") + bytes((style,)) + _text(family) + _text(face)


_TYPES = (
    _Type(0x02, "String", ArrayReader.text, _text),
    _Type(0x03, "Bool", lambda reader: reader.byte() != 0, lambda data: bytes((bool(data),))),
    _record(0x04, "Int32", "<i"),
    _record(0x05, "Float32", "<f"),
    _record(0x06, "Float64", "<d"),
    _record(0x09, "UDim", "<fi"),
    _record(0x0A, "UDim2", "<fifi"),
    _record(0x0E, "BrickColor", "<I"),
    _record(0x0F, "Color3", "<3f"),
    _record(0x10, "Vector2", "<2f"),
    _record(0x11, "Vector3", "<3f"),
    _Type(0x14, "CFrame", _read_frame, _write_frame),
    _Type(
        0x15,
        "EnumItem",
        lambda reader: (as_text(reader.text()), reader.word()),
        lambda data: _text(as_bytes(data[0])) + int(data[1]).to_bytes(4, "little"),
    ),
    _sequence(0x17, "NumberSequence", 3),
    _sequence(0x19, "ColorSequence", 5),
    _record(0x1B, "NumberRange", "<2f"),
    _record(0x1C, "Rect", "<4f"),
    _Type(0x21, "Font", _read_font, _write_font),
)
_BY_NUMBER = {each.number: each for each in _TYPES}
_BY_KIND = {each.kind: each for each in _TYPES}
