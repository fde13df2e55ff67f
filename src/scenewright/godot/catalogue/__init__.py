"""Godot's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.operations.registry import Catalogue
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
from scenewright.godot.engine.operations import (
    debugger,
    evaluation,
    headless,
    picture_comparison,
    pictures,
    probes,
    runs,
    script_errors,
)
from scenewright.godot.export.operations import exports
from scenewright.godot.language.operations import (
    code_actions,
    csharp_build,
    function_extraction,
    renaming,
    script_attachment,
    script_documentation,
    script_style,
    scripts,
    symbol_edits,
)
from scenewright.godot.language.operations import navigation as code_navigation
from scenewright.godot.physics.operations import collision, navigation
from scenewright.godot.pixel_art.operations import (
    animation_imports,
    aseprite_files,
    aseprite_program,
    pixel_checks,
    pixel_objects,
    pixel_plans,
    pixel_worlds,
    slice_imports,
    sprite_conversions,
    sprite_exports,
)
from scenewright.godot.play.operations import (
    actions,
    contact_sheets,
    running_games,
    sessions,
    sights,
    steps,
    tape_edits,
    tapes,
)
from scenewright.godot.play.operations import pictures as play_pictures
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
    new_projects,
    preflight,
    projects,
    settings,
    uids,
    validation,
)
from scenewright.godot.project.project_folder import ENGINE
from scenewright.godot.rendering.operations import lighting, lightmaps, particles, shaders, visual_shaders
from scenewright.godot.resources_and_prompts import BACKGROUND, PROMPTS, RESOURCES
from scenewright.godot.scenes.operations import (
    apply_scene,
    branches,
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
from scenewright.godot.testing.operations import tests
from scenewright.godot.tiles.operations import ldtk_import, tilemaps, tilesets
from scenewright.godot.ui.operations import controls, themes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenewright.core.calls.call import Call
    from scenewright.core.projects.live import Live
    from scenewright.core.projects.overview import Scope, Section
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE"]

_AREAS = (
    scenes,
    node_properties,
    node_batches,
    nodes,
    signals,
    groups,
    members,
    scripts,
    script_style,
    csharp_build,
    script_errors,
    code_navigation,
    renaming,
    symbol_edits,
    function_extraction,
    code_actions,
    script_attachment,
    evaluation,
    scene_differences,
    apply_scene,
    validation,
    projects,
    new_projects,
    settings,
    autoloads,
    input_actions,
    game_data,
    uids,
    resource_files,
    files,
    file_management,
    scene_files,
    branches,
    class_reference,
    runs,
    imports,
    image_inspection,
    probes,
    pictures,
    picture_comparison,
    sessions,
    steps,
    sights,
    actions,
    play_pictures,
    contact_sheets,
    tape_edits,
    tapes,
    tests,
    running_games,
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
    visual_shaders,
    animation_imports,
    slice_imports,
    aseprite_files,
    sprite_exports,
    sprite_conversions,
    aseprite_program,
    pixel_plans,
    pixel_worlds,
    pixel_objects,
    pixel_checks,
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


def _overview(call: Call, scope: Scope) -> Sequence[Section]:
    from scenewright.godot.overview import overview_of

    return overview_of(call, scope)


async def _review(call: Call) -> None:
    import anyio.to_thread

    from scenewright.godot.engine.compile_review import review
    from scenewright.godot.scenes.probe_suggestions import suggest_probe

    if await review(call):
        await anyio.to_thread.run_sync(suggest_probe, call)  # it may read what only the open editor has


CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=tuple(operation for area in _AREAS for operation in area.OPERATIONS),
    managers=MANAGERS,
    resources=RESOURCES,
    prompts=PROMPTS,
    background=BACKGROUND,
    live=_live,
    complete=_complete,
    overview=_overview,
    review=_review,
)
