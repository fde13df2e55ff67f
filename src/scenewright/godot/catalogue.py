"""Godot's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.operation import Manager
from scenewright.core.project import Engine
from scenewright.core.registry import Catalogue
from scenewright.godot.offer import BACKGROUND, RESOURCES
from scenewright.godot.operations import (
    acting,
    addon,
    animation_reading,
    animation_tracks,
    animation_trees,
    animations,
    attaching,
    autoloads,
    capturing,
    comparing,
    compiling,
    debugging,
    declaring,
    docs,
    editing,
    files,
    importing,
    input_actions,
    inspecting,
    ldtk,
    looking,
    manual,
    marks,
    nodes,
    probing,
    projects,
    resources,
    running,
    scene_files,
    scenes,
    scripts,
    settings,
    sprite_frames,
    tilemaps,
    tilesets,
    uids,
    validating,
    wiring,
)

if TYPE_CHECKING:
    from scenewright.core.live import Live
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE", "ENGINE"]

ENGINE = Engine("godot", ("project.godot",), audit_log=".godot_mcp/audit.log")


def _live(runtime: Runtime) -> Live:
    from scenewright.godot.live.backend import GodotLive

    return GodotLive(runtime)


CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=(
        *scenes.OPERATIONS,
        *editing.OPERATIONS,
        *nodes.OPERATIONS,
        *wiring.OPERATIONS,
        *marks.OPERATIONS,
        *scripts.OPERATIONS,
        *compiling.OPERATIONS,
        *attaching.OPERATIONS,
        *comparing.OPERATIONS,
        *declaring.OPERATIONS,
        *validating.OPERATIONS,
        *projects.OPERATIONS,
        *settings.OPERATIONS,
        *autoloads.OPERATIONS,
        *input_actions.OPERATIONS,
        *uids.OPERATIONS,
        *resources.OPERATIONS,
        *files.OPERATIONS,
        *scene_files.OPERATIONS,
        *docs.OPERATIONS,
        *running.OPERATIONS,
        *importing.OPERATIONS,
        *probing.OPERATIONS,
        *debugging.OPERATIONS,
        *manual.OPERATIONS,
        *looking.OPERATIONS,
        *capturing.OPERATIONS,
        *acting.OPERATIONS,
        *addon.OPERATIONS,
        *animations.OPERATIONS,
        *animation_reading.OPERATIONS,
        *animation_tracks.OPERATIONS,
        *animation_trees.OPERATIONS,
        *sprite_frames.OPERATIONS,
        *tilesets.OPERATIONS,
        *tilemaps.OPERATIONS,
        *ldtk.OPERATIONS,
        *inspecting.OPERATIONS,
    ),
    resources=RESOURCES,
    background=BACKGROUND,
    live=_live,
    managers=(
        Manager(name="godot_scene_manager", title="Godot Scenes", description="Makes and changes Godot scenes."),
        Manager(
            name="godot_inspector_manager", title="Godot Inspector", description="Looks into Godot scenes and nodes."
        ),
        Manager(name="godot_code_manager", title="Godot Code", description="GDScript files of a Godot project."),
        Manager(
            name="godot_project_config_manager",
            title="Godot Project",
            description="Settings, autoloads and input map of a Godot project.",
        ),
        Manager(
            name="godot_asset_manager",
            title="Godot Assets",
            description="The files of a Godot project: resources, their uids, who uses them, moving, searching.",
        ),
        Manager(
            name="godot_workspace_manager",
            title="Godot Workspace",
            description="Runs the game; projects of a folder; class reference; the way to an open editor.",
        ),
        Manager(
            name="godot_editor_view_manager",
            title="Godot Editor View",
            description="Pictures of the open Godot editor and of the running game.",
        ),
        Manager(name="godot_log_manager", title="Godot Log", description="Errors and log of the open Godot editor."),
        Manager(
            name="godot_debug_manager",
            title="Godot Debugger",
            description="Output, breakpoints, stack and variables of the game.",
        ),
        Manager(
            name="godot_animation_manager",
            title="Godot Animation",
            description="Animations, animation trees, sprite frames; the inspector lists them.",
            name="godot_tilemap_manager",
            title="Godot Tile Maps",
            description="Tile sets with collision and terrain, tile map layers, LDtk levels.",
        ),
    ),
)
