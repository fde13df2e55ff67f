"""`pixel_manager` object_generate and object_place: things of a world drawn, and put where they belong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from scenewright.core.calls.call import Attachment, Call
from scenewright.core.faults import NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.pixel_worlds import MANAGER, Seed
from scenewright.godot.project.openers import ScenePath, class_index, open_edit, open_workspace
from scenewright.pixel.worlds.specs import ObjectSpec

if TYPE_CHECKING:
    from scenewright.godot.pixel_art.object_files import ObjectFiles
    from scenewright.godot.project.workspace import Workspace

__all__ = ["OPERATIONS"]

Thing = Annotated[ObjectSpec, about("The thing: {id, kind, representation, placement, …}.")]


class GenerateObject(Inputs, frozen=True, kw_only=True):
    spec: Thing
    tileset_path: Annotated[str, about("Tile set that gets it, where it is a tile.", min_length=1)] | None = None
    force_regenerate: Annotated[bool, about("Make what is there again.")] = False


class ObjectGenerated(Outputs, frozen=True, kw_only=True):
    picture: Annotated[str, about("Its picture.")]
    size: Annotated[list[int], about("Width and height in pixels.")]
    scene_path: Annotated[str, about("Its scene.")] | None = None
    tileset_path: Annotated[str, about("Tile set that has it.")] | None = None


_CHEST = {"id": "chest", "kind": "chest", "placement": {"count": 3, "onTiles": ["ground"], "minDistance": 4}}


@operation(
    id="godot.pixel.object_generate",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_object_generate",
    manager=MANAGER,
    action="object_generate",
    idempotent=True,
    notes="kind 'player' makes a hero who walks in four directions.",
    examples=(
        Example(
            "A chest",
            {"spec": {"id": "chest", "kind": "chest"}},
            {"picture": "res://objects/chest.png", "size": [17, 10], "scenePath": "res://objects/chest.tscn"},
        ),
    ),
)
def pixel_object_generate(call: Call, inputs: GenerateObject) -> ObjectGenerated:
    """Draws a thing of a world, as a scene with collision or a tile of the tile set; or takes it from a sprite."""
    from scenewright.godot.pixel_art.manifest import Manifest, now
    from scenewright.pixel.pictures import open_picture
    from scenewright.pixel.previews import preview

    started = now()
    workspace = open_workspace(call)
    tileset = workspace.place(inputs.tileset_path) if inputs.tileset_path is not None else None
    made = _make(call, workspace, inputs.spec, tileset, redraw=inputs.force_regenerate)
    outputs = [f"res://{path}" for path in (made.picture, made.scene) if path is not None]
    summary = f"'{inputs.spec.id}' is {outputs[-1]}."
    Manifest(workspace).note("object_generate", summary, started=started, outputs=outputs)
    picture = open_picture(workspace.files.read(made.picture), "input.spec")
    call.attach(Attachment("image", preview([picture]), "image/png"))
    call.summary = summary
    return ObjectGenerated(
        picture=f"res://{made.picture}",
        size=list(made.size),
        scene_path=f"res://{made.scene}" if made.scene is not None else None,
        tileset_path=f"res://{made.tileset}" if made.tileset is not None else None,
    )


class PlaceObjects(Inputs, frozen=True, kw_only=True):
    scene_path: ScenePath
    spec: Thing
    layer_name: Annotated[str, about("Layer that gets them; Objects, or Things for tiles.", min_length=1)] | None = None
    seed: Seed = 1
    replace: Annotated[bool, about("Take away those that an earlier call placed.")] = True


class ObjectsPlaced(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The scene.")]
    node_path: Annotated[str, about("Layer that has them.")]
    placed: Annotated[int, about("How many there are.")]
    cells: Annotated[list[list[int]], about("Where, in cells; the first 50.")]


@operation(
    id="godot.pixel.object_place",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="pixel_object_place",
    manager=MANAGER,
    action="object_place",
    idempotent=True,
    timeout=120.0,
    parameter_aliases={"worldScenePath": "scenePath"},
    notes="What a cell is, is read from the scene's own tiles: by the names of their terrains, or as roles.",
    examples=(
        Example(
            "Three chests on grass",
            {"scenePath": "worlds/island.tscn", "spec": _CHEST, "seed": 7},
            {
                "scenePath": "res://worlds/island.tscn",
                "nodePath": "Objects",
                "placed": 3,
                "cells": [[9, 12], [30, 6], [33, 20]],
            },
        ),
    ),
)
def pixel_object_place(call: Call, inputs: PlaceObjects) -> ObjectsPlaced:
    """Places a thing in a world: by density or number, on tiles and off others, near some, and at a distance."""
    from scenewright.godot.documents.ids import seeded_ids
    from scenewright.godot.pixel_art.manifest import Manifest, now
    from scenewright.godot.pixel_art.world_objects import WorldObjects

    started = now()
    spec = inputs.spec
    with seeded_ids(f"{inputs.seed}:{inputs.scene_path}:{spec.id}"):
        edit = open_edit(call, inputs.scene_path)
        world = WorldObjects(edit, class_index(call))
        if spec.kind == "player" or spec.representation == "scene":
            scene = f"objects/{spec.id}.tscn"
            if not edit.workspace.files.exists(scene):
                raise NotFound(f"There is no 'res://{scene}'.", hint="pixel_object_generate makes it.")
            route = Manifest(edit.workspace).value.get("route", {})
            start = route.get(edit.path) if spec.kind == "player" and isinstance(route, dict) else None
            layer, cells = world.place_scenes(spec, scene, inputs.layer_name, inputs.seed, start, again=inputs.replace)
        else:
            layer, cells = world.place_tiles(spec, inputs.layer_name, inputs.seed, again=inputs.replace)
        edit.save()
    wanted = spec.placement.count
    if wanted is not None and len(cells) < wanted:
        call.warnings.append(f"There was room for {len(cells)} of {wanted}.")
    call.summary = f"Placed {count_noun(len(cells), 'thing')} of '{spec.id}' in {edit.path}."
    Manifest(edit.workspace).note("object_place", call.summary, started=started, outputs=[edit.path])
    return ObjectsPlaced(
        scene_path=edit.path, node_path=layer, placed=len(cells), cells=[list(cell) for cell in cells[:50]]
    )


OPERATIONS = (pixel_object_generate, pixel_object_place)


def _make(call: Call, workspace: Workspace, spec: ObjectSpec, tileset: str | None, *, redraw: bool) -> ObjectFiles:
    from scenewright.godot.documents.ids import seeded_ids
    from scenewright.godot.pixel_art.object_files import stage_object, stage_player

    index = class_index(call)
    with seeded_ids(f"object:{spec.id}"):
        if spec.kind == "player":
            return stage_player(workspace, index, redraw=redraw)
        return stage_object(workspace, index, spec, tileset, redraw=redraw)
