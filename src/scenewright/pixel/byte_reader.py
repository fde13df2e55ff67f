"""Little-endian values out of bytes that may lie about what follows: whatever is missing is a clear fault."""

from __future__ import annotations

import struct

from scenewright.core.faults import Invalid

__all__ = ["ByteReader", "damaged"]

_INT16 = struct.Struct("<h")
_INT32 = struct.Struct("<i")


def damaged(what: str) -> Invalid:
    """Return the fault of a file that is not what it says."""
    return Invalid(
        f"The file is damaged or no Aseprite file: {what}.",
        rule="format",
        hint="Open it in Aseprite and save it again, or get a whole copy.",
    )


class ByteReader:
    """A place in bytes that moves on with each value; `part` says what is being read, for faults."""

    def __init__(self, data: bytes | memoryview, part: str) -> None:
        self._data = memoryview(data)
        self._at = 0
        self._part = part

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def raw(self, count: int) -> bytes:
        """Return so many bytes.

        Raises:
            Invalid: there are fewer.
        """
        return bytes(self._take(count))

    def rest(self) -> bytes:
        return self.raw(self.left)

    def part(self, count: int, name: str) -> ByteReader:
        """Return a reader of the next bytes alone."""
        return ByteReader(self._take(count), name)

    def skip(self, count: int) -> None:
        self._take(count)

    def u8(self) -> int:
        return self._take(1)[0]

    def u16(self) -> int:
        return int.from_bytes(self._take(2), "little")

    def u32(self) -> int:
        return int.from_bytes(self._take(4), "little")

    def i16(self) -> int:
        return int(_INT16.unpack(self._take(2))[0])

    def i32(self) -> int:
        return int(_INT32.unpack(self._take(4))[0])

    def number(self, form: str) -> float | int:
        """Return a number of a form that `struct` knows."""
        value: float | int = struct.unpack(f"<{form}", self._take(struct.calcsize(form)))[0]
        return value

    def text(self) -> str:
        return self.raw(self.u16()).decode("utf-8", "replace")

    def color(self) -> tuple[int, int, int, int]:
        red, green, blue, alpha = self._take(4)
        return red, green, blue, alpha

    def _take(self, count: int) -> memoryview:
        if count > self.left:
            raise damaged(f"{self._part} ends {count - self.left} bytes too early")
        taken = self._data[self._at : self._at + count]
        self._at += count
        return taken
