"""What a world is to be: its tiles, its land, its layers, what stands on it. Made by people, agents and goals alike."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from scenewright.core.operations.model import Inputs, about

__all__ = [
    "ROLES",
    "Biome",
    "LayerSpec",
    "MapSize",
    "ObjectSpec",
    "PathRules",
    "Placement",
    "PlacementRules",
    "Role",
    "SheetSize",
    "TilemapOutput",
    "TilemapSpec",
    "WorldSpec",
]

Role = Literal["water", "shore", "ground", "growth", "rock", "path"]
ROLES: tuple[Role, ...] = ("water", "shore", "ground", "growth", "rock", "path")
Name = Annotated[str, about("Name.", min_length=1, max_length=64)]
Share = Annotated[float, about("0 to 1.", ge=0, le=1)]
Path = Annotated[str, about("File of the project.", min_length=1, max_length=1024)]


class SheetSize(Inputs, frozen=True, kw_only=True):
    columns: Annotated[int, about("Tiles in a row of the sheet.", ge=8, le=64)] = 12
    rows: Annotated[int, about("At least so many rows.", ge=1, le=256)] | None = None


class TilemapOutput(Inputs, frozen=True, kw_only=True):
    sheet_png_path: Path | None = None
    tileset_path: Path | None = None
    meta_json_path: Annotated[str, about("Names of the tiles; not written if left out.")] | None = None
    aseprite_json_path: Annotated[str, about("Aseprite's JSON of a sheet from a sprite.")] | None = None


class TilemapSpec(Inputs, frozen=True, kw_only=True):
    name: Name = "overworld"
    theme: Annotated[str, about("grassland, autumn, desert, snow, swamp, volcano or cave.", max_length=64)] = (
        "grassland"
    )
    tile_size: Annotated[int, about("Pixels of a tile's side.", ge=8, le=64)] = 16
    sheet: SheetSize = SheetSize()
    output: TilemapOutput = TilemapOutput()
    source_aseprite_path: (
        Annotated[str, about("Take the tile set of this sprite, in place of drawing one.", min_length=1)] | None
    ) = None


class MapSize(Inputs, frozen=True, kw_only=True):
    width: Annotated[int, about("Cells across.", ge=8, le=512)] = 48
    height: Annotated[int, about("Cells down.", ge=8, le=512)] = 32


class LayerSpec(Inputs, frozen=True, kw_only=True):
    name: Name
    type: Annotated[str, about("water, shore, ground, growth, rock, path or objects.", max_length=64)]
    z_index: Annotated[int, about("Drawn above lower ones.", ge=-4096, le=4096)] = 0


class Biome(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("meadow, forest, mountain, beach, lake, … or a role.", min_length=1, max_length=64)]
    weight: Annotated[float, about("Share of the land, beside the other weights.", ge=0, le=1000)] = 1.0


class PathRules(Inputs, frozen=True, kw_only=True):
    enabled: Annotated[bool, about("A path from the west to the east, over bridges.")] = True
    width: Annotated[int, about("Cells.", ge=1, le=8)] = 2
    frequency: Annotated[float, about("How often it turns.", ge=0, le=1)] = 0.08
    meander: Annotated[float, about("How far it leaves the straight way.", ge=0, le=10)] = 1.0
    search_radius: Annotated[int, about("Cells from the straight way that it may use; 0: all.", ge=0, le=512)] = 0


class PlacementRules(Inputs, frozen=True, kw_only=True):
    shape: Annotated[Literal["island", "continent", "plain"], about("Water all around, in places, or none.")] = "island"
    river_carve: Annotated[bool, about("Rivers from north to south.")] = False
    river_width: Annotated[int, about("Cells.", ge=1, le=16)] = 2
    river_frequency: Annotated[float, about("How often it turns.", ge=0, le=1)] = 0.08
    river_meander: Annotated[float, about("How far it swings, as a share of the map.", ge=0, le=1)] = 0.15
    noise_frequency: Annotated[float, about("Size of the land's features: larger is smaller.", gt=0, le=1)] = 0.07
    noise_octaves: Annotated[int, about("Sizes of detail.", ge=1, le=8)] = 4
    noise_lacunarity: Annotated[float, about("How much smaller each is.", ge=1, le=4)] = 2.0
    noise_gain: Annotated[float, about("How much weaker each is.", gt=0, le=1)] = 0.5
    sample_step: Annotated[int, about("Cells between samples of the noise.", ge=1, le=16)] = 1
    smooth_iterations: Annotated[int, about("Rounds in which cells follow their neighbours.", ge=0, le=8)] = 2
    paths: PathRules = PathRules()


class WorldSpec(Inputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("Scene to make or bring up to date.", min_length=1)] = "res://worlds/world.tscn"
    tileset_path: Annotated[str, about("Its tile set.", min_length=1)] | None = None
    tileset_name: Annotated[str, about("Or the name it was generated under.", min_length=1)] | None = None
    map_size: MapSize = MapSize()
    seed: Annotated[int, about("Chooses the world.", ge=0, lt=2**53)] | None = None
    layers: Annotated[list[LayerSpec], about("Names and order of the layers.", max_length=16)] = msgspec.field(
        default_factory=list
    )
    biomes: Annotated[list[Biome], about("What the land is made of.", max_length=16)] = msgspec.field(
        default_factory=list
    )
    placement_rules: PlacementRules = PlacementRules()
    organize_existing: Annotated[bool, about("Put the layers of a scene that exists in this order.")] = False
    player: Annotated[bool, about("Add a player who can walk, at the start of the path.")] = False


class Placement(Inputs, frozen=True, kw_only=True):
    density: Share | None = None
    count: Annotated[int, about("Exactly so many, instead of a density.", ge=0, le=100_000)] | None = None
    on_tiles: Annotated[list[str], about("Only on these: roles or names of terrains.", max_length=16)] = msgspec.field(
        default_factory=list
    )
    avoid_tiles: Annotated[list[str], about("Never on these.", max_length=16)] = msgspec.field(default_factory=list)
    prefer_near_tiles: Annotated[list[str], about("Rather near these.", max_length=16)] = msgspec.field(
        default_factory=list
    )
    prefer_distance: Annotated[int, about("Cells that are near.", ge=1, le=64)] = 3
    prefer_multiplier: Annotated[float, about("How much rather.", ge=0, le=100)] = 3.0
    min_distance: Annotated[int, about("Cells to the next of all placed things.", ge=0, le=64)] = 1


class ObjectSpec(Inputs, frozen=True, kw_only=True):
    id: Annotated[str, about("Name of its files and nodes.", min_length=1, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
    name: Annotated[str, about("Name to show.", max_length=64)] = ""
    kind: Annotated[str, about("tree, pine, bush, rock, chest, flower, sign, …", max_length=64)] = ""
    representation: Annotated[Literal["tile", "scene"], about("A tile of the tile set, or a scene.")] = "scene"
    size_px: Annotated[list[int], about("Width and height.", min_length=2, max_length=2)] | None = None
    aseprite_path: Annotated[str, about("Take the first frame of this sprite.", min_length=1)] | None = None
    solid: Annotated[bool, about("Stands in the way; as the kind is, if left out.")] | None = None
    placement: Placement = Placement()
