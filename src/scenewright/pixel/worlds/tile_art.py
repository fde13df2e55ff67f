"""Draws the tile sheet of a theme: for each terrain its 47 tiles and one with more on it, and water and bridges.

A tile's edge is where its terrain ends; what lies below it shows through. Textures and edges repeat with every tile,
so that any two that may lie side by side fit.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

import msgspec

from scenewright.pixel.colors import CLEAR, mixed
from scenewright.pixel.sprite import Color
from scenewright.pixel.worlds.autotiling import FULL, MASKS, PEERING
from scenewright.pixel.worlds.specs import ROLES, Role
from scenewright.pixel.worlds.themes import Look, Theme

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["BRIDGES", "TERRAINS", "WATERS", "SheetPlan", "draw_sheet", "plan_sheet"]

TERRAINS: tuple[Role, ...] = ROLES[1:]
WATERS = 4  # that stop a body; as many again lie under shores and bridges
BRIDGES = 2
_TILES = len(MASKS) + 1
_WOOD: tuple[Color, Color, Color] = ((150, 106, 62, 255), (176, 130, 80, 255), (104, 70, 40, 255))
_Pixels = list[list[Color]]
_Inside = tuple[tuple[bool, ...], ...]


class SheetPlan(msgspec.Struct, frozen=True):
    """Where the tiles of each kind lie on a sheet."""

    tile: int
    columns: int
    rows: int

    def at(self, number: int) -> tuple[int, int]:
        return number % self.columns, number // self.columns

    def water(self, number: int, *, solid: bool) -> tuple[int, int]:
        return self.at(number % WATERS + (0 if solid else WATERS))

    def bridge(self, *, upright: bool) -> tuple[int, int]:
        """Return the tile of a bridge, which lies in the row below the waters where it has no room beside them."""
        return self.at(2 * WATERS + int(upright))

    def terrain(self, number: int, tile: int) -> tuple[int, int]:
        """Return a tile of a terrain; 47 is the full one with more on it."""
        return self.at(self._first + number * self._room + tile)

    @property
    def _first(self) -> int:
        return -(-(2 * WATERS + BRIDGES) // self.columns) * self.columns

    @property
    def _room(self) -> int:
        return -(-_TILES // self.columns) * self.columns


def plan_sheet(tile: int, columns: int, least_rows: int = 1) -> SheetPlan:
    """Return the plan of a sheet for all terrains."""
    room = -(-(2 * WATERS + BRIDGES) // columns) + len(TERRAINS) * -(-_TILES // columns)
    return SheetPlan(tile, columns, max(room, least_rows))


def draw_sheet(theme: Theme, plan: SheetPlan, seed: int) -> Image:
    """Return the sheet of a theme; the same seed draws the same."""
    from PIL import Image

    size = plan.tile
    sheet = Image.new("RGBA", (plan.columns * size, plan.rows * size))

    def paste(pixels: _Pixels, at: tuple[int, int]) -> None:
        data = bytes(part for row in pixels for color in row for part in color)
        sheet.paste(Image.frombytes("RGBA", (size, size), data), (at[0] * size, at[1] * size))

    for number in range(WATERS):
        texture = _texture(theme.looks["water"], size, Random(f"{seed}:water:{number}"))
        paste(texture, plan.water(number, solid=True))
        paste(texture, plan.water(number, solid=False))
    for upright in (False, True):
        paste(_bridge(size, upright=upright), plan.bridge(upright=upright))
    for number, role in enumerate(TERRAINS):
        look = theme.looks[role]
        texture = _texture(look, size, Random(f"{seed}:{role}"))
        for tile, mask in enumerate(MASKS):
            paste(_tile(texture, look, mask, tall=role == "rock"), plan.terrain(number, tile))
        paste(_strewn(texture, look, Random(f"{seed}:{role}:more")), plan.terrain(number, len(MASKS)))
    return sheet


def _texture(look: Look, size: int, chance: Random) -> _Pixels:
    """The ground of a terrain, with what it is strewn with kept away from the tile's edges."""
    pixels = [[look.base] * size for _ in range(size)]
    amount = size * size // {"tufts": 28, "waves": 40, "cracks": 36}.get(look.pattern, 18)
    for _ in range(max(amount, 2)):
        x, y = 1 + chance.randrange(size - 2), 1 + chance.randrange(size - 2)
        color = look.light if chance.random() < 0.5 else look.dark
        for dx, dy in _strokes(look.pattern, chance):
            if 0 < x + dx < size - 1 and 0 < y + dy < size - 1:
                pixels[y + dy][x + dx] = color
    return pixels


def _strokes(pattern: str, chance: Random) -> tuple[tuple[int, int], ...]:
    if pattern == "tufts":
        return ((0, 0), (0, -1), (1, 0)) if chance.random() < 0.5 else ((0, 0), (0, -1))
    if pattern == "waves":
        return ((0, 0), (1, 0), (2, 0)) if chance.random() < 0.6 else ((0, 0), (1, 0))
    if pattern == "cracks":
        return ((0, 0), (1, 0), (1, 1)) if chance.random() < 0.5 else ((0, 0), (0, 1))
    return ((0, 0),)


