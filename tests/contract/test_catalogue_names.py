"""The names of godot-mcp-omni's actions and tools and of godot-mcp-unified's tools have operations behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.registry import build_registry

REGISTRY = build_registry(catalogues(), verified=True)

ACTIONS = {
    "meta_tool_manager": "server_info tool_search tool_help",
    "godot_workspace_manager": """
        launch connect status run stop restart smoke_test new_scene open_scene save_scene save_all get_state
        guidelines.search guidelines.get_section docs.search docs.get_class doctor_report""",
    "godot_scene_manager": """
        create update batch_create create_tilemap create_ui attach_script attach_components rename move duplicate
        reparent instance remove undo redo""",
    "godot_inspector_manager": """
        query scene_tree.get inspect property_list method_list signals.list select get_selection connect_signal
        disconnect_signal signals.connections.list resource.add set_property get_property groups.get groups.add
        groups.remove animation.list animation.play animation.stop animation.seek animation.create_simple audio.play
        audio.stop audio.set_bus_volume focus_node shader.set_param set_collision_layer""",
    "godot_asset_manager": """
        load_texture get_uid uid_convert scan reimport auto_import_check file_exists create_folder list_resources
        search_files scene.read scene.delete scene.duplicate scene.rename scene.replace_resource""",
    "godot_builder_manager": """
        lighting_preset create_primitive create_ui_template create_audio_player spawn_fps_controller
        create_health_bar_ui spawn_spinning_pickup create_particle_effect generate_terrain_mesh
        create_terrain_material create_trigger_area create_rigidbody set_anchor_preset set_anchor_values""",
    "godot_code_manager": """
        script.create script.read script.attach gdscript.eval_restricted shader.create shader.apply file.edit
        file.write_binary""",
    "godot_project_config_manager": """
        project_info.get save_game_data load_game_data input_map.setup project_setting.set project_setting.get
        errors.get_recent""",
    "godot_log_manager": "poll tail clear_output",
    "godot_editor_view_manager": """
        capture_viewport switch_screen edit_script add_breakpoint list_open_scripts panel.find panel.read""",
    "workflow_manager": """
        validate run macro.list macro.describe macro.manifest_get macro.plan macro.run macro.resume macro.validate""",
}
NAMES = """
    godot_headless_op godot_headless_batch godot_rpc godot_inspect godot_editor_batch godot_preflight godot_sync_addon
    godot_import_project_assets list_projects create_scene get_debug_output get_godot_version

    system_health stop_project start_debug_stream stop_debug_stream get_debug_stream_status
    launch_editor run_project get_project_info get_project_settings set_project_setting manage_autoloads
    manage_input_actions convert_3to4 validate_conversion_3to4 generate_docs validate_project export_project export_pack
    list_export_presets
    add_node edit_node remove_node rename_node move_node duplicate_node load_sprite save_scene list_scenes
    get_node_tree instance_scene connect_signal manage_groups export_mesh_library
    get_uid update_project_uids list_scripts read_script write_script delete_script attach_script detach_script
    get_script_errors create_resource list_resources take_screenshot capture_editor_viewport
    create_animation_player add_animation add_animation_track set_keyframe create_animation_tree setup_state_machine
    blend_animations create_collision_shape setup_rigidbody configure_physics_layers create_tileset
    create_tilemap_layer set_tile paint_tiles import_ldtk_level create_audio_bus setup_audio_player add_audio_effect
    create_shader create_shader_material create_navigation_region bake_navigation_mesh create_gpu_particles
    create_particle_material create_ui_container create_control create_light setup_environment setup_lightmapper
    list_assets import_asset reimport_assets batch_operations
"""
TOOLS = NAMES.split()


@pytest.mark.parametrize(
    ("manager", "action"), [(manager, action) for manager, names in ACTIONS.items() for action in names.split()]
)
def test_an_action_of_omni_is_answered(manager: str, action: str) -> None:
    assert REGISTRY.action(manager, action) is not None


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_of_omni_or_unified_is_answered(tool: str) -> None:
    assert isinstance(REGISTRY.find(tool), Operation)


def test_every_manager_of_omni_is_one() -> None:
    assert all(isinstance(REGISTRY.find(name), Manager) for name in ACTIONS)


def _open_objects(schema: Any, path: str) -> Iterator[str]:
    """Where a schema names what an object may have, and takes anything else as well."""
    if isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from _open_objects(part, f"{path}[{number}]")
    if isinstance(schema, dict):
        named = schema.get("type") == "object" and "properties" in schema
        if named and schema.get("additionalProperties") is not False:
            yield path
        for name, part in schema.items():
            yield from _open_objects(part, f"{path}.{name}")


@pytest.mark.parametrize("operation", REGISTRY.operations.values(), ids=lambda operation: operation.id)
def test_nothing_that_an_operation_does_not_know_is_dropped(operation: Operation) -> None:
    assert list(_open_objects(operation.input_schema, "input")) == []
