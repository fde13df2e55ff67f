"""Scenes declared as a whole: planned, applied, applied again, taken back; and loaded by the real engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

GUN = """[gd_scene format=3 uid="uid://cgun"]

[node name="Gun" type="Node2D" groups=["guns"]]
z_index = 3

[node name="Barrel" type="Marker2D" parent="."]
"""
FILES: dict[str, str | bytes] = {
    "gun.tscn": GUN,
    "hero.gd": "class_name Hero\nextends CharacterBody2D\n\nsignal hurt\n@export var speed: float = 1.0\n"
    "@export var target: Node2D\n\nfunc _on_clock() -> void:\n\tpass\n",
}
TREE: dict[str, Any] = {
    "name": "Level",
    "type": "Node2D",
    "groups": ["levels"],
    "children": [
        {
            "name": "Player",
            "type": "CharacterBody2D",
            "script": "hero.gd",
            "groups": ["heroes", "all"],
            "properties": {"position": [10, 20], "speed": 4.5, "target": "../Goal"},
            "children": [
                {
                    "name": "Shape",
                    "type": "CollisionShape2D",
                    "uniqueName": True,
                    "properties": {"shape": {"$resource": "RectangleShape2D", "props": {"size": [8, 16]}}},
                },
                {
                    "name": "Gun",
                    "instance": "gun.tscn",
                    "properties": {"rotation": 1.5, "z_index": 3},
                    "children": [
                        {
                            "name": "Barrel",
                            "properties": {"position": [5, 0]},
                            "children": [{"name": "Flash", "type": "Sprite2D"}],
                        }
                    ],
                },
            ],
        },
        {"name": "Goal", "type": "Area2D", "properties": {"modulate": "#ff8800", "visible": True}},
        {"name": "Clock", "type": "Timer", "properties": {"wait_time": 2, "autostart": True}},
    ],
}
WIRES: list[dict[str, Any]] = [
    {"source": "Clock", "signal": "timeout", "target": "Player", "method": "_on_clock"},
    {"source": "Player", "signal": "hurt", "target": ".", "method": "queue_redraw", "flags": ["deferred"]},
]
BEFORE = """[gd_scene load_steps=3 format=3 uid="uid://cbefore"]

; kept by hand
[ext_resource type="PackedScene" uid="uid://cgun" path="res://gun.tscn" id="1_gun"]

[sub_resource type="CircleShape2D" id="Circle_1"]
radius = 3.0

[node name="World" type="Node"]
editor_description = "old"

[node name="Clock" type="Timer" parent="."]
wait_time = 9.0

[node name="Extra" type="Node2D" parent="."]

[node name="Hero" type="CharacterBody2D" parent="."]
position = Vector2(10, 20)

[node name="Shape" type="CollisionShape2D" parent="Hero"]
shape = SubResource("Circle_1")

[node name="Goal" type="Node2D" parent="."]

[connection signal="timeout" from="Clock" to="Extra" method="show"]
"""
LOOK = """
func run(path: String) -> Dictionary:
	var scene: Node = (load(path) as PackedScene).instantiate()
	var nodes: Dictionary = {}
	var order: Array = []
	var wires: Array = []
	_look(scene, scene, nodes, order, wires)
	wires.sort()
	var player: Node = scene.get_node("Player")
	var reply: Dictionary = {
		"order": order, "nodes": nodes, "wires": wires,
		"player": [str(player.position), player.speed, str(scene.get_path_to(player.target)),
			player.script.resource_path],
		"shape": [player.get_node("Shape").shape.get_class(), str(player.get_node("Shape").shape.size),
			player.get_node("Shape").unique_name_in_owner],
		"gun": [player.get_node("Gun").rotation, player.get_node("Gun").z_index,
			str(player.get_node("Gun/Barrel").position)],
		"goal": scene.get_node("Goal").modulate.to_html(),
		"clock": [scene.get_node("Clock").wait_time, scene.get_node("Clock").autostart],
	}
	scene.free()
	return reply

