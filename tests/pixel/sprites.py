"""Small sprites made by the tests, and the chunks of files that lie."""

from __future__ import annotations

import struct

from scenewright.pixel.aseprite_writer import pack_pixels
from scenewright.pixel.sprite import Cel, Layer, Sprite

__all__ = ["RED", "cel", "chunk", "file_of", "plain", "with_chunks"]

RED = (255, 0, 0, 255)


def cel(
    color: tuple[int, ...],
    *,
    x: int = 0,
    y: int = 0,
    size: tuple[int, int] = (1, 1),
    opacity: int = 255,
    z_index: int = 0,
) -> Cel:
    return Cel(x, y, *size, pack_pixels(bytes(color) * (size[0] * size[1])), opacity=opacity, z_index=z_index)


def plain(frames: int = 1, layers: tuple[str, ...] = ("Body",), size: tuple[int, int] = (4, 4)) -> Sprite:
    """A sprite without anything in it."""
    return Sprite(
        *size, durations=[100] * frames, layers=[Layer(name) for name in layers], cels=[{} for _ in range(frames)]
    )


def chunk(kind: int, data: bytes, size: int | None = None) -> bytes:
    return struct.pack("<IH", len(data) + 6 if size is None else size, kind) + data


def file_of(*frames: bytes, size: tuple[int, int] = (4, 4), depth: int = 32, count: int | None = None) -> bytes:
    head = struct.pack("<IHHHHHIH", 0, 0xA5E0, len(frames) if count is None else count, *size, depth, 1, 100)
    return head.ljust(128, b"\0") + b"".join(frames)


def with_chunks(*chunks: bytes, count: int | None = None) -> bytes:
    """A frame."""
    inside = b"".join(chunks)
    number = len(chunks) if count is None else count
    return struct.pack("<IHHH2xI", 16 + len(inside), 0xF1FA, 0, 100, number) + inside
