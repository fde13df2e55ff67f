"""The everyday operations are reached both as a manager's action and under a name of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.support.gdscript_runner import make_project

from scenewright.app import catalogues
from scenewright.core.operations.declaration import Manager, Operation
from scenewright.core.operations.registry import build_registry
from scenewright.godot.catalogue import CATALOGUE
from scenewright.server.surface import surface_of

REGISTRY = build_registry(catalogues(), verified=True)
EVERYDAY = {
    "projects": [
        "list_projects",
        "get_project_info",
        "get_project_settings",
        "set_project_setting",
        "list_autoloads",
        "add_autoload",
        "remove_autoload",
        "list_input_actions",
        "add_input_action",
        "remove_input_action",
        "setup_input_map",
    ],
    "scenes": [
        "create_scene",
        "get_node_tree",
        "save_scene",
        "list_scenes",
        "instance_scene",
        "delete_scene",
        "duplicate_scene",
        "rename_scene",
    ],
    "nodes": [
        "add_node",
        "edit_node",
        "get_node_properties",
        "remove_node",
        "rename_node",
        "move_node",
        "duplicate_node",
        "reorder_node",
        "get_groups",
        "add_to_groups",
        "remove_from_groups",
        "set_groups",
        "set_unique_name",
        "connect_signal",
        "disconnect_signal",
        "find_nodes",
    ],
    "scripts": [
        "list_scripts",
        "read_script",
        "write_script",
        "edit_script",
        "attach_script",
        "detach_script",
        "delete_script",
        "get_script_outline",
    ],
    "resources": ["create_resource", "list_resources", "read_resource", "edit_resource"],
    "files": ["search_files", "find_usages", "move_file"],
    "uids": ["get_uid", "resolve_uid"],
    "tiles": [
        "create_tileset",
        "edit_tileset",
        "read_tileset",
        "create_tilemap_layer",
        "create_tilemap",
        "set_tile",
        "paint_tiles",
        "get_tiles",
        "import_ldtk_level",
        "inspect_image",
    ],
    "wholes": ["diff_scenes", "apply_scene", "validate_project"],
    "animations": [
        "create_animation_player",
        "add_animation",
        "add_animation_track",
        "set_keyframe",
        "get_animation",
        "remove_animation",
        "remove_animation_track",
        "remove_keyframe",
        "create_animation_tree",
        "setup_state_machine",
        "blend_animations",
        "create_sprite_frames",
        "list_animations",
        "create_simple_animation",
    ],
    "docs": ["get_class_docs", "get_method_docs", "search_docs"],
}
# godot-mcp-unified's tools whose own `action` leaves no room for a manager's; managers have what they do in parts.
IN_PARTS = {
    "manage_groups": "godot.group.",
    "manage_autoloads": "godot.autoload.",
    "manage_input_actions": "godot.input.",
}
SCENE = (
    '[gd_scene format=3]\n\n[node name="Main" type="Node2D" groups=["all"]]\n\n[node name="A" type="Node" parent="."]\n'
)


def _named(tool: str) -> Operation:
    found = REGISTRY.find(tool)
    assert isinstance(found, Operation)
    return found


@pytest.mark.parametrize("tool", [tool for tools in EVERYDAY.values() for tool in tools])
def test_an_everyday_operation_has_a_flat_name_and_an_action(tool: str) -> None:
    found = _named(tool)
    assert found.flat_name == tool
    assert found.action is not None
    manager, action = found.action
    assert isinstance(REGISTRY.find(manager), Manager)
    assert REGISTRY.actions[manager][action] is found


def test_every_godot_operation_is_an_action_or_made_of_some() -> None:
    flat = {"godot_run_action"}  # the `action` that the Godoty protocol gives it is one of its own
    assert {each.flat_name for each in CATALOGUE.operations if each.action is None} == set(IN_PARTS) | flat


@pytest.mark.parametrize(("tool", "parts"), IN_PARTS.items())
def test_each_verb_of_a_tool_in_parts_is_an_action(tool: str, parts: str) -> None:
    found = _named(tool)
    assert found.split_into_actions
    verbs = found.input_schema["properties"]["action"]["enum"]
    actions = {each.id for each in CATALOGUE.operations if each.action and each.id.startswith(parts)}
    same = {"godot.group.list": "godot.group.get"}  # godot-mcp-unified's word for it
    assert {same.get(f"{parts}{verb}", f"{parts}{verb}") for verb in verbs} <= actions


def test_only_the_full_toolset_lists_tools_in_parts(make_caller: MakeCaller) -> None:
    listed = {
        toolset: {tool.name for tool in surface_of(make_caller(toolset=toolset, engine="godot").runtime).tools()}
        for toolset in ("compact", "full")
    }
    assert not listed["compact"] & set(IN_PARTS)
    assert listed["full"] >= set(IN_PARTS)


CALLS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "godot_inspector_manager",
        {"action": "groups.add", "nodePath": "A", "groups": ["b", "a"]},
        {"groups": ["a", "b"]},
    ),
    ("godot_inspector_manager", {"action": "groups.remove", "nodePath": "A", "groups": ["b"]}, {"groups": ["a"]}),
    ("godot_inspector_manager", {"action": "groups.set", "nodePath": "A", "groups": ["c"]}, {"groups": ["c"]}),
    ("manage_groups", {"action": "get", "nodePath": "A"}, {"groups": ["c"]}),
    ("manage_groups", {"action": "set", "nodePath": "A", "groups": []}, {"groups": []}),
    ("godot_scene_manager", {"action": "set_unique_name", "nodePath": "A"}, {"unique": True}),
    ("set_unique_name", {"nodePath": "A", "unique": False}, {"unique": False}),
]


@pytest.mark.anyio
async def test_groups_and_unique_names_by_either_name(project: Path, caller: Caller) -> None:
    make_project(project, {"main.tscn": SCENE})
    for tool, arguments, wanted in CALLS:
        reply = await caller.reply(tool, {"scenePath": "main.tscn", **arguments})
        assert reply.structured is not None
        assert reply.structured["ok"], reply.structured
        assert reply.structured["result"] == {"scenePath": "res://main.tscn", "nodePath": "A"} | wanted
    assert (project / "main.tscn").read_text() == SCENE


@pytest.mark.anyio
async def test_reads_work_in_read_only_mode_and_writes_do_not(project: Path, make_caller: MakeCaller) -> None:
    make_project(project, {"main.tscn": SCENE, "a.gd": "extends Node\n"})
    caller = make_caller(read_only=True)
    node = {"scenePath": "main.tscn", "nodePath": "."}
    reads: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("godot_inspector_manager", {"action": "groups.get", **node}, {"groups": ["all"]}),
        ("godot_project_config_manager", {"action": "autoload.list"}, {"autoloads": []}),
        ("godot_project_config_manager", {"action": "input_map.list"}, {"actions": []}),
        ("get_groups", node, {"groups": ["all"]}),
        ("list_autoloads", {}, {"autoloads": []}),
        ("list_input_actions", {}, {"actions": []}),
    ]
    for tool, arguments, wanted in reads:
        reply = await caller.reply(tool, arguments)
        assert reply.structured is not None
        assert reply.structured["ok"], reply.structured
        assert reply.structured["result"].items() >= wanted.items()
    for tool, arguments in (("add_autoload", {"name": "A", "path": "a.gd"}), ("add_input_action", {"name": "jump"})):
        refused = await caller.reply(tool, arguments)
        assert refused.structured is not None
        assert refused.structured["error"]["code"] == "E_PERMISSION_DENIED"


BASE = (
    '[gd_scene format=3]\n\n[node name="Base" type="Node" groups=["base"]]\n\n[node name="In" type="Node" parent="."]\n'
)
HEIR = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://base.tscn" id="1"]

[node name="Heir" instance=ExtResource("1")]

[node name="Box" type="Node" parent="." index="1"]

[node name="In" type="Node" parent="Box" index="0"]
"""


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("remove_from_groups", {"nodePath": ".", "groups": ["base"]}, "Another scene"),
        ("set_groups", {"nodePath": ".", "groups": []}, "Another scene"),
        ("set_unique_name", {"nodePath": "."}, "The root"),
        ("reorder_node", {"nodePath": "Box", "index": 2}, "Use 0 to 1"),
        ("reorder_node", {"nodePath": ".", "index": 0}, "root"),
        ("manage_groups", {"nodePath": "Box", "action": "add"}, "groups"),
    ],
)
async def test_what_a_scene_cannot_say_of_another_scenes_node_is_refused(
    project: Path, caller: Caller, tool: str, arguments: dict[str, Any], said: str
) -> None:
    make_project(project, {"base.tscn": BASE, "heir.tscn": HEIR})
    reply = await caller.reply(tool, {"scenePath": "heir.tscn", **arguments})
    assert reply.structured is not None
    refused = reply.structured["error"]
    assert said in refused.get("suggestedFix", "") + refused["message"]
    assert (project / "heir.tscn").read_text() == HEIR


@pytest.mark.anyio
async def test_a_node_of_a_base_scene_can_be_grouped_and_named(project: Path, caller: Caller) -> None:
    make_project(project, {"base.tscn": BASE, "heir.tscn": HEIR})
    grouped = await caller.reply("add_to_groups", {"scenePath": "heir.tscn", "nodePath": ".", "groups": ["more"]})
    assert grouped.structured is not None
    assert grouped.structured["result"]["groups"] == ["base", "more"]
    for path, ok in (("In", True), ("Box/In", False)):
        named = await caller.reply("set_unique_name", {"scenePath": "heir.tscn", "nodePath": path})
        assert named.structured is not None
        assert named.structured["ok"] is ok, named.structured
    text = (project / "heir.tscn").read_text()
    assert '[node name="In" parent="." index="0"]\nunique_name_in_owner = true\n' in text
