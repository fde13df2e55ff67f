"""Godot's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.project import Engine
from scenewright.core.registry import Catalogue
from scenewright.godot.earlier_names import ACTION_ALIASES
from scenewright.godot.managers import MANAGERS
from scenewright.godot.offer import BACKGROUND, RESOURCES
from scenewright.godot.operations import (
    acting,
    addon,
    animation_reading,
    animation_tracks,
    animation_trees,
    animations,
    attaching,
    audio,
    autoloads,
    bodies,
    capturing,
    collision,
    comparing,
    compiling,
    controls,
    converting,
    debugging,
    declaring,
    docs,
    documenting,
    editing,
    exporting,
    files,
    guidelines,
    headless,
    importing,
    input_actions,
    inspecting,
    launching,
    ldtk,
    lighting,
    lightmaps,
    looking,
    manual,
    marks,
    navigating,
    nodes,
    particles,
    players,
    preflight,
    probing,
    projects,
    reporting,
    resources,
    running,
    scene_files,
    scenes,
    screens,
    scripts,
    settings,
    shaders,
    sprite_frames,
    terrains,
    themes,
    tilemaps,
    tilesets,
    uids,
    upkeep,
    validating,
    wiring,
)

if TYPE_CHECKING:
    from scenewright.core.live import Live
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE", "ENGINE"]

ENGINE = Engine("godot", ("project.godot",), audit_log=".godot_mcp/audit.log")
_AREAS = (
    scenes,
    editing,
    nodes,
    wiring,
    marks,
    scripts,
    compiling,
    attaching,
    comparing,
    declaring,
    validating,
    projects,
    settings,
    autoloads,
    input_actions,
    uids,
    resources,
    files,
    scene_files,
    docs,
    running,
    importing,
    inspecting,
    probing,
    debugging,
    manual,
    looking,
    capturing,
    acting,
    addon,
    animation_reading,
    animation_tracks,
    animation_trees,
    animations,
    audio,
    bodies,
    collision,
    converting,
    controls,
    documenting,
    exporting,
    guidelines,
    headless,
    launching,
    ldtk,
    lighting,
    lightmaps,
    navigating,
    particles,
    preflight,
    players,
    reporting,
    screens,
    shaders,
    sprite_frames,
    tilemaps,
    tilesets,
    terrains,
    themes,
    upkeep,
)


def _live(runtime: Runtime) -> Live:
    from scenewright.godot.live.backend import GodotLive

    return GodotLive(runtime)


CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=tuple(operation for area in _AREAS for operation in area.OPERATIONS),
    managers=MANAGERS,
    action_aliases=ACTION_ALIASES,
    resources=RESOURCES,
    background=BACKGROUND,
    live=_live,
)