func _look(root: Node, node: Node, nodes: Dictionary, order: Array, wires: Array) -> void:
	var path: String = str(root.get_path_to(node))
	order.append(path)
	var groups: Array = node.get_groups().map(func(group: StringName) -> String: return str(group))
	groups.sort()
	nodes[path] = [node.get_class(), node.scene_file_path, groups]
	for signal_info: Dictionary in node.get_signal_list():
		for wire: Dictionary in node.get_signal_connection_list(signal_info["name"]):
			if wire["flags"] & CONNECT_PERSIST:
				wires.append("%s.%s -> %s.%s %s" % [path, signal_info["name"],
					root.get_path_to(wire["callable"].get_object()), wire["callable"].get_method(),
					wire["flags"] & (CONNECT_DEFERRED | CONNECT_PERSIST | CONNECT_ONE_SHOT)])
	for child: Node in node.get_children():
		_look(root, child, nodes, order, wires)
"""


def declared(scene: str, **more: Any) -> dict[str, Any]:
    return {"scenePath": scene, "tree": TREE, "connections": WIRES, **more}


def with_was() -> dict[str, Any]:
    """The same tree, whose player is called Hero until now."""
    player = {**TREE["children"][0], "was": "Hero"}
    return {**TREE, "children": [player, *TREE["children"][1:]]}


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {**FILES, "before.tscn": BEFORE})


async def apply(caller: Caller, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply("apply_scene", arguments)
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    found: dict[str, Any] = reply.structured["result"]
    return found


def told(steps: list[dict[str, Any]]) -> list[str]:
    return [f"{step['op']} {step['node']} {step.get('name', '')}".strip() for step in steps]


@pytest.mark.anyio
@pytest.mark.parametrize("plan", [{"mode": "plan"}, {"dryRun": True}])
async def test_a_plan_writes_nothing_and_says_what_applying_does(
    game: Path, caller: Caller, plan: dict[str, Any]
) -> None:
    planned = await apply(caller, **declared("new/level.tscn", **plan))
    assert not (game / "new").exists()
    assert "applied" not in planned
    done = await apply(caller, **declared("new/level.tscn"))
    assert done["applied"] is True
    assert done["steps"] == planned["steps"]
    assert told(done["steps"])[:6] == [
        "create .",
        "add Player",
        "script Player",
        "add Player/Shape",
        "add Player/Gun",
        "editable Player/Gun",
    ]


@pytest.mark.anyio
@pytest.mark.parametrize("options", [{}, {"removeExtra": True}, {"tree": with_was(), "removeExtra": True}])
@pytest.mark.parametrize("scene", ["before.tscn", "new.tscn"])
async def test_what_is_applied_needs_no_second_step(
    game: Path, caller: Caller, scene: str, options: dict[str, Any]
) -> None:
    assert (await apply(caller, **declared(scene, **options)))["total"] > 0
    text = (game / scene).read_text()
    again = await apply(caller, **declared(scene, **options))
    assert (again["steps"], again["total"], (game / scene).read_text()) == ([], 0, text)


@pytest.mark.anyio
async def test_a_scene_is_changed_only_where_it_differs(game: Path, caller: Caller) -> None:
    done = await apply(caller, **declared("before.tscn", tree=with_was()))
    steps = told(done["steps"])
    assert {
        "rename .",
        "retype .",
        "move Player",
        "retype Goal",
        "set Clock wait_time",
        "set Player/Shape shape",
        "move Goal",
    } <= set(steps)
    assert "set Player position" not in steps
    assert "set Goal visible" not in steps
    text = (game / "before.tscn").read_text()
    assert "Extra" in text
    assert "; kept by hand" in text
    assert "CircleShape2D" not in text


@pytest.mark.anyio
async def test_what_is_not_declared_goes_on_request(game: Path, caller: Caller) -> None:
    done = await apply(caller, **declared("before.tscn", tree=with_was(), removeExtra=True))
    assert {"remove Extra", "reset . editor_description"} <= set(told(done["steps"]))
    text = (game / "before.tscn").read_text()
    assert "Extra" not in text
    assert text.count("[connection") == 2


@pytest.mark.anyio
async def test_undo_brings_the_file_back_byte_for_byte(game: Path, caller: Caller) -> None:
    await apply(caller, **declared("before.tscn", removeExtra=True))
    assert (await caller.run("history_undo", {})).ok
    assert (game / "before.tscn").read_text() == BEFORE
    await apply(caller, **declared("new.tscn"))
    assert (await caller.run("history_undo", {})).ok
    assert not (game / "new.tscn").exists()


@pytest.mark.anyio
async def test_a_class_of_the_project_brings_its_script(game: Path, caller: Caller) -> None:
    await apply(
        caller, scenePath="h.tscn", tree={"name": "H", "type": "Hero", "properties": {"speed": 2}}, mode="apply"
    )
    text = (game / "h.tscn").read_text()
    assert re.search(r'type="CharacterBody2D" unique_id=\d+\]\nscript = ExtResource\("[^"]+"\)\nspeed = 2.0', text)


@pytest.mark.anyio
async def test_an_inherited_scene_is_declared_by_what_it_changes(game: Path, caller: Caller) -> None:
    children: list[dict[str, Any]] = [
        {"name": "Barrel", "properties": {"position": [5, 0]}, "groups": ["hot"]},
        {"name": "Scope", "type": "Node2D"},
        {"name": "Strap", "type": "Node2D"},
    ]
    heir: dict[str, Any] = {"scenePath": "heir.tscn", "mode": "apply", "removeExtra": True}
    tree = {"name": "Rifle", "instance": "gun.tscn", "properties": {"z_index": 3}}
    done = await apply(caller, **heir, tree={**tree, "children": children})
    assert told(done["steps"]) == ["create .", "add Scope", "add Strap", "set Barrel position", "groups Barrel"]
    assert (await apply(caller, **heir, tree={**tree, "children": children}))["total"] == 0
    children.reverse()
    assert told((await apply(caller, **heir, tree={**tree, "children": children}))["steps"]) == ["move Strap"]
    assert (await apply(caller, **heir, tree={**tree, "children": children}))["total"] == 0
    bare = await apply(caller, **heir, tree=tree)
    assert told(bare["steps"]) == ["remove Strap", "remove Scope", "reset Barrel"]
    assert (await apply(caller, **heir, tree=tree))["total"] == 0
    assert (game / "heir.tscn").read_text().count("[node") == 1


NODE = {"name": "Level", "type": "Node2D"}


@pytest.mark.anyio
async def test_a_root_is_known_by_its_name_where_it_is_instanced(game: Path, caller: Caller) -> None:
    await apply(caller, scenePath="before.tscn", tree={**NODE, "uniqueName": True, "was": "."}, mode="apply")
    assert "unique_name_in_owner = true" in (game / "before.tscn").read_text().partition('[node name="Clock')[0]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tree", "more", "code", "said"),
    [
        ({"name": "L", "type": "Nod2D"}, {}, "E_NOT_FOUND", "'Node2D'"),
        ({"name": "L", "type": "Resource"}, {}, "E_SCHEMA_VALIDATION", "not a node class"),
        ({"name": "L", "type": "Node", "instance": "gun.tscn"}, {}, "E_SCHEMA_VALIDATION", "one of them"),
        ({"name": "a/b", "type": "Node"}, {}, "E_SCHEMA_VALIDATION", "a/b"),
        ({**NODE, "properties": {"positon": [1, 2]}}, {}, "E_NOT_FOUND", "'position'"),
        ({**NODE, "properties": {"position": "here"}}, {}, "E_SCHEMA_VALIDATION", "position"),
        ({**NODE, "was": "Clock"}, {}, "E_SCHEMA_VALIDATION", "Leave 'was' out"),
        ({**NODE, "script": "hreo.gd"}, {}, "E_NOT_FOUND", "hreo.gd"),
        ({**NODE, "script": "hero.gd"}, {}, "E_SCHEMA_VALIDATION", "CharacterBody2D"),
        ({**NODE, "children": [{"name": "New"}]}, {}, "E_NOT_FOUND", "type or an instance"),
        ({**NODE, "children": [{"name": "A", "type": "Node"}] * 2}, {}, "E_SCHEMA_VALIDATION", "declared twice"),
        ({**NODE, "children": [{"name": "G", "instance": "gnu.tscn"}]}, {}, "E_NOT_FOUND", "gun.tscn"),
        ({**NODE, "children": [{"name": "Clock", "instance": "gun.tscn"}]}, {}, "E_SCHEMA_VALIDATION", "Clock"),
        (NODE, {"connections": [{**WIRES[0], "target": "Nobody"}]}, "E_NOT_FOUND", "Nobody"),
        (NODE, {"connections": [{**WIRES[0], "target": ".", "signal": "timeuot"}]}, "E_NOT_FOUND", "'timeout'"),
        (NODE, {"scenePath": "before.txt"}, "E_SCHEMA_VALIDATION", ".tscn"),
    ],
)
async def test_what_cannot_be_made_is_refused_and_changes_nothing(
    game: Path, caller: Caller, tree: dict[str, Any], more: dict[str, Any], code: str, said: str
) -> None:
    reply = await caller.reply("apply_scene", {"scenePath": "before.tscn", "tree": tree, "mode": "apply", **more})
    assert reply.structured is not None
    refused = reply.structured["error"]
    assert refused["code"] == code
    assert said in refused.get("suggestedFix", "") + refused["message"]
    assert (game / "before.tscn").read_text() == BEFORE
    assert sorted(path.name for path in game.glob("*.tscn")) == ["before.tscn", "gun.tscn"]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> list[Reply]:
    project = make_project(tmp_path_factory.mktemp("game"), {**FILES, "before.tscn": BEFORE, "exact.tscn": BEFORE})
    runtime = make_runtime(Config(project=project, rate_limit=None))

    async def call_all() -> None:
        calls = [
            declared("new.tscn"),
            declared("before.tscn", tree=with_was()),
            declared("exact.tscn", removeExtra=True),
        ]
        for call in calls:
            outcome = await runtime.run(Request(tool="apply_scene", arguments=call))
            assert outcome.ok, outcome.summary

    anyio.run(call_all)
    runtime.close()
    return run_jobs(project, LOOK, ["res://new.tscn", "res://before.tscn", "res://exact.tscn"])


@pytest.mark.godot
@pytest.mark.parametrize(("number", "extra"), [(0, []), (1, ["Extra"]), (2, [])])
def test_the_engine_loads_what_was_declared(loaded: list[Reply], number: int, extra: list[str]) -> None:
    assert loaded[number].complaints == []
    found = loaded[number].value
    order = [path for path in found["order"] if path not in extra]
    assert len(found["order"]) == len(order) + len(extra)
    assert order == [
        ".",
        "Player",
        "Player/Shape",
        "Player/Gun",
        "Player/Gun/Barrel",
        "Player/Gun/Barrel/Flash",
        "Goal",
        "Clock",
    ]
    assert found["nodes"]["."][2] == ["levels"]
    assert found["nodes"]["Player"] == ["CharacterBody2D", "", ["all", "heroes"]]
    assert found["nodes"]["Player/Gun"] == ["Node2D", "res://gun.tscn", ["guns"]]
    assert found["player"] == ["(10.0, 20.0)", 4.5, "Goal", "res://hero.gd"]
    assert found["shape"] == ["RectangleShape2D", "(8.0, 16.0)", True]
    assert found["gun"] == [1.5, 3, "(5.0, 0.0)"]
    assert found["goal"] == "ff8800ff"
    assert found["clock"] == [2.0, True]
    wires = ["Clock.timeout -> Player._on_clock 2", "Player.hurt -> ..queue_redraw 3"]
    assert found["wires"] == sorted([*wires, *(["Clock.timeout -> Extra.show 2"] if extra else [])])


@pytest.mark.anyio
async def test_a_declared_connection_may_leave_arguments_out(project: Path, caller: Caller) -> None:
    make_project(project, {})
    wire = {"source": "Zone", "signal": "body_entered", "target": ".", "method": "queue_redraw", "unbinds": 1}
    tree = {"name": "Level", "type": "Node2D", "children": [{"name": "Zone", "type": "Area2D"}]}
    asked = {"scenePath": "level.tscn", "tree": tree, "connections": [wire], "mode": "apply"}
    outcome = await caller.run("apply_scene", asked)
    assert outcome.ok, outcome.fault
    wanted = '[connection signal="body_entered" from="Zone" to="." method="queue_redraw" unbinds=1]\n'
    assert wanted in (project / "level.tscn").read_text()
