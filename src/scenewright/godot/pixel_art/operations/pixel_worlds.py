"""`pixel_manager` tilemap_generate, world_generate, layer_ensure: tile sheets drawn by rules, and worlds of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import ScenePath, class_index, open_workspace
from scenewright.pixel.worlds.specs import TilemapSpec, WorldSpec

if TYPE_CHECKING:
    from PIL.Image import Image

    from scenewright.godot.pixel_art.world_scenes import WorldScene
    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.worlds.land import Land

__all__ = ["MANAGER", "OPERATIONS", "ExternalTools", "Seed", "TimeoutMs"]

MANAGER = "pixel_manager"
Seed = Annotated[int, about("Chooses; the same gives the same bytes.", ge=0, lt=2**53)]
ExternalTools = Annotated[bool, about("Ask IMAGE_GEN_URL or SPEC_GEN_URL where set and allowed.")]
TimeoutMs = Annotated[int, about("How long to wait for it.", ge=1000, le=600_000)]


class GenerateTilemap(Inputs, frozen=True, kw_only=True):
    spec: Annotated[TilemapSpec, about("What it is to be.")] | None = None
    seed: Seed = 1
    reuse_existing_sheet: Annotated[bool, about("Take over a sheet that is there.")] = True
    force_regenerate: Annotated[bool, about("Draw a sheet that is there again.")] = False
    image_gen_mode: Annotated[
        Literal["auto", "manual_drop"], about("manual_drop: a person puts the sheet there, and nothing is drawn.")
    ] = "auto"
    allow_external_tools: ExternalTools = False
    timeout_ms: TimeoutMs = 60_000


class TilemapGenerated(Outputs, frozen=True, kw_only=True):
    sheet_png_path: Annotated[str, about("The sheet.")]
    tileset_path: Annotated[str, about("Its TileSet.")] = ""
    source: Annotated[str, about("drawn, reused, given, aseprite, or awaited from a person.")]
    tiles: Annotated[int, about("How many tiles it has.")] = 0
    size: Annotated[list[int], about("Pixels that an awaited sheet must have.")] | None = None


@operation(
    id="godot.pixel.tilemap_generate",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_tilemap_generate",
    manager=MANAGER,
    action="tilemap_generate",
    open_world=True,
    idempotent=True,
    timeout=120.0,
    notes="Five terrains with all 47 tiles each, water, bridges; custom data 'kind' says which tiles are water.",
    asked_for="generate a tileset, draw tiles, terrain tiles",
    examples=(
        Example(
            "Tiles of a snowy land",
            {"spec": {"name": "snow", "theme": "snow"}, "seed": 4},
            {
                "sheetPngPath": "res://tilesets/snow.png",
                "tilesetPath": "res://tilesets/snow.tres",
                "source": "drawn",
                "tiles": 250,
            },
        ),
    ),
)
def pixel_tilemap_generate(call: Call, inputs: GenerateTilemap) -> TilemapGenerated:
    """Makes a tile sheet of a theme with its TileSet: terrains, collision, variants; or one of a sprite's tile set."""
    from scenewright.godot.pixel_art.manifest import Manifest, now
    from scenewright.godot.pixel_art.tile_sheets import make_sheet, places_of

    started = now()
    workspace = open_workspace(call)
    spec = inputs.spec or TilemapSpec()
    places = places_of(workspace, spec)
    there = workspace.files.exists(places.sheet)
    redraw = inputs.force_regenerate or not inputs.reuse_existing_sheet
    if inputs.image_gen_mode == "manual_drop" and not there:
        return _awaited(call, spec, places.sheet)
    given = None if there and not redraw else _from_generator(call, inputs, spec)
    sheet = make_sheet(workspace, spec, inputs.seed, given=given, redraw=redraw)
    summary = f"Tile sheet res://{places.sheet} is {sheet.source}, with {count_noun(sheet.tiles, 'tile')}."
    outputs = [f"res://{places.sheet}", f"res://{places.tileset}"]
    Manifest(workspace).note("tilemap_generate", summary, started=started, outputs=outputs, seed=inputs.seed)
    _warn_of_import(call, workspace, places.sheet)
    call.summary = summary
    return TilemapGenerated(sheet_png_path=outputs[0], tileset_path=outputs[1], source=sheet.source, tiles=sheet.tiles)


