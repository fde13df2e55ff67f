"""A sprite as Aseprite keeps it: layers with cels over frames, tags, slices, tile sets and palettes.

Values only. `aseprite_reader` makes one of a file, `aseprite_writer` a file of one, `rendering` pictures.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Any

import msgspec

__all__ = [
    "BLEND_MODES",
    "DIRECTIONS",
    "Cel",
    "Color",
    "ColorMode",
    "Layer",
    "LayerKind",
    "Pair",
    "Rect",
    "Slice",
    "SliceKey",
    "Sprite",
    "Tag",
    "TileCodes",
    "Tileset",
    "UserData",
]

Color = tuple[int, int, int, int]
Rect = tuple[int, int, int, int]
Pair = tuple[int, int]

BLEND_MODES = (
    "normal",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "color_dodge",
    "color_burn",
    "hard_light",
    "soft_light",
    "difference",
    "exclusion",
    "hsl_hue",
    "hsl_saturation",
    "hsl_color",
    "hsl_luminosity",
    "addition",
    "subtract",
    "divide",
)
DIRECTIONS = ("forward", "reverse", "pingpong", "pingpong_reverse")


class ColorMode(IntEnum):
    """Bits of a pixel, as the header says them."""

    INDEXED = 8
    GRAYSCALE = 16
    RGBA = 32

    @property
    def bytes(self) -> int:
        return self.value // 8


class LayerKind(StrEnum):
    IMAGE = "image"
    GROUP = "group"
    TILEMAP = "tilemap"


class UserData(msgspec.Struct, frozen=True):
    """What a person or an extension wrote to a part of a sprite."""

    text: str = ""
    color: Color | None = None
    properties: dict[int, dict[str, Any]] = {}


class Layer(msgspec.Struct):
    """A layer; its cels are in the sprite, by frame."""

    name: str
    kind: LayerKind = LayerKind.IMAGE
    level: int = 0  # how many groups it lies in
    visible: bool = True
    background: bool = False
    reference: bool = False
    flags: int = 3
    blend: str = "normal"
    opacity: int = 255
    tileset: int | None = None  # index into the sprite's tile sets
    parent: int | None = None  # index of its group
    data: UserData = UserData()


class TileCodes(msgspec.Struct, frozen=True):
    """Which bits of a tile say what."""

    number: int = 0x1FFFFFFF
    mirrored: int = 0x20000000
    upside_down: int = 0x40000000
    transposed: int = 0x80000000


class Cel(msgspec.Struct):
    """What a layer shows in a frame; pixels or tiles stay packed until somebody looks."""

    x: int
    y: int
    width: int  # in pixels, or in tiles
    height: int
    packed: bytes
    compressed: bool = True
    opacity: int = 255
    z_index: int = 0
    tiles: TileCodes | None = None
    linked_to: int | None = None  # the frame whose picture this is
    data: UserData = UserData()


class Tag(msgspec.Struct):
    """Frames with a name; `repeat` 0 is for ever."""

    name: str
    first: int
    last: int
    direction: str = "forward"
    repeat: int = 0
    color: Color = (0, 0, 0, 255)
    data: UserData = UserData()

    def order(self) -> list[int]:
        """Return the frames of one round, in the order they are shown."""
        frames = list(range(self.first, self.last + 1))
        if self.direction in ("reverse", "pingpong_reverse"):
            frames.reverse()
        return frames + frames[-2:0:-1] if self.direction.startswith("pingpong") else frames


class SliceKey(msgspec.Struct, frozen=True):
    """Where a slice is from a frame on."""

    frame: int
    bounds: Rect
    center: Rect | None = None
    pivot: Pair | None = None


class Slice(msgspec.Struct):
    name: str
    keys: list[SliceKey]
    data: UserData = UserData()

    def at(self, frame: int) -> SliceKey | None:
        """Return where it is in a frame; None where it has not begun or is hidden."""
        key = next((key for key in reversed(self.keys) if key.frame <= frame), None)
        return key if key is not None and min(key.bounds[2:]) > 0 else None


class Tileset(msgspec.Struct):
    """Tiles of one size below one another; without pixels where they are in another file."""

    id: int
    name: str
    count: int
    width: int
    height: int
    packed: bytes | None
    base_index: int = 1
    first_is_empty: bool = True
    data: UserData = UserData()
    tile_data: dict[int, UserData] = {}


class Sprite(msgspec.Struct):
    width: int
    height: int
    mode: ColorMode = ColorMode.RGBA
    durations: list[int] = []  # milliseconds
    layers: list[Layer] = []  # as the file lists them: a group, then what is in it, from below upward
    cels: list[dict[int, Cel]] = []  # by frame, then by layer
    tags: list[Tag] = []
    slices: list[Slice] = []
    tilesets: list[Tileset] = []
    palettes: dict[int, list[Color]] = {}  # from which frame on
    transparent_index: int = 0
    pixel_ratio: Pair = (1, 1)
    grid: Rect = (0, 0, 0, 0)
    groups_blend: bool = False  # groups are put together first, then blended as one
    color_profile: str = "none"
    external_files: dict[int, str] = {}
    data: UserData = UserData()

    def palette(self, frame: int = 0) -> list[Color]:
        """Return the colours that hold in a frame."""
        changes = [at for at in self.palettes if at <= frame]
        return self.palettes[max(changes)] if changes else []

    def shown(self, index: int) -> bool:
        """Say whether a layer and all groups around it are visible."""
        at: int | None = index
        while at is not None:
            if not self.layers[at].visible:
                return False
            at = self.layers[at].parent
        return True

    def path(self, index: int) -> str:
        """Return a layer's name with those of its groups: `body/arm`."""
        names = []
        at: int | None = index
        while at is not None:
            names.append(self.layers[at].name)
            at = self.layers[at].parent
        return "/".join(reversed(names))
