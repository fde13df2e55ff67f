"""The engine's binary form of values, as its debugger sends them: little-endian, in steps of four bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

from scenewright.godot.classes.variant import VARIANT_TYPES
from scenewright.godot.documents import variant as v

__all__ = ["MalformedVariant", "decode", "encode"]

_WIDE = 1 << 16  # 64 bits instead of 32; of an object, that only its id follows
_MOST_DEPTH = 64


class MalformedVariant(ValueError):
    """The bytes are not what the engine writes."""


def encode(value: Any) -> bytes:
    """Encode a value of the kinds that a debugger sends: nothing, bool, int, float, text, and lists of them."""
    if value is None:
        return struct.pack("<I", 0)
    if isinstance(value, bool):
        return struct.pack("<II", 1, value)
    if isinstance(value, int):
        # Ids of objects are unsigned; the engine reads the same bits.
        return struct.pack("<Iq", 2 | _WIDE, value - (1 << 64) if value >= 1 << 63 else value)
    if isinstance(value, float):
        return struct.pack("<Id", 3 | _WIDE, value)
    if isinstance(value, str):
        raw = value.encode()
        return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)
    return struct.pack("<II", 28, len(value)) + b"".join(encode(item) for item in value)


def decode(data: bytes) -> Any:
    """Decode a value; untyped arrays become lists, untyped dictionaries `Dictionary`.

    Raises:
        MalformedVariant: the bytes end too early or mean nothing.
    """
    reader = _Reader(data)
    try:
        return reader.value()
    except (struct.error, UnicodeDecodeError, IndexError, OverflowError) as error:
        raise MalformedVariant(str(error)) from None


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._depth = 0

    def value(self) -> Any:
        header = self._read_number("I")
        name = VARIANT_TYPES[header & 0xFF]
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise MalformedVariant("nested too deeply")
        try:
            return self._read_named(name, header)
        finally:
            self._depth -= 1

    def _read_named(self, name: str, header: int) -> Any:
        wide = bool(header & _WIDE)
        if name in v.FLOAT_STRUCTS:
            kind: Any = v.FLOAT_STRUCTS[name]
            return kind(*self._read_numbers("d" if wide else "f", len(kind.__struct_fields__)))
        if name in v.INT_STRUCTS:
            whole: Any = v.INT_STRUCTS[name]
            return whole(*self._read_numbers("i", len(whole.__struct_fields__)))
        if name in v.PACKED_STRUCTS:
            packed, width = v.PACKED_STRUCTS[name]
            return packed(self._read_numbers("d" if wide else "f", self._read_count(4 * width) * width))
        return _READERS[name](self, header)

    def number(self, header: int, narrow: str, wide: str) -> Any:
        return self._read_number(wide if header & _WIDE else narrow)

    def string(self) -> str:
        size = self._read_count(1)
        text = self._data[self._at : self._at + size].decode("utf-8", "replace")
        self._at += size + -size % 4
        return text

    def path(self) -> v.NodePath:
        names, subnames, flags = self._read_number("I") & 0x7FFFFFFF, self._read_number("I"), self._read_number("I")
        if names + subnames > len(self._data):
            raise MalformedVariant("a path of more parts than there are bytes")
        parts = [self.string() for _ in range(names)]
        rest = [self.string() for _ in range(subnames)]
        return v.NodePath(("/" if flags & 1 else "") + "/".join(parts) + "".join(f":{part}" for part in rest))

    def object(self, header: int) -> Any:
        if not header & _WIDE:
            raise MalformedVariant("an object with its properties")
        number = self._read_number("Q")
        return v.Object("EncodedObjectAsID", (("object_id", number),)) if number else None

    def signal(self) -> v.Signal:
        self.string()
        self._read_number("Q")
        return v.Signal()

    def array(self, header: int) -> Any:
        kind = self._read_element_type(header >> 16)
        items = [self.value() for _ in range(self._read_count(4))]
        return items if kind is None else v.Array(tuple(items), kind)

    def dictionary(self, header: int) -> v.Dictionary:
        key, value = self._read_element_type(header >> 16), self._read_element_type(header >> 18)
        entries = tuple((self.value(), self.value()) for _ in range(self._read_count(8)))
        if key is None and value is None:
            return v.Dictionary(entries)
        return v.Dictionary(entries, key or "Variant", value or "Variant")

    def packed_bytes(self) -> v.PackedByteArray:
        size = self._read_count(1)
        data = self._data[self._at : self._at + size]
        self._at += size + -size % 4
        return v.PackedByteArray(data)

    def packed(self, code: str, size: int) -> tuple[Any, ...]:
        return self._read_numbers(code, self._read_count(size))

    def strings(self) -> v.PackedStringArray:
        return v.PackedStringArray(tuple(self.string().rstrip("\0") for _ in range(self._read_count(4))))

    def _read_element_type(self, bits: int) -> str | None:
        """The type of a container's elements, where it has one."""
        match bits & 3:
            case 0:
                return None
            case 1:
                return VARIANT_TYPES[self._read_number("I")]
            case _:
                return self.string()

    def _read_count(self, least: int) -> int:
        """How many there are; more than could be in the bytes that are left is a lie."""
        number = self._read_number("I") & 0x7FFFFFFF
        if number * least > len(self._data) - self._at:
            raise MalformedVariant("more elements than there are bytes")
        return int(number)

    def _read_number(self, code: str) -> Any:
        return self._read_numbers(code, 1)[0]

    def _read_numbers(self, code: str, count: int) -> tuple[Any, ...]:
        numbers = struct.unpack_from(f"<{count}{code}", self._data, self._at)
        self._at += struct.calcsize(f"<{count}{code}")
        return numbers


_READERS: Final[dict[str, Callable[[_Reader, int], Any]]] = {
    "Nil": lambda _, __: None,
    "bool": lambda reader, header: bool(reader.number(header & 0xFF, "I", "I")),
    "int": lambda reader, header: reader.number(header, "i", "q"),
    "float": lambda reader, header: reader.number(header, "f", "d"),
    "String": lambda reader, _: reader.string(),
    "StringName": lambda reader, _: v.StringName(reader.string()),
    "NodePath": lambda reader, _: reader.path(),
    "RID": lambda reader, header: v.RID(reader.number(header | _WIDE, "Q", "Q")),
    "Object": lambda reader, header: reader.object(header),
    "Callable": lambda _, __: v.Callable(),
    "Signal": lambda reader, _: reader.signal(),
    "Array": lambda reader, header: reader.array(header),
    "Dictionary": lambda reader, header: reader.dictionary(header),
    "PackedByteArray": lambda reader, _: reader.packed_bytes(),
    "PackedInt32Array": lambda reader, _: v.PackedInt32Array(reader.packed("i", 4)),
    "PackedInt64Array": lambda reader, _: v.PackedInt64Array(reader.packed("q", 8)),
    "PackedFloat32Array": lambda reader, _: v.PackedFloat32Array(reader.packed("f", 4)),
    "PackedFloat64Array": lambda reader, _: v.PackedFloat64Array(reader.packed("d", 8)),
    "PackedStringArray": lambda reader, _: reader.strings(),
}
