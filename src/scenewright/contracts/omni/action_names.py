"""Actions of godot-mcp-omni's managers whose work is elsewhere here: calls may name them, nothing lists them."""

from __future__ import annotations

__all__ = ["ACTION_ALIASES"]

ACTION_ALIASES = {
    ("godot_workspace_manager", "new_scene"): "create_scene",
    ("godot_scene_manager", "create_ui"): "batch_create_nodes",
    ("godot_scene_manager", "load_sprite"): "load_sprite",
    ("godot_asset_manager", "scene.read"): "read_file",
    ("godot_code_manager", "script.attach"): "attach_script",
    ("godot_code_manager", "file.edit"): "edit_file",
}
