"""Tile map layers in scenes: making them, painting and reading their cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.operations.paging import NextOffset
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, class_index, open_edit, open_workspace
from scenewright.godot.tiles.specs import Area, SourceSpec, StrokeSpec, TilePlacement

if TYPE_CHECKING:
    from scenewright.godot.scenes.scene_edit import SceneEdit
    from scenewright.godot.tiles.cell_painting import Painter
    from scenewright.godot.tiles.layer import LayerView

__all__ = ["OPERATIONS", "GetTiles", "PaintTiles", "Painted", "TilesRead", "must_paint"]

LayerPath = Annotated[str, about("TileMapLayer, as a path from the scene's root.", min_length=1)]
GridPath = Annotated[str, about("TileMapLayer or GridMap, as a path from the scene's root.", min_length=1)]
LayerNumber = Annotated[int, about("Layer of an old TileMap; a TileMapLayer has only one.", ge=0)]
Name = Annotated[str, about("Name of the new node.", min_length=1, max_length=200)]
Parent = Annotated[str, about("Parent; the root if left out.")]
Further = Annotated[dict[str, Any], about("Further properties of the node, such as y_sort_enabled.")]


class NewLayer(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_name: Name
    tileset_path: Annotated[str, about("TileSet to take tiles from.", min_length=1)]
    parent_node_path: Parent = "."
    z_index: Annotated[int, about("Drawn above nodes with a lower one.", ge=-4096, le=4096)] = 0
    properties: Further | None = None


class LayerWritten(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("Path from the scene's root.")]
    cells: Annotated[int, about("How many cells are in use.")] = 0
    tileset_path: Annotated[str, about("Its tile set.")] | None = None


@operation(
    id="godot.tilemap.create_layer",
    name="Create TileMapLayer",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_tilemap_layer",
    manager="godot_tilemap_manager",
    action="create_layer",
    examples=(
        Example(
            "The ground",
            {"scenePath": "level.tscn", "nodeName": "Ground", "tilesetPath": "tiles/ground.tres"},
            {"scenePath": "res://level.tscn", "nodePath": "Ground", "tilesetPath": "res://tiles/ground.tres"},
        ),
    ),
)
def create_tilemap_layer(call: Call, inputs: NewLayer) -> LayerWritten:
    """Adds a TileMapLayer with its tile set to a scene, to be painted with paint_tiles."""
    edit = open_edit(call, inputs.scene_path)
    path = edit.workspace.resource_path(inputs.tileset_path)
    values = {"tile_set": path, **({"z_index": inputs.z_index} if inputs.z_index else {}), **(inputs.properties or {})}
    written = _add_layer_node(edit, inputs.node_name, inputs.parent_node_path, values)
    edit.save()
    call.summary = f"Added the layer '{written}'."
    return LayerWritten(scene_path=edit.path, node_path=written, tileset_path=path)


class NewTilemap(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    node_name: Name
    parent_node_path: Parent = "."
    tile_set_path: Annotated[str, about("TileSet; made from the texture if missing.")] | None = None
    tile_set_texture_path: Annotated[str, about("Texture to make a tile set from.")] | None = None
    tile_size: Annotated[Any, about("Size of a tile in the texture, [w, h]; 32 x 32 if left out.")] = None
    cells: Annotated[
        list[dict[str, Any]], about("Cells: {x, y, sourceId?, atlasX, atlasY, alternative?} or as in paint_tiles.")
    ] = msgspec.field(default_factory=list)
    ensure_unique_name: Annotated[bool, about("Number the name if it is taken.")] = False
    properties: Further | None = None


@operation(
    id="godot.tilemap.create",
    name="Create Tile Map",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="create_tilemap",
    manager="godot_scene_manager",
    notes="Without tileSetPath the tile set is kept inside the scene.",
    parameter_aliases={"props": "properties"},
    examples=(
        Example(
            "From a texture",
            {
                "scenePath": "level.tscn",
                "nodeName": "Map",
                "tileSetTexturePath": "tiles.png",
                "tileSize": [16, 16],
                "cells": [{"x": 0, "y": 0, "atlasX": 1, "atlasY": 0}],
            },
            {
                "scenePath": "res://level.tscn",
                "nodePath": "Map",
                "cells": 1,
                "tilesetPath": "res://level.tscn::TileSet_x1y2z",
            },
        ),
    ),
)
def create_tilemap(call: Call, inputs: NewTilemap) -> LayerWritten:
    """Adds a TileMapLayer with cells to a scene, with an existing tile set or one made from a texture."""
    from scenewright.godot.tiles.layer import put_cells

    edit = open_edit(call, inputs.scene_path)
    name = inputs.node_name
    if inputs.ensure_unique_name:
        name = edit.free_name(inputs.parent_node_path, name)
    tileset = _tileset_for(call, edit, inputs)
    written = _add_layer_node(edit, name, inputs.parent_node_path, {**tileset, **(inputs.properties or {})})
    layer, painter = _open_painter(call, edit, written, 0)
    painter.place([_read_placement(cell, f"input.cells[{at}]") for at, cell in enumerate(inputs.cells)], "input.cells")
    if inputs.cells:
        put_cells(edit, layer, painter.cells)
    edit.save()
    call.summary = f"Added the layer '{written}' with {count_noun(len(painter.cells), 'cell')}."
    return LayerWritten(
        scene_path=edit.path,
        node_path=written,
        cells=len(painter.cells),
        tileset_path=layer.tileset.path if layer.tileset else None,
    )


class SetTile(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    tilemap_node_path: LayerPath
    position: Annotated[Any, about("Cell, [x, y].")]
    source_id: Annotated[int, about("Source; the first one if left out, -1 to erase.", ge=-1)] | None = None
    atlas_coords: Annotated[Any, about("Tile in the atlas, [x, y].")] = None
    alternative_tile: Annotated[int, about("Alternative; for a scene source, the scene's number.", ge=0)] = 0
    layer: LayerNumber = 0


class Painted(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("res:// path.")]
    node_path: Annotated[str, about("The layer.")]
    changed: Annotated[int, about("How many cells changed.")]
    cells: Annotated[int, about("How many cells are in use.")]
    bounds: Annotated[list[int], about("x, y, width and height of what is used; six for a GridMap.")] | None = None


@operation(
    id="godot.tilemap.set_tile",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="set_tile",
    manager="godot_tilemap_manager",
    idempotent=True,
    deletes_with={"sourceId": -1},
    examples=(
        Example(
            "One tile",
            {
                "scenePath": "level.tscn",
                "tilemapNodePath": "Ground",
                "position": [3, 4],
                "sourceId": 0,
                "atlasCoords": [1, 0],
            },
            {"scenePath": "res://level.tscn", "nodePath": "Ground", "changed": 1, "cells": 1, "bounds": [3, 4, 1, 1]},
        ),
    ),
)
def set_tile(call: Call, inputs: SetTile) -> Painted:
    """Puts a tile into one cell of a layer, or erases it."""
    edit = open_edit(call, inputs.scene_path)
    layer, painter = _open_painter(call, edit, inputs.tilemap_node_path, inputs.layer)
    before = dict(painter.cells)
    if inputs.source_id == -1:
        painter.erase([inputs.position], "input.position")
    else:
        placement = TilePlacement(
            position=inputs.position,
            source_id=inputs.source_id,
            atlas_coords=inputs.atlas_coords,
            alternative_tile=inputs.alternative_tile,
        )
        painter.place([placement], "input")
    return _save_painted(call, edit, layer, painter, before)


CELL_FORMS = {
    "position": "[x,y]",
    "atlasCoords": "[x,y]",
    "rects": "[{rect:[x,y,w,h],outline?:bool,…as tiles}]",
    "rows": "['##..']",
    "legend": "{char:[x,y]|{terrain}|null}",
    "origin": "[x,y]",
    "erase": "[[x,y]|[x,y,w,h]]",
}


class PaintTiles(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    tilemap_node_path: GridPath
    tiles: Annotated[
        list[TilePlacement], about("Cells: {position, atlasCoords, sourceId?, flipH?…} or {position, terrain}.")
    ] = msgspec.field(default_factory=list)
    rects: Annotated[
        list[Area], about("Rectangles of cells: {rect: [x, y, w, h], atlasCoords or terrain, outline?}.")
    ] = msgspec.field(default_factory=list)
    rows: Annotated[list[str], about("A picture in text, one character per cell.")] = msgspec.field(
        default_factory=list
    )
    legend: Annotated[
        dict[str, Any], about("What the characters are: [x, y], {sourceId, atlasCoords}, {terrain}, or null to erase.")
    ] = msgspec.field(default_factory=dict)
    origin: Annotated[Any, about("Cell of the first character, [x, y]; [0, 0] if left out.")] = None
    erase: Annotated[list[Any], about("Cells [x, y] and rectangles [x, y, w, h] to empty.")] = msgspec.field(
        default_factory=list
    )
    clear: Annotated[bool, about("Empty the layer first.")] = False
    terrain: (
        Annotated[StrokeSpec, about("How terrain is painted: {mode: connect or path, ignoreEmpty, seed}.")] | None
    ) = None
    layer: LayerNumber = 0


@operation(
    id="godot.tilemap.paint",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="paint_tiles",
    common=True,
    forms=CELL_FORMS,
    manager="godot_tilemap_manager",
    idempotent=True,
    timeout=60.0,
    notes="Order: clear, erase, rects, rows, tiles, terrain. Terrain needs Godot: the engine chooses its tiles. "
    "The cells of a GridMap are [x, y, z] with item and orientation, boxes six numbers, and rows a floor plan along x "
    "and z.",
    executes="sometimes",
    examples=(
        Example(
            "A room",
            {
                "scenePath": "level.tscn",
                "tilemapNodePath": "Ground",
                "rows": ["#####", "#   #", "##.##"],
                "legend": {"#": [0, 0], ".": None},
            },
            {"scenePath": "res://level.tscn", "nodePath": "Ground", "changed": 11, "cells": 11, "bounds": [0, 0, 5, 3]},
        ),
        Example(
            "A meadow whose edges fit",
            {
                "scenePath": "level.tscn",
                "tilemapNodePath": "Ground",
                "rects": [{"rect": [2, 2, 8, 5], "terrain": "Grass"}],
            },
            {"scenePath": "res://level.tscn", "nodePath": "Ground", "changed": 40, "cells": 40, "bounds": [2, 2, 8, 5]},
        ),
    ),
)
def paint_tiles(call: Call, inputs: PaintTiles) -> Painted:
    """Paints cells of a layer: single tiles, rectangles, rows of text with a legend, terrain, erasing."""
    import anyio.from_thread

    from scenewright.godot.tiles.coords import pair
    from scenewright.godot.tiles.gridmap import open_grid
    from scenewright.godot.tiles.operations.gridmaps import paint_grid

    edit = open_edit(call, inputs.scene_path)
    if (grid := open_grid(edit, inputs.tilemap_node_path)) is not None:
        return paint_grid(call, edit, grid, inputs)
    layer, painter = _open_painter(call, edit, inputs.tilemap_node_path, inputs.layer)
    before = dict(painter.cells)
    if inputs.clear:
        painter.cells.clear()
    painter.erase(inputs.erase, "input.erase")
    painter.fill(inputs.rects, "input.rects")
    painter.write(inputs.rows, inputs.legend, pair(inputs.origin or (0, 0), "input.origin"))
    painter.place(inputs.tiles, "input.tiles")
    must_paint(touched=bool(painter.touched) or inputs.clear)
    if painter.terrain:
        anyio.from_thread.run(_paint_terrain, call, painter, inputs)
    return _save_painted(call, edit, layer, painter, before)


class GetTiles(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    tilemap_node_path: GridPath
    region: Annotated[Any, about("Only these cells, [x, y, width, height]; in a GridMap, a box.")] = None
    form: Annotated[Literal["rows", "cells"], about("Rows of text with a legend, or cells one by one.")] = "rows"
    limit: Annotated[int, about("Rows or cells per page.", ge=1, le=5000)] = 100
    offset: Annotated[int, about("Rows or cells to skip, from nextOffset.", ge=0)] = 0
    layer: LayerNumber = 0


class TilesRead(Outputs, frozen=True, kw_only=True):
    node_path: Annotated[str, about("The layer.")]
    total: Annotated[int, about("How many cells are in use.")]
    bounds: Annotated[list[int], about("x, y, width and height of what is used; six for a GridMap.")] | None = None
    tileset_path: Annotated[str, about("Its tile set.")] | None = None
    rows: Annotated[list[str], about("One character per cell, '.' where it is empty.")] | None = None
    origin: Annotated[list[int], about("Cell of the first character.")] | None = None
    legend: Annotated[dict[str, dict[str, Any]], about("What the characters are, as paint_tiles takes it.")] | None = (
        None
    )
    counts: Annotated[dict[str, int], about("How many cells have each character.")] | None = None
    cells: (
        Annotated[list[list[int]], about("x, y, source, atlas x, atlas y, alternative; or x, y, z, item, orientation.")]
        | None
    ) = None
    next_offset: NextOffset = None


@operation(
    id="godot.tilemap.read",
    category="tilemap",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="get_tiles",
    manager="godot_tilemap_manager",
    examples=(
        Example(
            "What is painted",
            {"scenePath": "level.tscn", "tilemapNodePath": "Ground"},
            {
                "nodePath": "Ground",
                "total": 11,
                "bounds": [0, 0, 5, 3],
                "tilesetPath": "res://tiles/ground.tres",
                "rows": ["#####", "#...#", "##.##"],
                "origin": [0, 0],
                "legend": {"#": {"sourceId": 0, "atlasCoords": [0, 0]}},
                "counts": {"#": 11},
            },
        ),
    ),
)
def get_tiles(call: Call, inputs: GetTiles) -> TilesRead:
    """Reads the cells of a layer: bounds, counts, and a picture in text that paint_tiles accepts."""
    from scenewright.godot.tiles.cell_reader import cell_page, text_page
    from scenewright.godot.tiles.coords import rect
    from scenewright.godot.tiles.gridmap import open_grid
    from scenewright.godot.tiles.layer import open_layer
    from scenewright.godot.tiles.operations.gridmaps import read_grid

    edit = open_edit(call, inputs.scene_path)
    if (grid := open_grid(edit, inputs.tilemap_node_path)) is not None:
        return read_grid(call, grid, inputs)
    layer = open_layer(edit, inputs.tilemap_node_path, inputs.layer)
    region = None if inputs.region is None else rect(inputs.region, "input.region")
    page = (text_page if inputs.form == "rows" else cell_page)(layer.cells, region, inputs.offset, inputs.limit)
    bounds = layer.cells.bounds()
    call.summary = f"'{layer.node.path}': {count_noun(len(layer.cells), 'cell')}."
    return TilesRead(
        node_path=layer.node.path,
        total=len(layer.cells),
        bounds=list(bounds) if bounds else None,
        tileset_path=layer.tileset.path if layer.tileset else None,
        **page,
    )


OPERATIONS = (create_tilemap_layer, create_tilemap, set_tile, paint_tiles, get_tiles)


def must_paint(*, touched: bool) -> None:
    """Refuse a call that paints nothing."""
    if not touched:
        raise Invalid(
            "There is nothing to paint.",
            path="input.tiles",
            rule="required",
            hint="Give tiles, rects, rows with a legend, erase or clear.",
        )


def _add_layer_node(edit: SceneEdit, name: str, parent: str, values: Mapping[str, Any]) -> str:
    from scenewright.godot.scenes.scene_edit import Addition

    return edit.add(Addition(name=name, kind="TileMapLayer", parent=parent, properties=values)).path


def _open_painter(call: Call, edit: SceneEdit, path: str, layer: int) -> tuple[LayerView, Painter]:
    from scenewright.godot.tiles.cell_painting import Painter
    from scenewright.godot.tiles.layer import open_layer

    view = open_layer(edit, path, layer)
    if view.problem is not None:
        call.warnings.append(f"The tiles of '{view.node.path}' could not be checked: {view.problem}.")
    return view, Painter(view.cells, view.tileset)


def _save_painted(
    call: Call, edit: SceneEdit, layer: LayerView, painter: Painter, before: Mapping[tuple[int, int], Any]
) -> Painted:
    from scenewright.godot.tiles.layer import put_cells

    after = dict(painter.cells)
    changed = sum(before.get(cell) != after.get(cell) for cell in before.keys() | after.keys())
    if changed:
        put_cells(edit, layer, painter.cells)
        edit.save()
    bounds = painter.cells.bounds()
    call.summary = f"Changed {count_noun(changed, 'cell')} of '{layer.node.path}'."
    return Painted(
        scene_path=edit.path,
        node_path=layer.node.path,
        changed=changed,
        cells=len(after),
        bounds=list(bounds) if bounds else None,
    )


async def _paint_terrain(call: Call, painter: Painter, inputs: PaintTiles) -> None:
    from scenewright.godot.engine.requests import ask_engine
    from scenewright.godot.tiles.terrain import painted, request

    assert painter.view is not None  # terrain comes from a tile set
    stroke = inputs.terrain or StrokeSpec()
    parameters = request(
        painter.view,
        painter.cells,
        painter.terrain,
        path=stroke.mode == "path",
        ignore_empty=stroke.ignore_empty,
        seed=stroke.seed,
    )
    reply = await ask_engine(call, "tiles.terrain", parameters, timeout=55.0)
    call.warnings += [complaint.message for complaint in reply.complaints[:3]]
    painter.cells = painted(reply.value)
    left = sum(painter.cells.get(cell) is None for cells in painter.terrain.values() for cell in cells)
    if left:
        call.warnings.append(f"{count_noun(left, 'cell')} stayed empty: no tile of the terrain fits there.")


def _tileset_for(call: Call, edit: SceneEdit, inputs: NewTilemap) -> dict[str, Any]:
    """The tile_set that the new node gets: an existing file, a new one, or one inside the scene."""
    from scenewright.godot.documents import variant as v
    from scenewright.godot.documents.creation import new_resource
    from scenewright.godot.documents.ids import new_uid
    from scenewright.godot.documents.resources import add_inner_resource
    from scenewright.godot.tiles.coords import positive_pair
    from scenewright.godot.tiles.tileset import TileSetPlace
    from scenewright.godot.tiles.tileset_edit import TileSetEdit

    workspace = open_workspace(call)
    file = None if inputs.tile_set_path is None else workspace.place(inputs.tile_set_path)
    if file is not None and (call.files.exists(file) or inputs.tile_set_texture_path is None):
        return {"tile_set": f"res://{file}"}
    if inputs.tile_set_texture_path is None:
        return {}
    size = v.Vector2i(*positive_pair(inputs.tile_size or 32, "input.tileSize"))
    if file is None:
        edit.document, name = add_inner_resource(edit.document, "TileSet", {"tile_size": size})
        tileset = TileSetEdit(
            workspace, class_index(call), edit.document, TileSetPlace(workspace.place(edit.path), name)
        )
        reference: Any = {"$resource": "TileSet", "id": name}
    else:
        document = new_resource("TileSet", {"tile_size": size}, uid=new_uid())
        tileset, reference = TileSetEdit(workspace, class_index(call), document, TileSetPlace(file)), f"res://{file}"
    tileset.add_source(SourceSpec(texture_path=inputs.tile_set_texture_path), "input.tileSetTexturePath")
    call.warnings += tileset.warnings
    if file is None:
        tileset.check_fit()
        edit.document = tileset.document
    else:
        tileset.save()
    return {"tile_set": reference}


_CELL_NAMES = {"source_id": "sourceId", "id": "sourceId", "alternative": "alternativeTile", "alt": "alternativeTile"}


def _read_placement(cell: Mapping[str, Any], where: str) -> TilePlacement:
    """Read a cell as godot-mcp-omni writes it, or as paint_tiles does."""
    known = {_CELL_NAMES.get(name, name): value for name, value in cell.items()}
    for name, parts in (
        ("position", (("x", "col"), ("y", "row"))),
        ("atlasCoords", (("atlasX", "atlas_x"), ("atlasY", "atlas_y"))),
    ):
        pair = [next((known.pop(part) for part in either if part in known), None) for either in parts]
        if None not in pair:
            known[name] = pair
    if known.get("sourceId") == -1:
        del known["sourceId"]
    try:
        return msgspec.convert(known, TilePlacement)
    except msgspec.ValidationError as problem:
        raise Invalid(
            f"'{where}' is not a cell: {problem}.", path=where, rule="cell", hint="Send {x, y, atlasX, atlasY}."
        ) from None
