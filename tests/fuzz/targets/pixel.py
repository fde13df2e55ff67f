"""Aseprite files: read, drawn, and written again."""

from __future__ import annotations

import struct

from tests.fuzz.target import Target
from tests.pixel.sprites import RED, cel, chunk, file_of, plain, with_chunks

from scenewright.core.faults import Fault
from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import write_sprite
from scenewright.pixel.rendering import Renderer


def _aseprite(data: bytes) -> None:
    """A sprite that can be written shows the same when it is read again."""
    sprite = read_sprite(data)
    if sprite.width * sprite.height > 1 << 20:
        return  # which takes its time for good reasons
    pictures = [Renderer(sprite).frame(number).tobytes() for number in range(min(3, len(sprite.durations)))]
    try:
        again = read_sprite(write_sprite(sprite))
    except Fault:
        return  # not all that is read can be written
    assert [Renderer(again).frame(number).tobytes() for number in range(len(pictures))] == pictures


def _seeds() -> tuple[bytes, ...]:
    sprite = plain(frames=2)
    sprite.cels[0][0] = cel(RED, size=(2, 2))
    layer = chunk(0x2004, struct.pack("<HHHHHHBxxx", 3, 0, 0, 0, 0, 0, 255) + struct.pack("<H", 1) + b"a")
    picture = chunk(0x2005, struct.pack("<HhhBHh5x", 0, 0, 0, 255, 0, 0) + struct.pack("<HH", 2, 2) + bytes(16))
    tag = chunk(0x2018, struct.pack("<H8x", 1) + struct.pack("<HHBH6xI", 0, 0, 0, 0, 0) + struct.pack("<H", 1) + b"t")
    return write_sprite(sprite), file_of(with_chunks(layer, picture, tag))


_CHUNKS = tuple(
    struct.pack("<H", kind) for kind in (0x2004, 0x2005, 0x2006, 0x2007, 0x2018, 0x2019, 0x2020, 0x2022, 0x2023)
)

TARGETS = (Target("pixel.aseprite", _aseprite, _seeds, files=(".aseprite",), words=_CHUNKS),)
