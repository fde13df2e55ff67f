"""`aseprite_manager` import_slices and import_tilemaps: parts of a sprite as resources, and its tile maps as layers."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Annotated, Any

from scenewright.core.calls.call import Call
from scenewright.core.faults import Invalid, NotFound
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.pixel_art.operations.aseprite_files import MANAGER, InputPath
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace
    from scenewright.pixel.sprite import SliceKey, Sprite

__all__ = ["OPERATIONS"]


Overwrite = Annotated[bool, about("Replace a picture that no earlier import has made.")]


class ImportSlices(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    output_folder: Annotated[str, about("Folder for the resources; beside the file if left out.")] | None = None
    slices: Annotated[list[str], about("Only these slices.")] | None = None
    frame: Annotated[int, about("Frame whose picture they are of.", ge=0)] = 0
    scene_path: Annotated[str, about("Scene that gets hit boxes.", min_length=1)] | None = None
    node_path: Annotated[str, about("Node of the scene that they go under.", min_length=1)] = "."
    collision_layer: Annotated[int, about("Physics layers that the hit boxes are on, as bits.", ge=0, lt=2**32)] = 1
    collision_layers: (
        Annotated[
            list[str | int],
            about("The same by name in the project's settings, or by number from 1.", min_length=1, max_length=32),
        ]
        | None
    ) = None
    overwrite: Overwrite = False


class SliceRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Slice.")]
    texture: Annotated[str, about("Its AtlasTexture.")]
    style_box: Annotated[str, about("Its StyleBoxTexture, where it has nine parts.")] | None = None
    hit_box: Annotated[str, about("Its Area2D.")] | None = None


class SlicesImported(Outputs, frozen=True, kw_only=True):
    sheet_path: Annotated[str, about("Picture of all frames.")]
    slices: Annotated[list[SliceRow], about("What was made of each.")]


@operation(
    id="godot.aseprite.import_slices",
    category="asset",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="import_aseprite_slices",
    manager=MANAGER,
    action="import_slices",
    idempotent=True,
    timeout=120.0,
    notes="Called again, files keep their uids and what was added to them by hand; hit boxes keep other properties.",
    examples=(
        Example(
            "A button with nine parts",
            {"inputPath": "ui/panel.aseprite"},
            {
                "sheetPath": "res://ui/panel.png",
                "slices": [
                    {
                        "name": "button",
                        "texture": "res://ui/panel_button.tres",
                        "styleBox": "res://ui/panel_button_box.tres",
                    }
                ],
            },
        ),
    ),
)
def import_aseprite_slices(call: Call, inputs: ImportSlices) -> SlicesImported:
    """Makes of each slice an AtlasTexture, of those with nine parts a StyleBoxTexture, and in a scene hit boxes."""
    from scenewright.godot.physics.layers import layer_names
    from scenewright.godot.pixel_art.slice_resources import SliceResources, add_hit_box, slice_file
    from scenewright.godot.pixel_art.sprite_files import open_sprite
    from scenewright.godot.pixel_art.sprite_frames import stage_frame_sheet
    from scenewright.godot.project.openers import open_edit

    workspace = open_workspace(call)
    sprite = open_sprite(workspace, inputs.input_path)
    chosen = _chosen(sprite, inputs)
    source = workspace.place(inputs.input_path)
    folder = posixpath.dirname(source) if inputs.output_folder is None else workspace.place(inputs.output_folder)
    stem = posixpath.join(folder, posixpath.splitext(posixpath.basename(source))[0])
    is_ours = any(_uses(workspace, f"{stem}_{slice_file(part.name)}.tres", f"{stem}.png") for part in sprite.slices)
    stage_frame_sheet(workspace, sprite, None, f"{stem}.png", overwrite=inputs.overwrite or is_ours)
    resources = SliceResources(workspace, class_index(call), sprite, f"{stem}.png")
    edit = open_edit(call, inputs.scene_path) if inputs.scene_path is not None else None
    layers: Any = inputs.collision_layer
    if inputs.collision_layers is not None:
        layers = layer_names(inputs.collision_layers, "input.collisionLayers")
    rows = []
    for name, key in chosen.items():
        texture, box = resources.stage(stem, name, key, inputs.frame)
        area = None
        if edit is not None:
            area = add_hit_box(edit, inputs.node_path, name, key, sprite, layers)
        rows.append(SliceRow(name=name, texture=texture, style_box=box, hit_box=area))
    if edit is not None:
        edit.save()
    call.summary = f"{count_noun(len(rows), 'slice')} of res://{source}."
    return SlicesImported(sheet_path=f"res://{stem}.png", slices=rows)


class ImportTilemaps(Inputs, frozen=True, kw_only=True):
    input_path: InputPath
    scene_path: Annotated[str, about("Scene to make or bring up to date; beside the file if left out.")] | None = None
    frame: Annotated[int, about("Frame whose maps they are.", ge=0)] = 0
    overwrite: Overwrite = False


class MapRow(Record, frozen=True, kw_only=True):
    layer: Annotated[str, about("Node.")]
    cells: Annotated[int, about("How many cells it has.")]
    tileset_path: Annotated[str, about("Its tile set.")]


class TilemapsImported(Outputs, frozen=True, kw_only=True):
    scene_path: Annotated[str, about("The scene.")]
    layers: Annotated[list[MapRow], about("Its layers, the lowest first.")]


@operation(
    id="godot.aseprite.import_tilemaps",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="import_aseprite_tilemaps",
    manager=MANAGER,
    action="import_tilemaps",
    idempotent=True,
    timeout=120.0,
    notes="Called again, a TileSet keeps what was added to its tiles, and a scene all but the cells of these layers.",
    examples=(
        Example(
            "A level",
            {"inputPath": "maps/level.aseprite"},
            {
                "scenePath": "res://maps/level.tscn",
                "layers": [{"layer": "Ground", "cells": 320, "tilesetPath": "res://maps/level_tiles.tres"}],
            },
        ),
    ),
)
def import_aseprite_tilemaps(call: Call, inputs: ImportTilemaps) -> TilemapsImported:
    """Makes of the tile map layers of a sprite a scene of TileMapLayers with their TileSets."""
    from scenewright.godot.pixel_art.sprite_files import open_sprite
    from scenewright.godot.pixel_art.sprite_tilemaps import SpriteTilemaps
    from scenewright.godot.pixel_art.world_scenes import open_world
    from scenewright.pixel.sprite import LayerKind

    workspace = open_workspace(call)
    sprite = open_sprite(workspace, inputs.input_path)
    maps = [at for at, layer in enumerate(sprite.layers) if layer.kind is LayerKind.TILEMAP]
    if not maps or inputs.frame >= len(sprite.durations):
        raise NotFound(
            f"Frame {inputs.frame} of the sprite has no tile map.", hint="list_aseprite_layers shows what there is."
        )
    stem = posixpath.splitext(workspace.place(inputs.input_path))[0]
    edit = open_world(workspace, class_index(call), inputs.scene_path or f"{stem}.tscn")
    tilemaps = SpriteTilemaps(workspace, edit, sprite, stem, overwrite=inputs.overwrite)
    rows = []
    for at in maps:
        name, cells, tileset = tilemaps.stage(at, inputs.frame)
        rows.append(MapRow(layer=name, cells=cells, tileset_path=f"res://{tileset}"))
    edit.save()
    call.summary = f"{count_noun(len(rows), 'layer')} in {edit.path}."
    return TilemapsImported(scene_path=edit.path, layers=rows)


OPERATIONS = (import_aseprite_slices, import_aseprite_tilemaps)


def _uses(workspace: Workspace, resource: str, picture: str) -> bool:
    """Whether a resource that an earlier import made is of this picture."""
    if not workspace.files.exists(resource):
        return False
    sections = workspace.document(resource).tagged("ext_resource")
    return any(section.string("path") == f"res://{picture}" for section in sections)


def _chosen(sprite: Sprite, inputs: ImportSlices) -> dict[str, SliceKey]:
    """The slices that were asked for, where they are in the frame."""
    if inputs.frame >= len(sprite.durations):
        raise Invalid(f"The sprite has frames 0 to {len(sprite.durations) - 1}.", path="input.frame", rule="maximum")
    keys = {part.name: key for part in sprite.slices if (key := part.at(inputs.frame)) is not None}
    missing = [name for name in inputs.slices or () if name not in keys]
    if missing or not keys:
        what = f"no slice '{missing[0]}'" if missing else "no slices"
        raise NotFound(f"Frame {inputs.frame} of the sprite has {what}.", hint="list_aseprite_slices shows them.")
    return keys if inputs.slices is None else {name: keys[name] for name in inputs.slices}
