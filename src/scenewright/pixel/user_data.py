"""User data of a sprite's parts: text, colour, and the properties that extensions keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenewright.pixel.byte_reader import ByteReader, damaged
from scenewright.pixel.sprite import UserData

__all__ = ["read_user_data"]

_NUMBERS = {2: "b", 3: "B", 4: "h", 5: "H", 6: "i", 7: "I", 8: "q", 9: "Q", 11: "f", 12: "d"}
_INTEGERS = {14: 2, 15: 2, 16: 4}  # point, size, rectangle
_DEEPEST = 32


def read_user_data(reader: ByteReader, count: Callable[[int], None]) -> UserData:
    """Read a user data chunk; `count` is told of each value, and may refuse any more."""
    flags = reader.u32()
    text = reader.text() if flags & 1 else ""
    color = reader.color() if flags & 2 else None
    return UserData(text, color, _Properties(reader, count).maps() if flags & 4 else {})


class _Properties:
    """Properties of extensions, each value counted."""

    def __init__(self, reader: ByteReader, count: Callable[[int], None]) -> None:
        size = reader.u32()
        self._reader = reader.part(max(size - 4, 0), "user data")
        self._count = count

    def maps(self) -> dict[int, dict[str, Any]]:
        return {self._reader.u32(): self._properties(0) for _ in range(self._reader.u32())}

    def _properties(self, depth: int) -> dict[str, Any]:
        _check_depth(depth)
        self._count(1)
        properties = {}
        for _ in range(self._reader.u32()):
            name = self._reader.text()
            properties[name] = self._value(self._reader.u16(), depth)
        return properties

    def _value(self, kind: int, depth: int) -> Any:
        self._count(1)
        reader = self._reader
        if kind in _NUMBERS:
            return reader.number(_NUMBERS[kind])
        if kind in _INTEGERS:
            return [reader.i32() for _ in range(_INTEGERS[kind])]
        match kind:
            case 1:
                return reader.u8() != 0
            case 10:
                return reader.i32() / 65536
            case 13:
                return reader.text()
            case 17:
                return self._vector(depth + 1)
            case 18:
                return self._properties(depth + 1)
            case 19:
                return reader.raw(16).hex()
            case _:
                raise damaged(f"user data has a value of the unknown kind {kind}")

    def _vector(self, depth: int) -> list[Any]:
        _check_depth(depth)
        count, kind = self._reader.u32(), self._reader.u16()
        return [self._value(kind or self._reader.u16(), depth) for _ in range(count)]


def _check_depth(depth: int) -> None:
    if depth > _DEEPEST:
        raise damaged(f"user data is nested more than {_DEEPEST} deep")
