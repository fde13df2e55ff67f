"""The demo's pictures and sounds, made from text, so that the demo needs no files of its own."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence

__all__ = ["coin_sheet", "hero_sheet", "ping", "tile_sheet"]

Pixel = tuple[int, int, int, int]
_COLOURS: dict[str, Pixel] = {
    ".": (0, 0, 0, 0),
    "h": (94, 53, 28, 255),  # hair
    "s": (244, 196, 152, 255),  # skin
    "e": (24, 20, 37, 255),  # eyes, boots
    "r": (200, 62, 77, 255),  # shirt
    "b": (52, 90, 152, 255),  # trousers
    "y": (255, 208, 64, 255),  # gold
    "o": (214, 144, 34, 255),  # gold in the shade
    "w": (255, 246, 190, 255),  # where it shines
    "g": (88, 172, 84, 255),  # grass
    "G": (58, 130, 66, 255),
    "d": (134, 90, 58, 255),  # earth
    "D": (108, 70, 46, 255),
    "k": (120, 124, 140, 255),  # stone
    "K": (92, 96, 112, 255),
}
_HERO_BODY = """
.....hhhhhh.....
....hhhhhhhh....
....hsssssss....
....sessses.....
....ssssssss....
.....ssssss.....
....rrrrrrrr....
...rrrrrrrrrr...
...srrrrrrrrs...
...s.rrrrrr.s...
.....bbbbbb.....
.....bbbbbb.....
"""
_HERO_LEGS = (
    """
.....bb..bb.....
.....bb..bb.....
.....ee..ee.....
................
""",
    """
....bbb..bb.....
...bb.....bb....
...ee.....eee...
................
""",
    """
.....bbbbb......
......bbb.......
......eee.......
................
""",
    """
.....bb..bbb....
....bb.....bb...
...eee.....ee...
................
""",
)
_COIN = """
................
................
.....yyyyyy.....
....ywwyyyyo....
...ywwyyyyyyo...
...ywyyyyyyyo...
...yyyyooyyyo...
...yyyyooyyyo...
...yyyyooyyyo...
...yyyyooyyyo...
...yyyyyyyyyo...
...yyyyyyyyyo...
....yyyyyyoo....
.....oooooo.....
................
................
"""


def hero_sheet() -> bytes:
    """Return a sheet of four frames beside each other: standing, and three of a walk."""
    body = _rows(_HERO_BODY)
    return _png(_join_frames([body + _rows(legs) for legs in _HERO_LEGS]))


def coin_sheet() -> bytes:
    """Return a coin that turns: four frames, ever narrower."""
    coin = _rows(_COIN)
    return _png(_join_frames([[_squeeze_row(row, width) for row in coin] for width in (16, 10, 4, 10)]))


def tile_sheet() -> bytes:
    """Return a sheet of three tiles: grass on earth, earth, stone."""
    grass = [_speckle_row("gG" if y < 4 else "dD", y) for y in range(16)]
    earth = [_speckle_row("dD", y + 16) for y in range(16)]
    stone = ["K" * 16 if y % 8 == 7 else _brick(y) for y in range(16)]
    return _png(_join_frames([grass, earth, stone]))


def ping() -> bytes:
    """Return a short, bright tone, as a WAV of 16 bits."""
    rate, seconds = 22050, 0.18
    samples = []
    for at in range(int(rate * seconds)):
        time = at / rate
        pitch = 988.0 if time < 0.06 else 1319.0
        samples.append(int(12000 * math.sin(2 * math.pi * pitch * time) * math.exp(-time * 14)))
    data = struct.pack(f"<{len(samples)}h", *samples)
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        36 + len(data),
        b"WAVE",
        b"fmt ",
        16,
        1,
        1,
        rate,
        rate * 2,
        2,
        16,
        b"data",
        len(data),
    )
    return head + data


def _rows(drawing: str) -> list[str]:
    return drawing.strip("\n").split("\n")


def _join_frames(frames: Sequence[Sequence[str]]) -> list[str]:
    return ["".join(parts) for parts in zip(*frames, strict=True)]


def _squeeze_row(row: str, width: int) -> str:
    narrow = "".join(row[int((at + 0.5) * 16 / width)] for at in range(width))
    return narrow.center(16, ".")


def _speckle_row(colours: str, seed: int) -> str:
    return "".join(colours[(at * 7 + seed * 13 + at * seed) % 5 == 0] for at in range(16))


def _brick(y: int) -> str:
    seam = 3 if y < 8 else 11
    return "".join("K" if at == seam else "k" for at in range(16))


def _png(rows: Sequence[str]) -> bytes:
    raw = b"".join(b"\0" + bytes(part for letter in row for part in _COLOURS[letter]) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
