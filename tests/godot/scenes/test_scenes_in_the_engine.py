"""What the scene operations write, loaded by the real engine: no complaint, and the scene is as it was asked for.

Each case changes a scene of its own, so that one start of the engine can look at all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.support.gdscript_runner import Reply, make_project, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

pytestmark = pytest.mark.godot

GUN = '[gd_scene format=3]\n\n[node name="Gun" type="Node2D"]\n\n[node name="Barrel" type="Marker2D" parent="."]\n'
MAIN = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://gun.tscn" id="1_gun"]

[node name="Main" type="Node2D"]

[node name="Player" type="CharacterBody2D" parent="."]

[node name="Shape" type="CollisionShape2D" parent="Player"]

[node name="Gun" parent="Player" instance=ExtResource("1_gun")]

[node name="Timer" type="Timer" parent="." groups=["clocks"]]

[node name="Goal" type="Area2D" parent="."]

[connection signal="timeout" from="Timer" to="." method="queue_redraw"]
[connection signal="body_entered" from="Goal" to="Player" method="show"]
"""
LOOK = """
func run(path: String) -> Dictionary:
	var scene: Node = (load(path) as PackedScene).instantiate()
	var nodes: Array = []
	var wires: Array = []
	_look(scene, scene, nodes, wires)
	wires.sort()
	scene.free()
	return {"nodes": nodes, "wires": wires}

func _look(root: Node, node: Node, nodes: Array, wires: Array) -> void:
	nodes.append([str(root.get_path_to(node)), node.get_class(), node.get_groups()])
	for signal_info: Dictionary in node.get_signal_list():
		for wire: Dictionary in node.get_signal_connection_list(signal_info["name"]):
			var target: Node = wire["callable"].get_object()
			if wire["flags"] & CONNECT_PERSIST:
				wires.append("%s.%s -> %s.%s" % [root.get_path_to(node), signal_info["name"],
					root.get_path_to(target), wire["callable"].get_method()])
	for child: Node in node.get_children():
		_look(root, child, nodes, wires)
"""


@dataclass(frozen=True)
class Case:
    """Calls, and what the engine must then find."""

    calls: list[tuple[str, dict[str, Any]]]
    nodes: list[str]
    wires: list[str]


TREE = [".", "Player", "Player/Shape", "Player/Gun", "Player/Gun/Barrel", "Timer", "Goal"]
WIRES = ["Goal.body_entered -> Player.show", "Timer.timeout -> ..queue_redraw"]
CASES = {
    "untouched": Case([], TREE, WIRES),
    "renamed": Case(
        [("rename_node", {"nodePath": "Player", "newName": "Hero"})],
        [".", "Hero", "Hero/Shape", "Hero/Gun", "Hero/Gun/Barrel", "Timer", "Goal"],
        ["Goal.body_entered -> Hero.show", "Timer.timeout -> ..queue_redraw"],
    ),
    "renamed-root": Case([("rename_node", {"nodePath": "Main", "newName": "Level"})], TREE, WIRES),
    "moved": Case(
        [("move_node", {"nodePath": "/root/Main/Goal", "newParentPath": "Player"})],
        [".", "Player", "Player/Shape", "Player/Gun", "Player/Gun/Barrel", "Player/Goal", "Timer"],
        ["Player/Goal.body_entered -> Player.show", "Timer.timeout -> ..queue_redraw"],
    ),
    "reordered": Case(
        [("move_node", {"nodePath": "Goal", "before": "Player"})],
        [".", "Goal", "Player", "Player/Shape", "Player/Gun", "Player/Gun/Barrel", "Timer"],
        WIRES,
    ),
    "duplicated": Case(
        [("duplicate_node", {"nodePath": "Goal"})],
        [*TREE, "Goal2"],
        [*WIRES[:1], "Goal2.body_entered -> Player.show", *WIRES[1:]],
    ),
    "removed": Case(
        [("remove_node", {"nodePath": "Player"})], [".", "Timer", "Goal"], ["Timer.timeout -> ..queue_redraw"]
    ),
    "connected": Case(
        [
            (
                "connect_signal",
                {"fromNodePath": "Timer", "signal": "timeout", "toNodePath": "Goal", "method": "hide"},
            )
        ],
        TREE,
        [*WIRES, "Timer.timeout -> Goal.hide"],
    ),
    "disconnected": Case(
        [
            (
                "disconnect_signal",
                {"fromNodePath": "Timer", "signal": "timeout", "toNodePath": ".", "method": "queue_redraw"},
            )
        ],
        TREE,
        WIRES[:1],
    ),
    "grouped": Case([("manage_groups", {"nodePath": "Goal", "groups": ["goals", "all"]})], TREE, WIRES),
    "undone": Case(
        [("remove_node", {"nodePath": "Player"}), ("history_undo", {})],
        TREE,
        WIRES,
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files: dict[str, str | bytes] = {f"{name}.tscn": MAIN for name in CASES}
    return make_project(tmp_path_factory.mktemp("game"), {"gun.tscn": GUN, **files})


@pytest.fixture(scope="module")
def loaded(project: Path) -> dict[str, Reply]:
    runtime = make_runtime(Config(project=project, rate_limit=None))

    async def call_all() -> None:
        for name, case in CASES.items():
            for tool, arguments in case.calls:
                given = arguments if tool.startswith("history") else {"scenePath": f"{name}.tscn", **arguments}
                outcome = await runtime.run(Request(tool=tool, arguments=given))
                assert outcome.ok, outcome.summary
        made = await runtime.run(
            Request(tool="create_scene", arguments={"scenePath": "made/new_level.tscn", "rootNodeType": "Control"})
        )
        assert made.ok, made.summary
        inherited = {"scenePath": "made/heir.tscn", "inherits": "res://untouched.tscn"}
        assert (await runtime.run(Request(tool="create_scene", arguments=inherited))).ok

    anyio.run(call_all)
    runtime.close()
    names = [*CASES, "made/new_level", "made/heir"]
    replies = run_jobs(project, LOOK, [f"res://{name}.tscn" for name in names])
    return dict(zip(names, replies, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_the_engine_finds_what_was_asked_for(loaded: dict[str, Reply], name: str) -> None:
    reply, case = loaded[name], CASES[name]
    assert reply.complaints == []
    assert _paths(reply) == case.nodes
    assert reply.value["wires"] == sorted(case.wires)


def test_groups_are_there(loaded: dict[str, Reply]) -> None:
    groups = {path: sorted(named) for path, _, named in loaded["grouped"].value["nodes"]}
    assert groups["Goal"] == ["all", "goals"]
    assert groups["Timer"] == ["clocks"]


def test_an_undone_change_leaves_the_file_byte_for_byte(project: Path, loaded: dict[str, Reply]) -> None:
    assert loaded["undone"].complaints == []
    assert (project / "undone.tscn").read_text() == MAIN


def test_a_new_scene_loads(loaded: dict[str, Reply]) -> None:
    assert loaded["made/new_level"].complaints == []
    assert loaded["made/new_level"].value["nodes"] == [[".", "Control", []]]


def test_an_inherited_scene_has_what_its_base_has(loaded: dict[str, Reply]) -> None:
    assert loaded["made/heir"].complaints == []
    assert _paths(loaded["made/heir"]) == TREE


def _paths(reply: Reply) -> list[str]:
    return [path for path, _, _ in reply.value["nodes"]]
