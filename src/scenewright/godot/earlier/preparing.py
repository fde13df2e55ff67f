"""Before a call is checked: seed 000's words become ours, and a scene that is not named is the one that is edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from scenewright.core.operations.declaration import Operation
from scenewright.godot.earlier import elsewhere, nodes, parts
from scenewright.godot.earlier.arguments import Old
from scenewright.godot.earlier.workspace import reached

if TYPE_CHECKING:
    from scenewright.core.calls.call import Call

__all__ = ["prepare"]

_WORKSPACE = "godot_workspace_manager"
_SCENES = "godot_scene_manager"
_REACHING = ("godot.asset.import",)  # no action of the workspace manager, and takes what that takes
# By the id of an operation, or by a manager's action that is another name for one.
_WORDS: Mapping[str, Callable[[Old], None]] = {
    "godot.node.add": nodes.create_node,
    "godot.node.edit": nodes.update_node,
    "godot.node.add_many": nodes.batch_create,
    "godot.node.components": nodes.attach_components,
    "godot_scene_manager.create_ui": nodes.create_ui,
    "godot.scene.instance": elsewhere.instance,
    "godot.tilemap.create": elsewhere.new_tilemap,
    "godot.node.read": elsewhere.inspect,
    "godot.script.attach": elsewhere.attach_script,
    "godot.editor.batch": elsewhere.editor_batch,
    "godot.docs.class": elsewhere.shortened,
    "godot.docs.search": elsewhere.shortened,
    "godot.editor.select": elsewhere.of_edited_scene,
    "godot.editor.focus": elsewhere.of_edited_scene,
    "godot.editor.selection": elsewhere.of_edited_scene,
    "godot.audio.bus.volume": elsewhere.of_edited_scene,
    "godot.build.primitive": parts.primitive,
    "godot.build.rigidbody": parts.body,
    "godot.build.trigger": parts.area,
    "godot.build.pickup": parts.pickup,
    "godot.build.fps_controller": parts.numbered,
    "godot.build.health_bar": parts.health_bar,
    "godot.build.terrain": parts.terrain,
    "godot.build.terrain_material": parts.terrain_material,
    "godot.build.ui_template": parts.screen,
    "godot_code_manager.script.create": elsewhere.new_script,
    "godot_code_manager.file.edit": elsewhere.edit_file,
    "godot_asset_manager.scene.read": elsewhere.read_scene,
    "godot.file.search": elsewhere.search_files,
    "godot.asset.import_check": elsewhere.import_check,
    "godot.editor.find_panels": elsewhere.find_panels,
    "godot.editor.read_panel": elsewhere.read_panel,
    "godot.project.convert": elsewhere.converted,
    "project.file.read": elsewhere.plain_path,
    "project.file.write": elsewhere.plain_path,
    "project.file.edit": elsewhere.plain_path,
    "project.file.delete": elsewhere.plain_path,
    "godot_workspace_manager.new_scene": elsewhere.new_scene,
    "godot_code_manager.shader.create": elsewhere.new_shader,
    "core.batch_operations": elsewhere.batch,
    "mcp.health": elsewhere.health,
}


async def prepare(call: Call) -> None:
    """Puts the arguments of a call into the words of its operation."""
    notes: list[str] = []
    old = Old(call.arguments, notes)
    operation = call.operation
    if operation.id in _REACHING or (operation.action and operation.action[0] == _WORKSPACE) or call.tool == _WORKSPACE:
        await reached(old, call)
    if call.tool == _SCENES:
        elsewhere.pictured(old, call.operation.input_schema.get("properties", {}))
    for key in (f"{call.tool}.{call.action}", operation.id):
        if key in _WORDS:
            _WORDS[key](old)
    if old.tool is not None:
        found = call.runtime.registry.find(old.tool)
        assert isinstance(found, Operation)
        call.operation = found
    call.warnings += notes
    await _name_the_scene(call)


async def _name_the_scene(call: Call) -> None:
    """A scene that a call leaves out is the one that the open editor shows."""
    schema = call.operation.input_schema
    if "scenePath" not in schema.get("required", ()) or {"scenePath", "scene_path"} & set(call.arguments):
        return
    if any(meant == "scenePath" and name in call.arguments for name, meant in call.operation.parameter_aliases.items()):
        return
    from scenewright.godot.editor.live.access import ask, live_of

    if not live_of(call.runtime).is_open(call.state.project):
        return
    scene = (await ask(call, "scenewright.get_state")).get("current_scene")
    if scene:
        call.arguments["scenePath"] = scene
        call.warnings.append(f"Took the scene that is edited, {scene}.")
