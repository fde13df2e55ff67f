"""Godot's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.operations.registry import Catalogue
from scenewright.core.projects.project import Engine
from scenewright.godot.animation.operations import (
    animation_details,
    animation_tracks,
    animation_trees,
    animations,
    sprite_frames,
)
from scenewright.godot.assets.operations import image_inspection, imports, resource_files
from scenewright.godot.audio.operations import audio
from scenewright.godot.building.operations import bodies, players, screens, terrains
from scenewright.godot.catalogue.managers import MANAGERS
from scenewright.godot.classes.operations import class_reference, godoty_manual
from scenewright.godot.editor.addon_files import FOLDER
from scenewright.godot.editor.operations import (
    addon,
    bridge_methods,
    captures,
    edited_scene,
    editor_actions,
    editor_launch,
    editor_log,
    editor_view,
    open_documents,
    playback,
)
from scenewright.godot.engine.operations import debugger, evaluation, headless, pictures, probes, runs, script_errors
from scenewright.godot.export.operations import exports
from scenewright.godot.language.operations import script_attachment, script_documentation, scripts
from scenewright.godot.physics.operations import collision, navigation
from scenewright.godot.project.operations import (
    autoloads,
    doctor,
    file_management,
    files,
    game_data,
    godot3_conversion,
    guidelines,
    input_actions,
    maintenance,
    preflight,
    projects,
    settings,
    uids,
    validation,
)
from scenewright.godot.rendering.operations import lighting, lightmaps, particles, shaders
from scenewright.godot.resources_and_prompts import BACKGROUND, PROMPTS, RESOURCES
from scenewright.godot.scenes.operations import (
    apply_scene,
    groups,
    members,
    node_batches,
    node_properties,
    nodes,
    scene_differences,
    scene_files,
    scenes,
    signals,
)
from scenewright.godot.tiles.operations import ldtk_import, tilemaps, tilesets
from scenewright.godot.ui.operations import controls, themes

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call
    from scenewright.core.projects.live import Live
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE", "ENGINE"]

ENGINE = Engine("godot", ("project.godot",), audit_log=".godot_mcp/audit.log", generated=(FOLDER,))
_AREAS = (
    scenes,
    node_properties,
    node_batches,
    nodes,
    signals,
    groups,
    members,
    scripts,
    script_errors,
    script_attachment,
    evaluation,
    scene_differences,
    apply_scene,
    validation,
    projects,
    settings,
    autoloads,
    input_actions,
    game_data,
    uids,
    resource_files,
    files,
    file_management,
    scene_files,
    class_reference,
    runs,
    imports,
    image_inspection,
    probes,
    pictures,
    debugger,
    godoty_manual,
    edited_scene,
    captures,
    editor_actions,
    addon,
    animation_details,
    animation_tracks,
    animation_trees,
    animations,
    audio,
    bodies,
    bridge_methods,
    collision,
    controls,
    godot3_conversion,
    script_documentation,
    exports,
    editor_log,
    editor_view,
    guidelines,
    headless,
    editor_launch,
    ldtk_import,
    lighting,
    lightmaps,
    navigation,
    particles,
    players,
    playback,
    preflight,
    doctor,
    screens,
    shaders,
    sprite_frames,
    terrains,
    themes,
    tilemaps,
    tilesets,
    maintenance,
    open_documents,
)


def _live(runtime: Runtime) -> Live:
    from scenewright.godot.editor.live.backend import GodotLive

    return GodotLive(runtime)


async def _complete(call: Call) -> None:
    from scenewright.godot.editor.live.call_completion import complete

    await complete(call)


async def _review(call: Call) -> None:
    from scenewright.godot.engine.compile_review import review

    await review(call)


CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=tuple(operation for area in _AREAS for operation in area.OPERATIONS),
    managers=MANAGERS,
    resources=RESOURCES,
    prompts=PROMPTS,
    background=BACKGROUND,
    live=_live,
    complete=_complete,
    review=_review,
)
