"""The shape of a tile by the grid it is on, and which sides and corners its terrain can match at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenewright.core.faults import Invalid, did_you_mean
from scenewright.godot.assets.images.outlines import Polygon
from scenewright.godot.tiles.coords import Pair
from scenewright.godot.tiles.tileset import TileSetView

__all__ = ["PEERING_BITS", "full_polygon", "peering_bits", "read_peering"]

SQUARE, ISOMETRIC, HALF_OFFSET, HEXAGON = range(4)
# In the engine's order, which is also that of its numbers.
PEERING_BITS = (
    "right_side",
    "right_corner",
    "bottom_right_side",
    "bottom_right_corner",
    "bottom_side",
    "bottom_corner",
    "bottom_left_side",
    "bottom_left_corner",
    "left_side",
    "left_corner",
    "top_left_side",
    "top_left_corner",
    "top_side",
    "top_corner",
    "top_right_side",
    "top_right_corner",
)
_STRAIGHT = ("right", "bottom", "left", "top")
_SLANTED = ("bottom_right", "bottom_left", "top_left", "top_right")
_MODES = ("", "_corner", "_side")


def full_polygon(view: TileSetView, region: Pair) -> Polygon:
    """Return the whole tile around its centre: what is drawn of it on a square grid, else the cell's own shape."""
    shape = view.number("tile_shape")
    if shape in (SQUARE, HALF_OFFSET):
        x, y = region[0] / 2, region[1] / 2
        return [(-x, -y), (x, -y), (x, y), (-x, y)]
    width, height = view.tile_size
    if shape == ISOMETRIC:
        corners: Polygon = [(0.0, -0.5), (0.5, 0.0), (0.0, 0.5), (-0.5, 0.0)]
    else:
        corners = [(0.0, -0.5), (0.5, -0.25), (0.5, 0.25), (0.0, 0.5), (-0.5, 0.25), (-0.5, -0.25)]
        if view.number("tile_offset_axis"):
            corners = [(y, x) for x, y in reversed(corners)]
    return [(x * width, y * height) for x, y in corners]


def peering_bits(view: TileSetView, terrain_set: int) -> list[str]:
    """Return the sides and corners that count in a terrain set, in the engine's order."""
    shape, axis = view.number("tile_shape"), view.number("tile_offset_axis")
    sides: tuple[str, ...] = _STRAIGHT
    corners: tuple[str, ...] = _SLANTED
    if shape == ISOMETRIC:
        sides, corners = _SLANTED, _STRAIGHT
    elif shape != SQUARE:
        ends = ("bottom", "top") if axis else ("right", "left")
        points = ("right", "left") if axis else ("bottom", "top")
        sides, corners = (*_SLANTED, *ends), (*_SLANTED, *points)
    wanted = _MODES[view.number(f"terrain_set_{terrain_set}/mode")]
    valid = {f"{name}_side" for name in sides} | {f"{name}_corner" for name in corners}
    return [bit for bit in PEERING_BITS if bit in valid and bit.endswith(wanted)]


def read_peering(value: Any, bits: list[str], own: Any, where: str) -> dict[str, Any]:
    """Return the terrain, as it was given, of each side and corner that the caller names; None where there is none."""
    if value == "none":
        return dict.fromkeys(bits)
    if value == "all":
        return dict.fromkeys(bits, own)
    if isinstance(value, list) and all(isinstance(bit, str) for bit in value):
        return dict.fromkeys(bits) | {_bit(bit, bits, where): own for bit in value}
    if isinstance(value, Mapping):
        return {_bit(str(name), bits, where): terrain for name, terrain in value.items()}
    raise Invalid(
        f"'{where}' is not a set of sides and corners.",
        path=where,
        rule="peering",
        hint=f"Use 'all', 'none', a list or an object of: {', '.join(bits)}.",
    )


def _bit(name: str, bits: list[str], where: str) -> str:
    """A side or corner by its name, with or without the last part."""
    plain = name.lower().replace(" ", "_")
    matches = [bit for bit in bits if bit == plain] or [bit for bit in bits if bit.rpartition("_")[0] == plain]
    if len(matches) != 1:
        raise Invalid(
            f"This terrain set has no '{name}' to match.",
            path=where,
            rule="peering",
            hint=did_you_mean(plain, bits) or f"It has: {', '.join(bits)}.",
        )
    return matches[0]
