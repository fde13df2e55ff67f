"""Palettes of a file, of three ages: the new chunk has alpha, and where it is there the old ones do not count."""

from __future__ import annotations

from collections.abc import Sequence

from scenewright.pixel.byte_reader import ByteReader, damaged
from scenewright.pixel.sprite import Color

__all__ = ["Palettes"]

_MOST_COLORS = 65536
_BLACK: Color = (0, 0, 0, 255)
_WIDE = [min(value, 63) << 2 | min(value, 63) >> 4 for value in range(256)]


class Palettes:
    """Palettes as chunks change them, frame by frame."""

    def __init__(self) -> None:
        self._old: dict[int, list[Color]] = {}
        self._new: dict[int, list[Color]] = {}

    def by_frame(self) -> dict[int, list[Color]]:
        """Return the colours by the frame from which they hold."""
        return self._new or self._old

    def new(self, chunk: ByteReader, frame: int) -> int:
        """Read a chunk of today; return how many colours there are now, as all three do."""
        size, first, last = chunk.u32(), chunk.u32(), chunk.u32()
        chunk.skip(8)
        if size > _MOST_COLORS or (size and not first <= last < size):
            raise damaged(f"frame {frame} has a palette of {size} colours with {first} to {last} changed")
        colors = _resized(_latest(self._new), size)
        for at in range(first, last + 1) if size else ():
            named = chunk.u16() & 1
            colors[at] = chunk.color()
            if named:
                chunk.text()
        self._new[frame] = colors
        return len(colors)

    def old(self, chunk: ByteReader, frame: int) -> int:
        """Read a chunk with 8 bits a channel."""
        self._old[frame] = _packets(chunk, _latest(self._old), range(256))
        return len(self._old[frame])

    def oldest(self, chunk: ByteReader, frame: int) -> int:
        """Read a chunk with 6 bits a channel."""
        self._old[frame] = _packets(chunk, _latest(self._old), _WIDE)
        return len(self._old[frame])


def _latest(palettes: dict[int, list[Color]]) -> list[Color]:
    return next(reversed(palettes.values()), [])  # frames come one after another


def _resized(colors: list[Color], size: int) -> list[Color]:
    return colors[:size] + [_BLACK] * (size - len(colors))


def _packets(chunk: ByteReader, before: list[Color], wide: Sequence[int]) -> list[Color]:
    colors = list(before)
    at = 0
    for _ in range(chunk.u16()):
        at += chunk.u8()
        count = chunk.u8() or 256
        colors = _resized(colors, max(len(colors), min(at + count, 256)))
        for number in range(at, at + count):
            red, green, blue = chunk.raw(3)
            if number < 256:
                colors[number] = (wide[red], wide[green], wide[blue], 255)
        at += count
    return colors
