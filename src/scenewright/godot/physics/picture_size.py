"""Width and height of a picture out of the first bytes of its file."""

from __future__ import annotations

import re
import struct

__all__ = ["picture_size"]

_SVG_SIDE = r'<svg\b[^>]*?\s{side}="([0-9.]+)(?:px)?"'


def picture_size(data: bytes) -> tuple[float, float] | None:
    """The size in pixels of a PNG, JPEG, WebP, BMP or SVG; None where it cannot be told."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return _floats(struct.unpack(">II", data[16:24]))
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return (float(width), float(abs(height)))
    return _svg(data[:4096].decode("utf-8", "replace"))


def _jpeg(data: bytes) -> tuple[float, float] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return (float(width), float(height))
        at += 2 + length
    return None


def _webp(data: bytes) -> tuple[float, float] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return (float(int.from_bytes(data[24:27], "little") + 1), float(int.from_bytes(data[27:30], "little") + 1))
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (float((bits & 0x3FFF) + 1), float((bits >> 14 & 0x3FFF) + 1))
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return (float(width & 0x3FFF), float(height & 0x3FFF))
    return None


def _svg(text: str) -> tuple[float, float] | None:
    sides = [re.search(_SVG_SIDE.replace("{side}", side), text) for side in ("width", "height")]
    if sides[0] is None or sides[1] is None:
        return None
    return (float(sides[0][1]), float(sides[1][1]))


def _floats(numbers: tuple[int, ...]) -> tuple[float, float]:
    return (float(numbers[0]), float(numbers[1]))
