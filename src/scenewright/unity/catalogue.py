"""Unity's catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Catalogue
from scenewright.unity.operations import (
    animators,
    asset_changes,
    assets,
    audio,
    comparison,
    components,
    editor,
    editor_control,
    hierarchy_changes,
    import_settings,
    new_assets,
    object_copies,
    openers,
    prefabs,
    project_changes,
    project_reports,
    projects,
    property_changes,
    scene_changes,
    scenes,
    sprite_sheets,
    text_assets,
)
from scenewright.unity.project_folder import ENGINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenewright.core.calls.call import Call
    from scenewright.core.projects.live import Live
    from scenewright.core.projects.overview import Scope, Section
    from scenewright.core.runtime import Runtime

__all__ = ["CATALOGUE"]


def _live(runtime: Runtime) -> Live:
    from scenewright.unity.live.backend import UnityLive

    return UnityLive(runtime)


def _overview(call: Call, scope: Scope) -> Sequence[Section]:
    from scenewright.unity.overview import SECONDS, sections_of

    return sections_of(openers.open_workspace(call, SECONDS), scope)


def _accompany(call: Call) -> None:
    from scenewright.unity.meta_files import stage_meta_files

    # What history restores is whole, with or without such files.
    if not call.operation.id.startswith("history."):
        stage_meta_files(call.files)


CATALOGUE = Catalogue(
    engine=ENGINE,
    live=_live,
    accompany=_accompany,
    overview=_overview,
    operations=(
        *projects.OPERATIONS,
        *project_reports.OPERATIONS,
        *scenes.OPERATIONS,
        *components.OPERATIONS,
        *comparison.OPERATIONS,
        *assets.OPERATIONS,
        *prefabs.OPERATIONS,
        *audio.OPERATIONS,
        *editor.OPERATIONS,
        *editor_control.OPERATIONS,
        *property_changes.OPERATIONS,
        *hierarchy_changes.OPERATIONS,
        *object_copies.OPERATIONS,
        *new_assets.OPERATIONS,
        *animators.OPERATIONS,
        *import_settings.OPERATIONS,
        *sprite_sheets.OPERATIONS,
        *text_assets.OPERATIONS,
        *asset_changes.OPERATIONS,
        *project_changes.OPERATIONS,
    ),
    managers=(
        Manager(
            name=openers.INSPECT,
            title="Unity Inspection",
            description="Looks into assets, prefabs, packages and settings of a Unity project.",
        ),
        Manager(
            name=scene_changes.MANAGER,
            title="Unity Edits",
            description="Changes scenes, prefabs, assets and settings of a Unity project, without the editor.",
        ),
        Manager(
            name=editor.MANAGER,
            title="Unity Editor",
            description="The open Unity editor (6.0+, package com.unity.pipeline): play, tests, console, pictures.",
        ),
    ),
)
