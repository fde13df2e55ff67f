"""The TileSet of a sheet that was drawn here: terrains with all peering bits, water and rock that stop bodies.

Written whole, so that the same sheet gives the same bytes; the uid of a file that is replaced stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scenewright.godot.documents import variant as v
from scenewright.godot.documents.creation import new_resource
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.ids import new_uid
from scenewright.godot.documents.resources import add_external_file, add_inner_resource
from scenewright.pixel.worlds.autotiling import MASKS, PEERING
from scenewright.pixel.worlds.themes import Theme
from scenewright.pixel.worlds.tile_art import TERRAINS, WATERS, SheetPlan

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace

__all__ = ["KIND", "generated_tileset"]

KIND = "kind"  # custom data by which a tile says what it is for, where it has no terrain

# In the order that the engine writes them in.
_ENGINE_ORDER = (
    "right_side",
    "bottom_right_corner",
    "bottom_side",
    "bottom_left_corner",
    "left_side",
    "top_left_corner",
    "top_side",
    "top_right_corner",
)
_STRING = 4  # among the types of custom data
_MORE = 0.12  # how often a full tile is the one with more on it, where the engine chooses


def generated_tileset(workspace: Workspace, place: str, sheet: str, theme: Theme, plan: SheetPlan) -> Document:
    """Return the TileSet of a drawn sheet."""
    header = workspace.document(place).find("gd_resource") if workspace.files.exists(place) else None
    uid = header.string("uid") if header is not None else None
    size = plan.tile
    square = () if size == 16 else (("tile_size", v.Vector2i(size, size)),)
    document = new_resource("TileSet", dict(square), uid=uid or new_uid())
    document, texture = add_external_file(document, "Texture2D", f"res://{sheet}", None)
    values: dict[str, v.Variant] = {"texture": v.ExtResource(texture)}
    if size != 16:
        values["texture_region_size"] = v.Vector2i(size, size)
    values |= _tiles(plan)
    document, source = add_inner_resource(document, "TileSetAtlasSource", values)
    section = document.find("resource")
    assert section is not None  # new_resource has made it
    for name, value in _properties(theme).items():
        document = document.set_property(document.find("resource") or section, name, value)
    return document.set_property(document.find("resource") or section, "sources/0", v.SubResource(source))


def _properties(theme: Theme) -> Mapping[str, v.Variant]:
    values: dict[str, v.Variant] = {"physics_layer_0/collision_layer": 1, "terrain_set_0/mode": 0}
    custom: dict[str, v.Variant] = {"custom_data_layer_0/name": KIND, "custom_data_layer_0/type": _STRING}
    for number, role in enumerate(TERRAINS):
        look = theme.looks[role]
        red, green, blue = (part / 255 for part in look.base[:3])
        values[f"terrain_set_0/terrain_{number}/name"] = look.name
        values[f"terrain_set_0/terrain_{number}/color"] = v.Color(red, green, blue, 1.0)
    return values | custom


def _tiles(plan: SheetPlan) -> dict[str, v.Variant]:
    values: dict[str, v.Variant] = {}
    for number in range(WATERS):
        values |= _tile(plan.water(number, solid=True), plan.tile, "water")
        values |= _tile(plan.water(number, solid=False), plan.tile, "shallow")
    for upright, kind in enumerate(("bridge", "bridge_upright")):
        values |= _tile(plan.bridge(upright=bool(upright)), plan.tile, kind)
    for terrain, role in enumerate(TERRAINS):
        for tile, mask in enumerate((*MASKS, 255)):
            at = plan.terrain(terrain, tile)
            values |= _tile(at, plan.tile, "")
            name = f"{at[0]}:{at[1]}/0"
            values |= {f"{name}/terrain_set": 0, f"{name}/terrain": terrain}
            if tile == len(MASKS):
                values[f"{name}/probability"] = _MORE
            if role == "rock":
                values[f"{name}/physics_layer_0/polygon_0/points"] = _square(plan.tile)
            for bit in _ENGINE_ORDER:
                if mask >> PEERING.index(bit) & 1:
                    values[f"{name}/terrains_peering_bit/{bit}"] = terrain
    return values


def _tile(at: tuple[int, int], size: int, kind: str) -> dict[str, v.Variant]:
    name = f"{at[0]}:{at[1]}/0"
    values: dict[str, v.Variant] = {name: 0}
    if kind == "water":
        values[f"{name}/physics_layer_0/polygon_0/points"] = _square(size)
    if kind:
        values[f"{name}/custom_data_0"] = kind
    return values


def _square(size: int) -> v.PackedVector2Array:
    half = size / 2
    return v.PackedVector2Array((-half, -half, half, -half, half, half, -half, half))
