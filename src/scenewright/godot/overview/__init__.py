"""A Godot project at one look, as sections: its settings, scenes as trees, scripts, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scenewright.core.calls.call import Call
from scenewright.core.projects.overview import Item, Scope, Section
from scenewright.godot.overview.condition import condition_sections, unsaved_in
from scenewright.godot.overview.configuration import configuration_sections
from scenewright.godot.overview.scenes import resource_section, scene_section
from scenewright.godot.overview.scripts import script_section
from scenewright.godot.project.openers import open_configuration, open_workspace

__all__ = ["overview_of"]


def overview_of(call: Call, scope: Scope) -> Sequence[Section]:
    """Return what is to be told of the project."""
    unsaved = unsaved_in(call)
    if scope.changed is not None:
        scope = replace(scope, changed=scope.changed.union(unsaved))
    workspace, settings = open_workspace(call), open_configuration(call)
    scripts, problems = script_section(workspace, settings, scope)
    return [
        *configuration_sections(workspace, settings, scope),
        Section(name="unsavedInEditor", items=[Item("", (", ".join(unsaved),))] if unsaved else []),
        *condition_sections(call, workspace, problems),
        scene_section(workspace, settings, scope),
        resource_section(workspace, scope),
        scripts,
    ]
