"""LDtk projects brought in as scenes."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from scenewright.core.calls.call import Call
from scenewright.core.faults import Conflict, Invalid, NotFound, did_you_mean
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.text.counts import count_noun
from scenewright.godot.project.openers import class_index, open_workspace

if TYPE_CHECKING:
    from scenewright.godot.project.workspace import Workspace
    from scenewright.godot.tiles.ldtk import Level, Project

__all__ = ["OPERATIONS"]


class ImportLdtk(Inputs, frozen=True, kw_only=True):
    ldtk_path: Annotated[str, about("LDtk project (.ldtk).", min_length=1)]
    level_identifier: Annotated[str, about("Level; all if left out.")] | None = None
    output_path: Annotated[str, about("Folder, or a .tscn for one level; the project's folder if left out.")] | None = (
        None
    )
    create_collision: Annotated[bool, about("Add a StaticBody2D over IntGrid cells.")] = False
    collision_values: Annotated[list[int | str], about("Only these IntGrid values, numbers or names.")] = msgspec.field(
        default_factory=list
    )
    entity_mapping: Annotated[
        Any,
        about(
            "What entities become: {'Player': 'res://player.tscn', 'Door': 'Area2D'}, or a list of {ldtkIdentifier,"
            " scenePath or godotNodeType, properties}. Others become Marker2D."
        ),
    ] = None
    overwrite: Annotated[bool, about("Replace scenes that exist.")] = False


class LevelRow(Record, frozen=True, kw_only=True):
    level: Annotated[str, about("Level.")]
    scene_path: Annotated[str, about("Its scene.")]
    layers: Annotated[int, about("Number of TileMapLayers.")]
    cells: Annotated[int, about("Cells in use.")]
    entities: Annotated[int, about("Entities.")]
    shapes: Annotated[int, about("Collision shapes.")] = 0


class LdtkImported(Outputs, frozen=True, kw_only=True):
    levels: Annotated[list[LevelRow], about("What was created.")]
    tilesets: Annotated[list[str], about("Tile sets that were created or completed.")]


@operation(
    id="godot.tilemap.import_ldtk",
    category="tilemap",
    safety=Safety.SAFE_WRITE,
    needs_project=True,
    tool="import_ldtk_level",
    manager="godot_tilemap_manager",
    action="import_ldtk",
    timeout=120.0,
    notes="Fields of an entity set properties of the same name and are kept as metadata ldtk_fields. A tile set that"
    " exists is kept and completed, so that collision added to it stays.",
    examples=(
        Example(
            "One level",
            {
                "ldtkPath": "maps/world.ldtk",
                "levelIdentifier": "Level_0",
                "createCollision": True,
                "entityMapping": {"Player": "res://player.tscn"},
            },
            {
                "levels": [
                    {
                        "level": "Level_0",
                        "scenePath": "res://maps/Level_0.tscn",
                        "layers": 2,
                        "cells": 320,
                        "entities": 4,
                        "shapes": 7,
                    }
                ],
                "tilesets": ["res://maps/Cavernas.tres"],
            },
        ),
    ),
)
def import_ldtk_level(call: Call, inputs: ImportLdtk) -> LdtkImported:
    """Makes scenes from LDtk levels: background, tile layers with tile sets, IntGrid collision, entities as nodes."""
    from scenewright.godot.tiles.ldtk import open_project
    from scenewright.godot.tiles.ldtk_tilesets import LdtkTilesets
    from scenewright.godot.tiles.levels import LevelMaker, read_mapping

    workspace = open_workspace(call)
    mapping = read_mapping(inputs.entity_mapping, "input.entityMapping")
    project, levels = open_project(workspace, inputs.ldtk_path, inputs.level_identifier)
    home = workspace.place(inputs.ldtk_path).rpartition("/")[0]
    places = _scene_places(workspace, inputs, levels, home)
    folder = places[0].rpartition("/")[0] if places else home
    tilesets = LdtkTilesets(workspace, class_index(call), project, home, folder)
    maker = LevelMaker(workspace, class_index(call), project, tilesets, mapping)
    solid = _solid_values(inputs, project)
    rows = []
    for level, place in zip(levels, places, strict=True):
        result = maker.make(level, place, solid)
        rows.append(
            LevelRow(
                level=level.identifier,
                scene_path=f"res://{place}",
                layers=result.layers,
                cells=result.cells,
                entities=result.entities,
                shapes=result.shapes,
            )
        )
    call.warnings += list(dict.fromkeys([*tilesets.warnings, *maker.warnings]))
    call.summary = f"Made {count_noun(len(rows), 'scene')} and {count_noun(len(tilesets.paths), 'tile set')}."
    return LdtkImported(levels=rows, tilesets=tilesets.paths)


OPERATIONS = (import_ldtk_level,)


def _solid_values(inputs: ImportLdtk, project: Project) -> list[int | str] | None:
    """The IntGrid values that get collision: all where the list is empty, none of them where there is none."""
    known = {name: value for layer in project.defs.layers for name, value in layer.values.items()}
    for wanted in inputs.collision_values:
        if isinstance(wanted, str) and wanted not in known:
            near = did_you_mean(wanted, list(known)) or f"It has: {', '.join(known) or 'none with names'}."
            raise NotFound(f"The LDtk project has no IntGrid value '{wanted}' (collisionValues).", hint=near)
    if inputs.collision_values and not inputs.create_collision:
        raise Invalid(
            "collisionValues has no effect without createCollision.",
            path="input.createCollision",
            rule="required",
            hint="Pass createCollision: true.",
        )
    return inputs.collision_values if inputs.create_collision else None


def _scene_places(workspace: Workspace, inputs: ImportLdtk, levels: list[Level], home: str) -> list[str]:
    """Where each level's scene goes."""
    target = home if inputs.output_path is None else workspace.place(inputs.output_path)
    if target.endswith(".tscn"):
        if len(levels) > 1:
            raise Invalid(
                f"{len(levels)} levels do not fit into one scene.",
                path="input.outputPath",
                rule="levels",
                hint="Give levelIdentifier, or a folder.",
            )
        places = [target]
    else:
        places = [workspace.place(posixpath.join(target, f"{level.identifier}.tscn")) for level in levels]
    existing = [place for place in places if workspace.files.exists(place)]
    if existing and not inputs.overwrite:
        raise Conflict(f"'res://{existing[0]}' exists already.", hint="Pass overwrite: true.", retryable=False)
    return places
