"""Videos of pictures that are JPEG files already: AVI with Motion JPEG, which every player knows. No sound."""

from __future__ import annotations

import struct
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

__all__ = ["VideoWriter"]

_MOST: Final = 2**31  # bytes: as far as one such file goes
_KEYFRAME: Final = 0x10


class VideoWriter:
    """A video that is written picture by picture, of the first one's size; of none there is no file in the end."""

    def __init__(self, place: Path, fps: int) -> None:
        self._place = place
        self._file: BinaryIO = place.open("wb")
        self._fps = fps
        self._size = (0, 0)
        self._sizes: list[int] = []
        self._file.write(self._head())

    def add(self, picture: bytes, width: int, height: int) -> None:
        """Add a JPEG file as the next picture; what has no room any more is left out."""
        if self._file.tell() + len(picture) > _MOST:
            return
        self._size = self._size if self._sizes else (width, height)
        self._file.write(_chunk(b"00dc", picture))
        self._sizes.append(len(picture))

    def close(self) -> None:
        with self._file:
            self._file.write(_chunk(b"idx1", self._index()))
            self._file.seek(0)
            self._file.write(self._head())
        if not self._sizes:
            self._place.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _index(self) -> bytes:
        rows, at = [], 4
        for size in self._sizes:
            rows.append(struct.pack("<4sIII", b"00dc", _KEYFRAME, at, size))
            at += 8 + size + size % 2
        return b"".join(rows)

    def _head(self) -> bytes:
        count, (width, height) = len(self._sizes), self._size
        most = max(self._sizes, default=0)
        pictures = sum(8 + size + size % 2 for size in self._sizes)
        main = struct.pack(
            "<14I", 1_000_000 // self._fps, most * self._fps, 0, _KEYFRAME, count, 0, 1, most, width, height, 0, 0, 0, 0
        )
        rate = struct.pack("<IIIIIII", 1, self._fps, 0, count, most, 2**32 - 1, 0)
        frame = struct.pack("<4H", 0, 0, width, height)
        stream = struct.pack("<4s4sIHHI", b"vids", b"MJPG", 0, 0, 0, 0) + rate + frame
        form = struct.pack("<IiiHH4sIiiII", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0)
        streams = _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", form))
        headers = _list(b"hdrl", _chunk(b"avih", main) + streams)
        movie = struct.pack("<4sI4s", b"LIST", 4 + pictures, b"movi")
        whole = 4 + len(headers) + len(movie) + pictures + 8 + 16 * count
        return struct.pack("<4sI4s", b"RIFF", whole, b"AVI ") + headers + movie


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", name, len(content)) + content + b"\0" * (len(content) % 2)


def _list(name: bytes, content: bytes) -> bytes:
    return _chunk(b"LIST", name + content)
