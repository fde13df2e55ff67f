"""What callers say about tile sets and cells: sources, layers, terrains, what is on a tile, and what to paint."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from scenewright.core.operations.model import Inputs, about

__all__ = [
    "AnimationSpec",
    "Area",
    "Brush",
    "CustomLayerSpec",
    "LayerSpecs",
    "OcclusionLayerSpec",
    "PhysicsLayerSpec",
    "SourceSpec",
    "StrokeSpec",
    "TerrainSetSpec",
    "TerrainSpec",
    "TilePlacement",
    "TileSpec",
]


class SourceSpec(Inputs, frozen=True, kw_only=True):
    id: Annotated[int, about("Source id: changes that source; the next free one if left out.", ge=0)] | None = None
    texture_path: Annotated[str, about("Texture to cut tiles from.")] | None = None
    tile_size: Annotated[Any, about("Size of a tile in the texture, [w, h]; the tile set's if left out.")] = None
    margins: Annotated[Any, about("Pixels left and above the first tile, [x, y].")] = None
    separation: Annotated[Any, about("Pixels between tiles, [x, y].")] = None
    tiles: Annotated[
        Any, about("Which tiles to make: 'opaque' (those that are not empty), 'all', 'none', or a list of [x, y].")
    ] = None
    scenes: Annotated[list[str], about("Scenes as tiles, instead of a texture.")] | None = None
    properties: Annotated[dict[str, Any], about("Further properties, such as use_texture_padding.")] | None = None


class PhysicsLayerSpec(Inputs, frozen=True, kw_only=True):
    collision_layer: Annotated[Any, about("Physics layers it is on: bits, numbers or names.")] = 1
    collision_mask: Annotated[Any, about("Physics layers it collides with.")] = None
    collision_priority: Annotated[float, about("Priority when bodies are pushed apart.")] | None = None
    physics_material: Annotated[Any, about("PhysicsMaterial: a path, or a new one.")] = None


class OcclusionLayerSpec(Inputs, frozen=True, kw_only=True):
    light_mask: Annotated[int, about("Lights it blocks, as a mask.")] = 1
    sdf_collision: Annotated[bool, about("Part of the signed distance field.")] = False


class TerrainSpec(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1)]
    color: Annotated[Any, about("Colour in the editor.")] = None


class TerrainSetSpec(Inputs, frozen=True, kw_only=True):
    mode: Annotated[Literal["match_corners_and_sides", "match_corners", "match_sides"], about("What must match.")] = (
        "match_corners_and_sides"
    )
    terrains: Annotated[list[TerrainSpec | str], about("Terrains: names, or {name, color}.")]


class CustomLayerSpec(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Name.", min_length=1)]
    type: Annotated[str, about("Type, such as 'int', 'String', 'bool', 'Vector2'.")] = "int"


class LayerSpecs(Inputs, frozen=True, kw_only=True):
    """What a tile set has beside sources; in an edit each is added behind those there are."""

    physics: Annotated[list[PhysicsLayerSpec], about("Physics layers.")] = msgspec.field(default_factory=list)
    terrain_sets: Annotated[list[TerrainSetSpec], about("Terrain sets.")] = msgspec.field(default_factory=list)
    custom_data: Annotated[list[CustomLayerSpec], about("Custom data layers.")] = msgspec.field(default_factory=list)
    navigation: Annotated[list[int], about("Navigation layers, each by its bits.")] = msgspec.field(
        default_factory=list
    )
    occlusion: Annotated[list[OcclusionLayerSpec], about("Occlusion layers.")] = msgspec.field(default_factory=list)


class AnimationSpec(Inputs, frozen=True, kw_only=True):
    frames: Annotated[int, about("Number of frames, following the tile in the atlas.", ge=1, le=1024)]
    columns: Annotated[int, about("Frames per row of the atlas; 0 for all.", ge=0)] = 0
    separation: Annotated[Any, about("Cells of the atlas between frames, [x, y].")] = None
    speed: Annotated[float, about("Speed.", gt=0)] = 1.0
    durations: Annotated[list[float], about("Seconds per frame at speed 1; one number for all.")] | None = None
    mode: Annotated[Literal["default", "random_start_times"], about("Whether all tiles start together.")] = "default"


class TileSpec(Inputs, frozen=True, kw_only=True):
    atlas_coords: Annotated[Any, about("Tile [x, y], a list of these, or 'all'.")]
    min_coverage: Annotated[float, about("Of these, only tiles with this opaque share.", ge=0, le=1)] | None = None
    max_coverage: Annotated[float, about("And only those with a smaller one than this.", ge=0, le=1)] | None = None
    source_id: Annotated[int, about("Source; the first atlas if left out.", ge=0)] | None = None
    alternative: Annotated[int, about("Alternative tile, created if missing.", ge=0, le=4095)] = 0
    size: Annotated[Any, about("Columns and rows it takes in the atlas, [w, h].")] = None
    remove: Annotated[bool, about("Remove the tile from the set.")] = False
    collision: Annotated[
        Any,
        about(
            "'full' (the whole tile), 'alpha' (around its opaque pixels), 'none', a polygon [[x, y], …] from the tile's"
            " centre, or a list of polygons."
        ),
    ] = None
    physics_layer: Annotated[int, about("Physics layer of the collision.", ge=0)] = 0
    one_way: Annotated[bool, about("Bodies pass through from below.")] | None = None
    one_way_margin: Annotated[float, about("Margin of one-way collision.", ge=0)] | None = None
    tolerance: Annotated[float, about("Pixels by which 'alpha' may be off.", ge=0, le=16)] = 1.0
    terrain_set: Annotated[int, about("Terrain set.", ge=-1)] | None = None
    terrain: Annotated[Any, about("Terrain of the tile's centre, name or number.")] = None
    peering: Annotated[
        Any,
        about(
            "Terrain at its edges: {'top_side': 'Grass', …}, or a list of sides and corners with its own terrain;"
            " 'all' or 'none'."
        ),
    ] = None
    custom_data: Annotated[dict[str, Any], about("Values of custom data layers by name.")] | None = None
    navigation: Annotated[Any, about("'full', 'alpha', 'none', a polygon or several that touch.")] = None
    navigation_layer: Annotated[int, about("Navigation layer.", ge=0)] = 0
    occlusion: Annotated[Any, about("'full', 'alpha', 'none', a polygon or several.")] = None
    occlusion_layer: Annotated[int, about("Occlusion layer.", ge=0)] = 0
    animation: AnimationSpec | None = None
    probability: Annotated[float, about("Weight when painted at random or as terrain.", ge=0)] | None = None
    properties: (
        Annotated[
            dict[str, Any], about("Others, such as modulate, z_index, y_sort_origin, texture_origin, material, flip_h.")
        ]
        | None
    ) = None


class Brush(Inputs, frozen=True, kw_only=True):
    """What to put into cells: a tile, or a terrain whose tiles the engine chooses."""

    source_id: Annotated[int, about("Source; the first one if left out.", ge=0)] | None = None
    atlas_coords: Annotated[Any, about("Tile in the atlas, [x, y].")] = None
    alternative_tile: Annotated[int, about("Alternative; for a scene source, the scene's number.", ge=0)] = 0
    flip_h: Annotated[bool, about("Flip horizontally.")] = False
    flip_v: Annotated[bool, about("Flip vertically.")] = False
    transpose: Annotated[bool, about("Swap x and y; with a flip, a quarter turn.")] = False
    terrain: Annotated[Any, about("Instead of a tile: a terrain, name or number, whose tiles connect.")] = None
    terrain_set: Annotated[int, about("Set of the terrain.", ge=0)] = 0
    item: Annotated[Any, about("In a GridMap: item of its library, number or name.")] = None
    orientation: Annotated[
        int, about("How the item is turned, 0 to 23; 16, 10 and 22 are one, two and three quarter turns.", ge=0, le=23)
    ] = 0


class TilePlacement(Brush, frozen=True, kw_only=True):
    position: Annotated[Any, about("Cell, [x, y]; [x, y, z] in a GridMap.")]


class Area(Brush, frozen=True, kw_only=True):
    rect: Annotated[Any, about("Cells, [x, y, width, height]; [x, y, z, width, height, depth] in a GridMap.")]
    outline: Annotated[bool, about("Only the outline; in a GridMap, the four walls.")] = False


class StrokeSpec(Inputs, frozen=True, kw_only=True):
    """How the engine paints terrain."""

    mode: Annotated[Literal["connect", "path"], about("path connects only neighbours in the given order.")] = "connect"
    ignore_empty: Annotated[bool, about("Ignore empty neighbours.")] = True
    seed: Annotated[int, about("Chooses between tiles that fit equally well.", ge=0)] = 0
