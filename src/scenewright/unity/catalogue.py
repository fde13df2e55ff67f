"""Unity's catalogue."""

from __future__ import annotations

from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Catalogue
from scenewright.core.projects.project import Engine
from scenewright.unity.operations import (
    asset_changes,
    assets,
    audio,
    comparison,
    components,
    editor,
    hierarchy_changes,
    openers,
    prefabs,
    project_changes,
    project_reports,
    projects,
    property_changes,
    scene_changes,
    scenes,
)

__all__ = ["CATALOGUE", "ENGINE"]

VERSION_FILE = "ProjectSettings/ProjectVersion.txt"
ENGINE = Engine("unity", (VERSION_FILE,), version=(VERSION_FILE, "m_EditorVersion:"))

CATALOGUE = Catalogue(
    engine=ENGINE,
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
        *property_changes.OPERATIONS,
        *hierarchy_changes.OPERATIONS,
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
    ),
)
