"""Tile sets: making them from textures, and what is on their tiles: collision, terrain, data, animation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace
from scenewright.godot.tiles.specs import LayerSpecs, SourceSpec, TileSpec

if TYPE_CHECKING:
    from scenewright.godot.tiles.tileset import Atlas, SceneTiles
    from scenewright.godot.tiles.tileset_edit import TileSetEdit

__all__ = ["OPERATIONS"]

Sources = Annotated[
    list[SourceSpec], about("Sources: {texturePath, tileSize, margins, separation, tiles} or {scenes}.")
]
Tiles = Annotated[
    list[TileSpec],
    about("What is on tiles: {atlasCoords, collision, terrain, peering, customData, animation, …}; see tool_help."),
]
Layers = Annotated[LayerSpecs, about("Layers: {physics, terrainSets, customData, navigation, occlusion}.")]
Further = Annotated[
    dict[str, Any],
    about("Properties of the TileSet: tile_shape ('Isometric', 'Hexagon'…), tile_layout, tile_offset_axis, …"),
]


TILE_FORMS = {
    "tileSize": "[w,h]",
    "size": "[w,h]",
    "margins": "[x,y]",
    "separation": "[x,y]",
    "sources.tiles": "opaque|all|none|[[x,y]]",
    "atlasCoords": "[x,y]|[[x,y]]|all",
    "collision": "full|alpha|none|[[x,y]]",
    "tiles.navigation": "as collision",
    "tiles.occlusion": "as collision",
    "peering": "all|none|[side]|{side:terrain}",
    "collisionLayer": "bits|name|[name]",
    "collisionMask": "bits|name|[name]",
}


class NewTileset(Inputs, frozen=True, kw_only=True):
    tileset_path: Annotated[str, about("TileSet file (.tres).", min_length=1)]
    tile_size: Annotated[Any, about("Size of a cell in pixels, [w, h]; 16 x 16 if left out.")] = None
    texture_path: Annotated[str, about("Texture of the first source, cut into tiles.")] | None = None
    sources: Sources = msgspec.field(default_factory=list)
    layers: Layers | None = None
    tiles: Tiles = msgspec.field(default_factory=list)
    properties: Further | None = None
    overwrite: Annotated[bool, about("Replace a file that exists.")] = False


class SourceRow(Record, frozen=True, kw_only=True):
    id: Annotated[int, about("Source id.")]
    tiles: Annotated[int, about("How many tiles it has.")]
    texture: Annotated[str, about("Its texture.")] | None = None


class TilesetWritten(Outputs, frozen=True, kw_only=True):
    tileset_path: Annotated[str, about("res:// path.")]
    tile_size: Annotated[list[int], about("Size of a cell.")]
    sources: Annotated[list[SourceRow], about("Its sources.")]
    edited: Annotated[int, about("How many tiles were edited.")] = 0


@operation(
    id="godot.tileset.create",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_tileset",
    common=True,
    forms=TILE_FORMS,
    manager="godot_tilemap_manager",
    notes="Tiles are made where the texture is not empty. Layers and terrains are numbered from 0 in the given order.",
    examples=(
        Example(
            "Solid ground with grass terrain",
            {
                "tilesetPath": "tiles/ground.tres",
                "tileSize": [16, 16],
                "texturePath": "tiles/ground.png",
                "layers": {
                    "physics": [{"collisionLayer": 1}],
                    "terrainSets": [{"terrains": ["Grass"]}],
                    "customData": [{"name": "damage", "type": "int"}],
                },
                "tiles": [
                    {"atlasCoords": "all", "collision": "full"},
                    {"atlasCoords": [1, 1], "terrain": "Grass", "peering": "all"},
                ],
            },
            {
                "tilesetPath": "res://tiles/ground.tres",
                "tileSize": [16, 16],
                "sources": [{"id": 0, "tiles": 12, "texture": "res://tiles/ground.png"}],
                "edited": 13,
            },
        ),
    ),
)
def create_tileset(call: Call, inputs: NewTileset) -> TilesetWritten:
    """Creates a tile set file: sources cut from textures, physics layers, terrains, custom data, collision."""
    from scenewright.godot.documents import variant as v
    from scenewright.godot.documents.creation import new_resource
    from scenewright.godot.documents.ids import new_uid
    from scenewright.godot.tiles.coords import positive_pair
    from scenewright.godot.tiles.tileset import TileSetPlace
    from scenewright.godot.tiles.tileset_edit import TileSetEdit

    workspace = open_workspace(call)
    place = workspace.place(inputs.tileset_path)
    if not place.endswith(".tres"):
        raise Invalid("A tile set's file name ends in .tres.", path="input.tilesetPath", rule="suffix")
    if call.files.exists(place) and not inputs.overwrite:
        raise Conflict(
            f"'res://{place}' exists already.",
            hint="Pass overwrite: true, or change it with edit_tileset.",
            retryable=False,
        )
    edit = TileSetEdit(workspace, class_index(call), new_resource("TileSet", uid=new_uid()), TileSetPlace(place))
    size = positive_pair(inputs.tile_size or 16, "input.tileSize")
    edit.set({"tile_size": None if size == (16, 16) else v.Vector2i(*size)})
    sources = list(inputs.sources)
    if inputs.texture_path is not None:
        sources.insert(0, SourceSpec(texture_path=inputs.texture_path))
    return _apply_and_save(call, edit, inputs, sources)


class TilesetEdit(Inputs, frozen=True, kw_only=True):
    tileset_path: Annotated[str, about("TileSet file, or 'res://main.tscn::ID' for one inside a scene.", min_length=1)]
    tiles: Tiles = msgspec.field(default_factory=list)
    layers: Layers | None = None
    sources: Sources = msgspec.field(default_factory=list)
    remove_sources: Annotated[list[int], about("Ids of sources to remove.")] = msgspec.field(default_factory=list)
    properties: Further | None = None


@operation(
    id="godot.tileset.edit",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="edit_tileset",
    common=True,
    forms=TILE_FORMS,
    manager="godot_tilemap_manager",
    notes="collision 'alpha' is computed from the texture's opaque pixels. New layers come after the existing ones.",
    examples=(
        Example(
            "A platform one can jump through, and lava that flows and hurts",
            {
                "tilesetPath": "tiles/ground.tres",
                "tiles": [
                    {"atlasCoords": [3, 0], "collision": "alpha", "oneWay": True},
                    {"atlasCoords": [0, 2], "customData": {"damage": 5}, "animation": {"frames": 4, "speed": 6}},
                ],
            },
            {
                "tilesetPath": "res://tiles/ground.tres",
                "tileSize": [16, 16],
                "sources": [{"id": 0, "tiles": 12, "texture": "res://tiles/ground.png"}],
                "edited": 2,
            },
        ),
    ),
)
def edit_tileset(call: Call, inputs: TilesetEdit) -> TilesetWritten:
    """Changes a tile set: collision of tiles (also from alpha), terrain, custom data, animation, sources, layers."""
    from scenewright.godot.tiles.tileset import open_tileset
    from scenewright.godot.tiles.tileset_edit import TileSetEdit

    workspace = open_workspace(call)
    view, place = open_tileset(workspace, inputs.tileset_path)
    edit = TileSetEdit(workspace, class_index(call), view.document, place)
    for number in inputs.remove_sources:
        edit.remove_source(number)
    return _apply_and_save(call, edit, inputs, inputs.sources)


class ReadTileset(Inputs, frozen=True, kw_only=True):
    tileset_path: Annotated[str, about("TileSet file, or 'res://main.tscn::ID' for one inside a scene.", min_length=1)]
    source_id: Annotated[int, about("Only tiles of this source.", ge=0)] | None = None
    limit: Annotated[int, about("Tiles per page.", ge=1, le=2000)] = 200
    offset: Annotated[int, about("Tiles to skip, from nextOffset.", ge=0)] = 0


class SourceInfo(Record, frozen=True, kw_only=True):
    id: Annotated[int, about("Source id.")]
    texture: Annotated[str, about("Its texture.")] | None = None
    tile_size: Annotated[list[int], about("Size of a tile in the texture.")] | None = None
    margins: Annotated[list[int], about("Margins.")] | None = None
    separation: Annotated[list[int], about("Separation.")] | None = None
    columns: Annotated[int, about("Columns of the atlas that are in use.")] = 0
    rows: Annotated[int, about("Rows of the atlas that are in use.")] = 0
    total: Annotated[int, about("How many tiles it has.")] = 0
    scenes: Annotated[dict[str, str], about("Scenes by number.")] | None = None


class TilesetRead(Outputs, frozen=True, kw_only=True):
    tileset_path: Annotated[str, about("res:// path.")]
    tile_size: Annotated[list[int], about("Size of a cell.")]
    shape: Annotated[str, about("Shape of a cell.")] = "square"
    layers: Annotated[dict[str, Any], about("Physics, navigation, occlusion and custom data layers.")]
    terrain_sets: Annotated[list[dict[str, Any]], about("Terrain sets with mode and terrains.")]
    sources: Annotated[list[SourceInfo], about("Sources.")]
    tiles: Annotated[list[str], about("Tiles, 'source:x,y/alternative', each with what is on it.")]
    total: Annotated[int, about("How many tiles there are in all.")]
    next_offset: NextOffset = None


@operation(
    id="godot.tileset.read",
    category="tilemap",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="read_tileset",
    manager="godot_tilemap_manager",
    examples=(
        Example(
            "A summary",
            {"tilesetPath": "tiles/ground.tres"},
            {
                "tilesetPath": "res://tiles/ground.tres",
                "tileSize": [16, 16],
                "layers": {"physics": [{"collision_layer": 1}]},
                "terrainSets": [{"mode": "match_corners_and_sides", "terrains": ["Grass"]}],
                "sources": [
                    {
                        "id": 0,
                        "texture": "res://tiles/ground.png",
                        "tileSize": [16, 16],
                        "columns": 4,
                        "rows": 3,
                        "total": 2,
                    }
                ],
                "tiles": ["0:0,0 collision:1", "0:1,1 collision:1 terrain:Grass peering:8"],
                "total": 2,
            },
        ),
    ),
)
def read_tileset(call: Call, inputs: ReadTileset) -> TilesetRead:
    """Describes a tile set: layers, terrains, sources, and each tile with its collision, terrain, data, animation."""
    from scenewright.godot.tiles.summary import layers, lines, shape, source_info, terrain_sets
    from scenewright.godot.tiles.tileset import open_tileset

    view, _ = open_tileset(open_workspace(call), inputs.tileset_path)
    tiles = lines(view, inputs.source_id)
    page = Page.cut(tiles, inputs.offset, inputs.limit)
    call.summary = f"{view.path}: {count_noun(len(view.sources), 'source')}, {count_noun(len(tiles), 'tile')}."
    return TilesetRead(
        tileset_path=view.path,
        tile_size=list(view.tile_size),
        shape=shape(view),
        layers=layers(view),
        terrain_sets=terrain_sets(view),
        sources=[SourceInfo(**source_info(number, source)) for number, source in view.sources.items()],
        tiles=page.items,
        total=len(tiles),
        next_offset=page.next_offset,
    )


OPERATIONS = (create_tileset, edit_tileset, read_tileset)


def _apply_and_save(
    call: Call, edit: TileSetEdit, inputs: NewTileset | TilesetEdit, sources: list[SourceSpec]
) -> TilesetWritten:
    """Makes the changes that both have in common, in the order they need each other."""
    from scenewright.godot.tiles.tiledata import edit_tiles

    if inputs.properties:
        edit.set_properties(inputs.properties)
    if inputs.layers is not None:
        edit.add_layers(inputs.layers)
    for number, spec in enumerate(sources):
        edit.add_source(spec, f"input.sources[{number}]")
    edited = edit_tiles(edit, inputs.tiles, "input.tiles")
    edit.save()
    call.warnings += edit.warnings
    view = edit.view
    rows = [_source_row(number, source) for number, source in view.sources.items()]
    total = count_noun(sum(row.tiles for row in rows), "tile")
    call.summary = f"{view.path}: {count_noun(len(rows), 'source')}, {total}, {edited} edited."
    return TilesetWritten(tileset_path=view.path, tile_size=list(view.tile_size), sources=rows, edited=edited)


def _source_row(number: int, source: Atlas | SceneTiles) -> SourceRow:
    from scenewright.godot.tiles.tileset import SceneTiles

    if isinstance(source, SceneTiles):
        return SourceRow(id=number, tiles=len(source.scenes))
    return SourceRow(id=number, tiles=len(source.tiles), texture=source.texture)
