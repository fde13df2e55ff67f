"""Puts the words of godot-mcp-omni's Tool Contract v1 into ours: pure, before a project or an editor is looked at.

Plain other names of a parameter stand with their operation (`parameter_aliases`). Calls may use all of them; nothing
lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scenewright.contracts.omni import files_and_panels, nodes, ready_made_parts
from scenewright.contracts.omni.arguments import OmniArguments
from scenewright.core.operations.declaration import Operation
from scenewright.core.operations.registry import Words

__all__ = ["translate"]

_WORKSPACE = "godot_workspace_manager"
_SCENES = "godot_scene_manager"
_CLAIMING = ("godot.asset.import",)  # no action of the workspace manager, and takes what that takes
_CLAIMS = ("host", "token", "godotPath")  # what its actions say of the editor and the engine, beside its port
_MODES = ("auto", "headless")
# By the id of an operation, or by a manager's action that is another name for one.
_WORDS: Mapping[str, Callable[[OmniArguments], None]] = {
    "godot.node.add": nodes.create_node,
    "godot.node.edit": nodes.update_node,
    "godot.node.add_many": nodes.batch_create,
    "godot.node.components": nodes.attach_components,
    "godot_scene_manager.create_ui": nodes.create_ui,
    "godot.scene.instance": files_and_panels.instance,
    "godot.tilemap.create": files_and_panels.new_tilemap,
    "godot.node.read": files_and_panels.inspect,
    "godot.script.attach": files_and_panels.attach_script,
    "godot.editor.batch": files_and_panels.editor_batch,
    "godot.docs.class": files_and_panels.shortened,
    "godot.docs.search": files_and_panels.shortened,
    "godot.editor.select": files_and_panels.of_edited_scene,
    "godot.editor.focus": files_and_panels.of_edited_scene,
    "godot.editor.selection": files_and_panels.of_edited_scene,
    "godot.audio.bus.volume": files_and_panels.of_edited_scene,
    "godot.build.primitive": ready_made_parts.primitive,
    "godot.build.rigidbody": ready_made_parts.body,
    "godot.build.trigger": ready_made_parts.area,
    "godot.build.pickup": ready_made_parts.pickup,
    "godot.build.fps_controller": ready_made_parts.numbered,
    "godot.build.health_bar": ready_made_parts.health_bar,
    "godot.build.terrain": ready_made_parts.terrain,
    "godot.build.terrain_material": ready_made_parts.terrain_material,
    "godot.build.ui_template": ready_made_parts.screen,
    "godot_code_manager.script.create": files_and_panels.new_script,
    "godot_code_manager.file.edit": files_and_panels.edit_file,
    "godot_asset_manager.scene.read": files_and_panels.read_scene,
    "godot.file.search": files_and_panels.search_files,
    "godot.asset.import_check": files_and_panels.import_check,
    "godot.editor.find_panels": files_and_panels.find_panels,
    "godot.editor.read_panel": files_and_panels.read_panel,
    "godot.project.convert": files_and_panels.converted,
    "godot_workspace_manager.new_scene": files_and_panels.new_scene,
    "godot_code_manager.shader.create": files_and_panels.new_shader,
    "core.batch_operations": files_and_panels.batch,
    "mcp.health": files_and_panels.health,
}


def translate(words: Words) -> None:
    """Put the arguments of a call into the words of its operation, which may become another one."""
    operation = words.operation
    theirs = OmniArguments(words.arguments, words.notes)
    if _makes_claims(words):
        words.claims |= _taken_claims(theirs, operation)
    if words.tool == _SCENES:
        files_and_panels.pictured(theirs, operation.input_schema.get("properties", {}))
    for key in (f"{words.tool}.{words.action}", operation.id):
        if key in _WORDS:
            _WORDS[key](theirs)
    if theirs.tool is not None:
        meant = words.registry.find(theirs.tool)
        assert isinstance(meant, Operation)
        words.operation = meant


def _makes_claims(words: Words) -> bool:
    action = words.operation.action
    return words.operation.id in _CLAIMING or _WORKSPACE in (words.tool, action[0] if action else None)


def _taken_claims(theirs: OmniArguments, operation: Operation) -> dict[str, object]:
    """What is said of the editor and the engine; a parameter of the operation itself is none."""
    own = operation.input_schema.get("properties", {})
    _take_mode(theirs, own)
    names = _CLAIMS if {"port", "editor"} & set(own) else (*_CLAIMS, "port")
    return {name: value for name in names if (value := theirs.take(name)) is not None}


def _take_mode(theirs: OmniArguments, own: Mapping[str, object]) -> None:
    mode = theirs.take("mode") if "mode" not in own else None
    if mode is None:
        return
    if mode not in _MODES:
        raise theirs.refused("mode", f"There is no mode '{mode}'.", "enum", "auto or headless.")
    if mode == "headless" and "headless" in own:
        theirs.put("headless", True, "mode")
