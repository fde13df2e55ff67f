"""A small hero as an Aseprite file: two layers in a group, two tags, a slice."""

from __future__ import annotations

from scenewright.pixel.aseprite_writer import pack_pixels, write_sprite
from scenewright.pixel.sprite import Cel, Layer, LayerKind, Slice, SliceKey, Sprite, Tag, UserData

__all__ = ["BLUE", "RED", "hero"]

RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)


def _cel(color: tuple[int, ...], x: int, size: tuple[int, int]) -> Cel:
    return Cel(x, 0, *size, pack_pixels(bytes(color) * (size[0] * size[1])))


def hero() -> bytes:
    """A red body of 2 x 4, and a hidden blue cape right of it that moves on by a pixel a frame."""
    return write_sprite(
        Sprite(
            8,
            4,
            durations=[100, 150, 150, 200],
            layers=[
                Layer("Body"),
                Layer("Clothes", LayerKind.GROUP),
                Layer("Cape", level=1, parent=1, visible=False, opacity=200, blend="multiply", data=UserData("wind")),
            ],
            cels=[{0: _cel(RED, at, (2, 4)), 2: _cel(BLUE, at + 2, (1, 1))} for at in range(4)],
            tags=[Tag("idle", 0, 0), Tag("walk/run", 1, 3, "pingpong", 2, data=UserData("fast"))],
            slices=[Slice("hit", [SliceKey(0, (0, 0, 4, 4), (1, 1, 2, 2), (2, 3))])],
        )
    )