def _strewn(texture: _Pixels, look: Look, chance: Random) -> _Pixels:
    """A full tile with more on it: flowers on green, stones elsewhere."""
    pixels = [list(row) for row in texture]
    size = len(pixels)
    for _ in range(max(size // 6, 2)):
        x, y = 2 + chance.randrange(size - 4), 2 + chance.randrange(size - 4)
        if look.pattern == "tufts":
            petals = chance.choice(((246, 236, 196, 255), (238, 178, 74, 255), (226, 120, 128, 255)))
            for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1)):
                pixels[y + dy][x + dx] = petals
            pixels[y][x] = (252, 220, 90, 255)
        else:
            pixels[y][x], pixels[y][x + 1] = look.light, look.light
            pixels[y + 1][x], pixels[y + 1][x + 1] = look.dark, look.edge
    return pixels


def _tile(texture: _Pixels, look: Look, mask: int, *, tall: bool) -> _Pixels:
    """The texture cut off where the mask has no neighbour, with an edge around it."""
    if mask == FULL:
        return texture
    size = len(texture)
    inside = _inside(size, mask)
    rim = look.light if tall else mixed(look.edge, look.dark, 40)
    cliff = max(size // 5, 2) if tall and not mask >> PEERING.index("bottom_side") & 1 else 1
    pixels = []
    for y in range(size):
        row = []
        for x in range(size):
            if not inside[y][x]:
                row.append(CLEAR)
            elif any(not _goes_on(inside, x, y + drop) for drop in range(1, cliff + 1)):
                row.append(look.edge)
            elif any(not _goes_on(inside, x + dx, y + dy) for dx, dy in ((-1, 0), (1, 0), (0, -1))):
                row.append(rim)
            else:
                row.append(texture[y][x])
        pixels.append(row)
    return pixels


def _goes_on(inside: _Inside, x: int, y: int) -> bool:
    """Whether a pixel is the terrain's; beyond the tile it goes on as at its edge."""
    last = len(inside) - 1
    return inside[min(max(y, 0), last)][min(max(x, 0), last)]


@lru_cache(maxsize=4 * len(MASKS))
def _inside(size: int, mask: int) -> _Inside:
    """Which pixels lie inside of the terrain, whose edge stays a little away from open sides."""
    inset = max(size // 8, 1)
    has = {name: bool(mask >> bit & 1) for bit, name in enumerate(PEERING)}
    rows = [[True] * size for _ in range(size)]
    for place in range(size):
        depth = inset + _waver(place, size)
        for near in range(depth):
            rows[near][place] &= has["top_side"]
            rows[size - 1 - near][place] &= has["bottom_side"]
            rows[place][near] &= has["left_side"]
            rows[place][size - 1 - near] &= has["right_side"]
    for corner, flip_x, flip_y in (
        ("top_left", False, False),
        ("top_right", True, False),
        ("bottom_left", False, True),
        ("bottom_right", True, True),
    ):
        side, flank = corner.split("_")
        sides = (has[f"{side}_side"], has[f"{flank}_side"])
        for across, down in _cut_corner(size, inset, sides, has_corner=has[f"{corner}_corner"]):
            rows[size - 1 - down if flip_y else down][size - 1 - across if flip_x else across] = False
    return tuple(map(tuple, rows))


def _cut_corner(size: int, inset: int, sides: tuple[bool, bool], *, has_corner: bool) -> list[tuple[int, int]]:
    """The pixels that a corner lacks: an outer one is round, an inner one has a small bite."""
    reach = max(size // 4, 2) + inset
    places = [(across, down) for across in range(reach) for down in range(reach)]
    if not any(sides):
        return [(x, y) for x, y in places if (reach - x) ** 2 + (reach - y) ** 2 > (reach - 1) ** 2]
    if all(sides) and not has_corner:
        return [(x, y) for x, y in places if x**2 + y**2 < (inset + 1) ** 2]
    return []


def _waver(along: int, size: int) -> int:
    """How much an edge moves in at a place; nothing at a tile's ends, so that edges meet."""
    part = along * 16 // size
    return 1 if part in (3, 4, 5, 10, 11) else 0


def _bridge(size: int, *, upright: bool) -> _Pixels:
    """Planks across the way, with a rail on each side."""
    base, light, dark = _WOOD
    pixels = []
    for y in range(size):
        row = []
        for x in range(size):
            along, across = (y, x) if upright else (x, y)
            if across in (0, size - 1) or along % max(size // 4, 2) == 0:
                row.append(dark)
            else:
                row.append(light if along % max(size // 4, 2) == 1 else base)
        pixels.append(row)
    return pixels
