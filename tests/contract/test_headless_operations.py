"""godot-mcp-omni's headless operations, by their own names and with their own parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

from scenewright.app import catalogues
from scenewright.contracts.omni.headless_operations import OPERATIONS
from scenewright.core.faults import NotFound
from scenewright.core.operations.registry import build_registry

pytestmark = pytest.mark.anyio

REGISTRY = build_registry(catalogues(), verified=True)
# Operations whose tool is not there yet; they are refused as not offered.
MAIN = '[gd_scene format=3]\n\n[node name="Main" type="Node2D"]\n\n[node name="A" type="Timer" parent="."]\n'
FILES: dict[str, str | bytes] = {
    "main.tscn": MAIN,
    "part.tscn": '[gd_scene format=3 uid="uid://b4part"]\n\n[node name="Part" type="Node2D"]\n',
    "main.gd": "extends Node2D\n\n\nfunc go() -> void:\n\tpass\n",
    "notes.txt": "hello",
    "land.tscn": '[gd_scene format=3]\n\n[node name="Land" type="Node3D"]\n',
    "moving.tscn": '[gd_scene format=3]\n\n[node name="Moving" type="Node2D"]\n\n'
    '[node name="Player" type="AnimationPlayer" parent="."]\n\n[node name="Body" type="Sprite2D" parent="."]\n',
    "dot.tres": '[gd_resource type="GradientTexture2D" format=3]\n\n[resource]\n',
    "game_data/two.json": '{"level": 5}\n',
}
SCENE = {"scene_path": "main.tscn"}
# What is asked for, and a text that a file then has; or what comes back.
WRITES: list[tuple[str, dict[str, Any], str, str]] = [
    ("create_scene", {"scene_path": "new.tscn", "root_node_type": "Node3D"}, "new.tscn", 'type="Node3D"'),
    (
        "add_node",
        {
            **SCENE,
            "node_type": "Sprite2D",
            "node_name": "B",
            "parent_node_path": "root/A",
            "properties": {"position": {"x": 1, "y": 2}},
        },
        "main.tscn",
        "position = Vector2(1, 2)",
    ),
    (
        "add_node",
        {**SCENE, "node_type": "Node", "node_name": "A", "ensure_unique_name": True},
        "main.tscn",
        '[node name="A2" type="Node"',
    ),
    ("add_node", {"scenePath": "main.tscn", "nodeType": "Node", "nodeName": "Camel"}, "main.tscn", 'name="Camel"'),
    (
        "create_node_bundle",
        {
            **SCENE,
            "parent_node_path": "root",
            "node_type": "Area2D",
            "node_name": "Zone",
            "props": {"monitoring": False},
            "children": [
                {"node_type": "CollisionShape2D", "node_name": "Shape", "role": "shape", "props": {"disabled": True}}
            ],
        },
        "main.tscn",
        '[node name="Shape" type="CollisionShape2D" parent="Zone"',
    ),
    (
        "instance_scene",
        {**SCENE, "source_scene_path": "part.tscn", "name": "P", "props": {"rotation": 1.5}},
        "main.tscn",
        '[node name="P" parent="."',
    ),
    (
        "instance_scene",
        {**SCENE, "instance_scene_path": "res://part.tscn"},
        "main.tscn",
        '[node name="Part" parent="."',
    ),
    ("save_scene", {**SCENE, "new_path": "copy.tscn"}, "copy.tscn", 'name="A"'),
    ("set_node_properties", {**SCENE, "node_path": "A", "props": {"wait_time": 3}}, "main.tscn", "wait_time = 3.0"),
    ("rename_node", {**SCENE, "node_path": "A", "new_name": "Clock"}, "main.tscn", 'name="Clock"'),
    (
        "connect_signal",
        {**SCENE, "from_node_path": "A", "signal": "timeout", "to_node_path": "root", "method": "queue_free"},
        "main.tscn",
        '[connection signal="timeout" from="A" to="."',
    ),
    ("attach_script", {**SCENE, "node_path": "root", "script_path": "main.gd"}, "main.tscn", "script = ExtResource"),
    (
        "create_script",
        {"script_path": "hero.gd", "template": "tool", "extends": "Node3D", "class_name": "Hero"},
        "hero.gd",
        "@tool\nclass_name Hero\nextends Node3D\n\n\nfunc _ready() -> void:\n\tpass\n",
    ),
    ("write_text_file", {"path": "res://notes.txt", "content": "other"}, "notes.txt", "other"),
    (
        "project_config_project_setting_set_v1",
        {"key": "application/config/name", "value": "Maze"},
        "project.godot",
        'config/name="Maze"',
    ),
    (
        "project_config_input_map_setup_v1",
        {"actions": [{"name": "jump", "keys": ["Space"]}]},
        "project.godot",
        "jump={",
    ),
    (
        "create_tilemap",
        {**SCENE, "node_name": "Ground", "ensure_unique_name": True},
        "main.tscn",
        '[node name="Ground" type="TileMapLayer"',
    ),
    (
        "generate_terrain_mesh",
        {"scene_path": "land.tscn", "name": "Hills", "subdivisions": 4},
        "land.tscn",
        '[node name="Hills" type="StaticBody3D"',
    ),
    (
        "create_simple_animation",
        {
            "scene_path": "moving.tscn",
            "player_path": "Player",
            "animation_name": "fade",
            "node_path": ".",
            "property": "rotation",
            "end_value": 1.5,
        },
        "moving.tscn",
        'NodePath(".:rotation")',
    ),
    (
        "load_sprite",
        {"scene_path": "moving.tscn", "node_path": "Body", "texture_path": "dot.tres"},
        "moving.tscn",
        "texture = ExtResource",
    ),
    ("project_config_save_game_data_v1", {"name": "one", "data": {"level": 2}}, "game_data/one.json", '"level": 2'),
    (
        "create_resource",
        {"resource_path": "look.tres", "type": "Gradient", "props": {"interpolation_mode": 1}},
        "look.tres",
        "interpolation_mode = 1",
    ),
]
READS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("read_text_file", {"path": "res://notes.txt"}, {"text": "hello"}),
    ("get_uid", {"file_path": "part.tscn"}, {"uid": "uid://b4part"}),
    ("project_config_load_game_data_v1", {"name": "two"}, {"data": {"level": 5}}),
    (
        "doctor_scan_v1",
        {"options": {"includeScenes": False, "maxIssuesPerCategory": 1, "timeBudgetMs": 5000}},
        {"valid": True},
    ),
]


async def run(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    found: dict[str, Any] = structured
    return found


def test_every_operation_has_a_tool() -> None:
    missing: set[str] = set()
    for name, target in OPERATIONS.items():
        try:
            REGISTRY.find(target.tool)
        except NotFound:
            missing.add(name)
    assert missing == set()


def test_every_operation_is_tried() -> None:
    elsewhere = {
        "move_node",
        "validate_scene",
        "get_godot_version",
        "export_mesh_library",
        "resave_resources",
        "eval_expression",
    }
    elsewhere |= {"project_config_project_setting_get_v1"}
    tried = {name for name, *_ in WRITES} | {name for name, *_ in READS}
    assert tried | elsewhere == set(OPERATIONS)


@pytest.mark.parametrize(("name", "params", "file", "text"), WRITES)
async def test_an_operation_writes_what_was_asked_for(
    project: Path, caller: Caller, name: str, params: dict[str, Any], file: str, text: str
) -> None:
    make_project(project, FILES)
    done = await run(caller, "godot_headless_op", operation=name, params=params)
    assert done["ok"], done
    assert done["result"]["operation"] == name
    assert text in (project / file).read_text()
    assert (await caller.run("history_undo")).ok  # one change, whatever it took
    for path, content in FILES.items():
        assert (project / path).read_text() == content


@pytest.mark.parametrize(("name", "params", "wanted"), READS)
async def test_an_operation_returns_what_was_asked_for(
    project: Path, caller: Caller, name: str, params: dict[str, Any], wanted: dict[str, Any]
) -> None:
    make_project(project, FILES)
    done = await run(caller, "godot_headless_op", operation=name, params=params)
    assert wanted.items() <= done["result"]["result"].items()


async def test_a_setting_is_read_with_its_default(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    params = {"key": "display/window/size/viewport_width"}
    done = await run(caller, "godot_headless_op", operation="project_config_project_setting_get_v1", params=params)
    assert done["result"]["result"]["settings"][0]["value"] == 1152


async def test_a_node_is_moved_among_its_siblings(project: Path, caller: Caller) -> None:
    make_project(project, {"main.tscn": MAIN + '\n[node name="B" type="Timer" parent="."]\n'})
    params = {**SCENE, "node_path": "B", "index": 0}
    assert (await run(caller, "godot_headless_op", operation="move_node", params=params))["ok"]
    text = (project / "main.tscn").read_text()
    assert text.index('name="B"') < text.index('name="A"')


@pytest.mark.parametrize(
    ("name", "params", "code", "hint"),
    [
        ("add_nod", {}, "E_NOT_FOUND", "add_node"),
        ("op_world_generate", {}, "E_UNSUPPORTED", "paint_tiles"),
        ("add_node", {**SCENE, "node_type": "Sprit2D", "node_name": "B"}, "E_NOT_FOUND", "Sprite2D"),
        ("create_script", {"script_path": "a.gd", "template": "big"}, "E_SCHEMA_VALIDATION", "minimal"),
        ("doctor_scan_v1", {"options": 5}, "E_SCHEMA_VALIDATION", "includeScripts"),
        ("doctor_scan_v1", {"time_budget_ms": "long"}, "E_SCHEMA_VALIDATION", ""),
        (
            "create_node_bundle",
            {**SCENE, "node_type": "Node", "node_name": "B", "children": [1]},
            "E_SCHEMA_VALIDATION",
            "",
        ),
        (
            "create_node_bundle",
            {**SCENE, "node_type": "Node", "node_name": "B", "children": [{"node_type": "Nod", "node_name": "C"}]},
            "E_NOT_FOUND",
            "Node",
        ),
    ],
)
async def test_a_bad_operation_changes_nothing(
    project: Path, caller: Caller, name: str, params: dict[str, Any], code: str, hint: str
) -> None:
    make_project(project, FILES)
    done = await run(caller, "godot_headless_op", operation=name, params=params)
    assert done["error"]["code"] == code
    assert hint in done["error"].get("suggestedFix", "")
    assert (project / "main.tscn").read_text() == MAIN


async def test_a_bad_parameter_is_named_as_it_was_given(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    done = await run(caller, "godot_headless_op", operation="rename_node", params={**SCENE, "node_path": "A"})
    assert done["error"]["details"]["path"].startswith("input.params")


@pytest.mark.parametrize("stop", [True, False])
async def test_a_batch_stops_at_a_failure_unless_told_not_to(project: Path, caller: Caller, stop: bool) -> None:
    make_project(project, FILES)
    steps = [
        {"operation": "rename_node", "params": {**SCENE, "node_path": "A", "new_name": "B"}},
        {"operation": "rename_node", "params": {**SCENE, "node_path": "A", "new_name": "C"}},
        {"operation": "rename_node", "params": {**SCENE, "node_path": "B", "new_name": "D"}},
    ]
    done = (await run(caller, "godot_headless_batch", steps=steps, stopOnError=stop))["result"]
    assert [row["ok"] for row in done["results"]] == ([True, False] if stop else [True, False, True])
    assert (done["failed"], done.get("skipped", 0)) == ((1, 1) if stop else (1, 0))
    assert done["results"][1]["error"]["code"] == "E_NOT_FOUND"
    assert f'name="{"B" if stop else "D"}"' in (project / "main.tscn").read_text()


async def test_a_dry_run_shows_all_and_changes_nothing(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    steps = [
        {"operation": "rename_node", "params": {**SCENE, "node_path": "A", "new_name": "B"}},
        {"operation": "rename_node", "params": {**SCENE, "node_path": "B", "new_name": "C"}},
    ]
    done = await run(caller, "godot_headless_batch", steps=steps, dryRun=True)
    assert done["ok"], done
    assert done["result"]["failed"] == 0
    assert (project / "main.tscn").read_text() == MAIN


async def test_a_batch_in_an_atomic_one_is_taken_back_with_it(project: Path, caller: Caller) -> None:
    make_project(project, FILES)
    steps = [{"operation": "rename_node", "params": {**SCENE, "node_path": "A", "new_name": "B"}}]
    items = [
        {"tool": "godot_headless_batch", "args": {"steps": steps}},
        {"tool": "delete_file", "args": {"path": "nowhere.txt"}},
    ]
    done = await run(caller, "batch_operations", operations=items, atomic=True)
    assert "nothing was written" in done["error"]["message"]
    assert (project / "main.tscn").read_text() == MAIN


async def test_read_only_mode_holds_for_what_is_run(project: Path, make_caller: Any) -> None:
    make_project(project, FILES)
    caller = make_caller(read_only=True)
    params = {**SCENE, "node_path": "A", "new_name": "B"}
    done = await run(caller, "godot_headless_op", operation="rename_node", params=params)
    assert done["error"]["code"] == "E_PERMISSION_DENIED"
    read = await run(caller, "godot_headless_op", operation="read_text_file", params={"path": "notes.txt"})
    assert read["ok"]