class GenerateWorld(Inputs, frozen=True, kw_only=True):
    spec: Annotated[WorldSpec, about("What it is to be.")] | None = None
    seed: Seed | None = None
    theme: Annotated[str, about("Theme of the tile set that is made where there is none.", max_length=64)] = "grassland"
    autotile: Annotated[
        Literal["auto", "engine"],
        about("engine: have Godot choose every tile; auto: only where a terrain lacks tiles, else by the same rules."),
    ] = "auto"


class LayerRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Node.")]
    cells: Annotated[int, about("How many cells it has.")]


class WorldGenerated(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The scene.")]
    tileset_path: Annotated[str, about("Its tile set.")]
    seed: Annotated[int, about("Seed it follows from.")]
    size: Annotated[list[int], about("Cells across and down.")]
    tile_size: Annotated[list[int], about("Pixels of a cell.")]
    layers: Annotated[list[LayerRow], about("Layers, the lowest first.")]
    roles: Annotated[dict[str, int], about("How many cells are water, shore, ground, growth, rock and path.")]
    route: Annotated[list[list[int]], about("Corners of a way on foot from west to east, in cells.")]


@operation(
    id="godot.pixel.world_generate",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_world_generate",
    manager=MANAGER,
    action="world_generate",
    idempotent=True,
    timeout=120.0,
    executes="sometimes",
    notes="A scene that exists keeps all but the cells of these layers. The reply shows a map.",
    asked_for="generate a world, procedural map, island, terrain with rivers",
    examples=(
        Example(
            "An island with a river",
            {
                "spec": {
                    "scenePath": "worlds/island.tscn",
                    "mapSize": {"width": 48, "height": 32},
                    "placementRules": {"riverCarve": True},
                },
                "seed": 7,
            },
            {
                "scenePath": "res://worlds/island.tscn",
                "tilesetPath": "res://tilesets/overworld.tres",
                "seed": 7,
                "size": [48, 32],
                "tileSize": [16, 16],
                "layers": [{"name": "Water", "cells": 892}, {"name": "Shore", "cells": 880}],
                "roles": {"water": 644, "shore": 200, "ground": 394},
                "route": [[4, 24], [9, 24]],
            },
        ),
    ),
)
def pixel_world_generate(call: Call, inputs: GenerateWorld) -> WorldGenerated:
    """Makes a world as a scene: land of noise and biomes, rivers, paths with bridges, a layer for each terrain."""
    from scenewright.godot.documents.ids import seeded_ids
    from scenewright.godot.pixel_art.manifest import Manifest, now
    from scenewright.godot.pixel_art.terrain_tables import TerrainTable
    from scenewright.godot.pixel_art.world_scenes import WorldScene, open_world
    from scenewright.godot.tiles.tileset import open_tileset
    from scenewright.pixel.worlds.land import make_land

    started = now()
    workspace = open_workspace(call)
    spec = inputs.spec or WorldSpec()
    seed = spec.seed if spec.seed is not None else inputs.seed if inputs.seed is not None else 1
    tileset = _tileset_of(workspace, spec, inputs.theme, seed)
    view, _ = open_tileset(workspace, tileset)
    land = make_land(spec, seed)
    with seeded_ids(f"{seed}:{workspace.place(spec.scene_path)}"):
        edit = open_world(workspace, class_index(call), spec.scene_path)
        scene = WorldScene(edit, spec, TerrainTable(view), seed)
        scene.paint(land, f"res://{tileset}")
        _paint_by_engine(call, scene, land, seed, everything=inputs.autotile == "engine")
        if spec.organize_existing:
            scene.organize()
        edit.save()
    call.warnings += scene.warnings
    route = [list(corner) for corner in _corners(land.route)]
    summary = f"{edit.path}: {land.width} x {land.height} cells, seed {seed}."
    Manifest(workspace).note(
        "world_generate", summary, started=started, outputs=[edit.path], seed=seed, route={edit.path: route}
    )
    call.attach(Attachment("image", _map_picture(land), "image/png"))
    call.summary = summary
    return WorldGenerated(
        scene_path=edit.path,
        tileset_path=f"res://{tileset}",
        seed=seed,
        size=[land.width, land.height],
        tile_size=list(view.tile_size),
        layers=[LayerRow(name=name, cells=count) for name, count in scene.counts.items()],
        roles=land.counts(),
        route=route,
    )


class EnsureLayer(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    layer_name: Annotated[str, about("Name of the layer.", min_length=1, max_length=200)]
    type: Annotated[Literal["tiles", "objects"], about("A TileMapLayer, or a Node2D for things.")] = "tiles"
    tileset_path: Annotated[str, about("Its tile set; that of another layer if left out.")] | None = None
    z_index: Annotated[int, about("Drawn above lower ones.", ge=-4096, le=4096)] = 0


class LayerEnsured(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The scene.")]
    node_path: Annotated[str, about("The layer.")]
    made: Annotated[bool, about("Whether it was not there before.")]


@operation(
    id="godot.pixel.layer_ensure",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_layer_ensure",
    manager=MANAGER,
    action="layer_ensure",
    idempotent=True,
    parameter_aliases={"worldScenePath": "scenePath"},
    examples=(
        Example(
            "A layer for houses",
            {"scenePath": "worlds/island.tscn", "layerName": "Houses"},
            {"scenePath": "res://worlds/island.tscn", "nodePath": "Houses", "made": True},
        ),
    ),
)
def pixel_layer_ensure(call: Call, inputs: EnsureLayer) -> LayerEnsured:
    """Adds a layer to a world unless there is one of that name."""
    from scenewright.godot.pixel_art.manifest import Manifest, now
    from scenewright.godot.pixel_art.world_scenes import add_layer
    from scenewright.godot.project.openers import open_edit

    started = now()
    edit = open_edit(call, inputs.scene_path)
    if edit.tree.find(inputs.layer_name) is not None:
        kind = "Node2D" if inputs.type == "objects" else "TileMapLayer"
        path = edit.node(inputs.layer_name, wanted=kind, parameter="layerName").path
        call.summary = f"'{path}' is there already."
        return LayerEnsured(scene_path=edit.path, node_path=path, made=False)
    tileset = edit.workspace.resource_path(inputs.tileset_path) if inputs.tileset_path is not None else None
    path = add_layer(edit, inputs.layer_name, tiles=inputs.type == "tiles", tileset=tileset, z_index=inputs.z_index)
    edit.save()
    call.summary = f"Added the layer '{path}'."
    Manifest(edit.workspace).note("layer_ensure", call.summary, started=started)
    return LayerEnsured(scene_path=edit.path, node_path=path, made=True)


OPERATIONS = (pixel_tilemap_generate, pixel_world_generate, pixel_layer_ensure)


def _awaited(call: Call, spec: TilemapSpec, sheet: str) -> TilemapGenerated:
    from scenewright.pixel.worlds.tile_art import plan_sheet

    plan = plan_sheet(spec.tile_size, spec.sheet.columns, spec.sheet.rows or 1)
    size = [plan.columns * plan.tile, plan.rows * plan.tile]
    call.summary = f"Put a picture of {size[0]} x {size[1]} pixels at res://{sheet}, then call again."
    return TilemapGenerated(sheet_png_path=f"res://{sheet}", source="awaited", size=size)


def _from_generator(call: Call, inputs: GenerateTilemap, spec: TilemapSpec) -> Image | None:
    """The sheet that IMAGE_GEN_URL makes, where it may be asked; else rules draw it."""
    if not inputs.allow_external_tools or spec.source_aseprite_path is not None:
        return None
    from scenewright.godot.pixel_art.generators import generated_picture
    from scenewright.pixel.worlds.tile_art import plan_sheet

    plan = plan_sheet(spec.tile_size, spec.sheet.columns, spec.sheet.rows or 1)
    wish: dict[str, Any] = {
        "prompt": f"pixel art tile sheet, theme {spec.theme}, tiles of {spec.tile_size} pixels",
        "width": plan.columns * plan.tile,
        "height": plan.rows * plan.tile,
        "seed": inputs.seed,
        "spec": msgspec.to_builtins(spec),
    }
    return generated_picture(call, lambda: wish, inputs.timeout_ms / 1000)


def _tileset_of(workspace: Workspace, spec: WorldSpec, theme: str, seed: int) -> str:
    """The tile set's place; made of the theme where none is there and none was named."""
    from scenewright.godot.pixel_art.tile_sheets import make_sheet

    if spec.tileset_path is not None:
        place = workspace.place(spec.tileset_path)
        if not workspace.files.exists(place):
            raise NotFound(
                f"There is no tile set 'res://{place}'.", hint="pixel_tilemap_generate makes one; or leave it out."
            )
        return place
    name = spec.tileset_name or "overworld"
    place = workspace.place(f"tilesets/{name}.tres")
    if not workspace.files.exists(place):
        make_sheet(workspace, TilemapSpec(name=name, theme=theme), seed)
    return place


def _paint_by_engine(call: Call, scene: WorldScene, land: Land, seed: int, *, everything: bool) -> None:
    """Have the engine choose the tiles of terrains that lack some, or of all."""
    import anyio.from_thread

    if everything:
        scene.leave_to_engine(land)
    for stroke in scene.strokes:
        anyio.from_thread.run(_paint_stroke, call, scene, stroke, seed)


async def _paint_stroke(call: Call, scene: WorldScene, stroke: Any, seed: int) -> None:
    from scenewright.godot.engine.requests import ask_engine
    from scenewright.godot.tiles.cell_painting import Terrain
    from scenewright.godot.tiles.cells import Cells
    from scenewright.godot.tiles.terrain import painted, request

    tiles = scene.table.terrains[stroke.terrain]
    strokes = {Terrain(tiles.terrain_set, tiles.number): stroke.cells}
    kept = scene.kept.get(stroke.layer, Cells())
    parameters = request(scene.table.view, kept, strokes, path=False, ignore_empty=False, seed=seed)
    reply = await ask_engine(call, "tiles.terrain", parameters, timeout=110.0)
    call.warnings += [complaint.message for complaint in reply.complaints[:3]]
    cells = painted(reply.value)
    scene.counts[stroke.layer] = len(cells)
    scene.put_bytes(stroke.layer, cells.to_bytes())


def _corners(route: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ends of a way and the places where it turns."""
    return [
        cell
        for at, cell in enumerate(route)
        if at in (0, len(route) - 1)
        or (cell[0] - route[at - 1][0], cell[1] - route[at - 1][1])
        != (route[at + 1][0] - cell[0], route[at + 1][1] - cell[1])
    ]


def _map_picture(land: Land) -> bytes:
    """The map with a few pixels for each cell."""
    from PIL import Image

    from scenewright.pixel.previews import png
    from scenewright.pixel.worlds.specs import ROLES
    from scenewright.pixel.worlds.themes import find_theme

    looks = find_theme("grassland").looks
    colors = [bytes(looks[role].base) for role in ROLES]
    data = b"".join(colors[cell] for cell in land.cells)
    picture = Image.frombytes("RGBA", (land.width, land.height), data)
    scale = max(1, min(8, 512 // max(land.width, land.height)))
    return png(picture.resize((land.width * scale, land.height * scale), Image.Resampling.NEAREST))


def _warn_of_import(call: Call, workspace: Workspace, sheet: str) -> None:
    if not workspace.files.exists(f"{sheet}.import"):
        call.warnings.append(f"res://{sheet} is not imported yet; import_assets does that.")
