"""Godot's catalogue."""

from __future__ import annotations

from scenewright.core.operation import Manager
from scenewright.core.project import Engine
from scenewright.core.registry import Catalogue
from scenewright.godot.operations import docs, editing, nodes, scenes, scripts, wiring

__all__ = ["CATALOGUE", "ENGINE"]

ENGINE = Engine("godot", ("project.godot",), audit_log=".godot_mcp/audit.log")

CATALOGUE = Catalogue(
    engine=ENGINE,
    operations=(
        *scenes.OPERATIONS,
        *editing.OPERATIONS,
        *nodes.OPERATIONS,
        *wiring.OPERATIONS,
        *scripts.OPERATIONS,
        *docs.OPERATIONS,
    ),
    managers=(
        Manager(name="godot_scene_manager", title="Godot Scenes", description="Makes and changes Godot scenes."),
        Manager(
            name="godot_inspector_manager", title="Godot Inspector", description="Looks into Godot scenes and nodes."
        ),
        Manager(name="godot_code_manager", title="Godot Code", description="GDScript files of a Godot project."),
        Manager(
            name="godot_workspace_manager",
            title="Godot Workspace",
            description="The engine's class reference, offline.",
        ),
    ),
)
