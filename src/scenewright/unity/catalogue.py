"""Unity's catalogue."""

from __future__ import annotations

from scenewright.core.operations.declaration import Manager
from scenewright.core.operations.registry import Catalogue
from scenewright.core.projects.project import Engine
from scenewright.unity.operations import (
    arranging,
    assets,
    assigning,
    audio,
    comparing,
    components,
    configuring,
    editing,
    editor,
    opening,
    prefabs,
    projects,
    scenes,
    summaries,
    writing,
)

__all__ = ["CATALOGUE", "ENGINE"]

VERSION_FILE = "ProjectSettings/ProjectVersion.txt"
ENGINE = Engine("unity", (VERSION_FILE,), version=(VERSION_FILE, "m_EditorVersion:"))

CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=(
        *projects.OPERATIONS,
        *summaries.OPERATIONS,
        *scenes.OPERATIONS,
        *components.OPERATIONS,
        *comparing.OPERATIONS,
        *assets.OPERATIONS,
        *prefabs.OPERATIONS,
        *audio.OPERATIONS,
        *editor.OPERATIONS,
        *editing.OPERATIONS,
        *arranging.OPERATIONS,
        *assigning.OPERATIONS,
        *configuring.OPERATIONS,
    ),
    managers=(
        Manager(
            name=opening.INSPECT,
            title="Unity Inspection",
            description="Looks into assets, prefabs, packages and settings of a Unity project.",
        ),
        Manager(
            name=writing.MANAGER,
            title="Unity Edits",
            description="Changes scenes, prefabs, assets and settings of a Unity project, without the editor.",
        ),
    ),
)
