"""What classes and nodes have, and which signals are connected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.godot.catalogue.played_scenes import called, refused
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

HERO = """class_name Hero
extends Node2D

signal died(by: Node, cause := "none")

@export var speed: float = 2.0


func hurt(by: int = 1, _how = null) -> bool:
	return by > 0
"""
GUN = """[gd_scene format=3]

[node name="Gun" type="Timer"]

[connection signal="timeout" from="." to="." method="stop"]
"""
SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://hero.gd" id="1"]
[ext_resource type="PackedScene" path="res://gun.tscn" id="2"]

[node name="Main" type="Node2D"]

[node name="Hero" type="Node2D" parent="."]
script = ExtResource("1")

[node name="Gun" parent="Hero" instance=ExtResource("2")]

[connection signal="died" from="Hero" to="." method="queue_free" flags=6 binds= [7]]
[connection signal="timeout" from="Hero/Gun" to="Hero" method="hurt"]
"""


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"hero.gd": HERO, "gun.tscn": GUN, "main.tscn": SCENE})


async def test_properties_of_a_class_and_of_a_node_with_a_script(game: Path, caller: Caller) -> None:
    found = await called(caller, "list_properties", className="Timer", filter="wait")
    assert found == {
        "of": "Timer",
        "total": 1,
        "properties": [{"name": "wait_time", "type": "float", "default": "1.0", "owner": "Timer"}],
    }
    node = await called(
        caller, "godot_inspector_manager", action="property_list", scenePath="main.tscn", nodePath="Hero", limit=2
    )
    assert node["properties"][0]["name"] == "speed"
    assert node["nextOffset"] == 2
    rest = await called(caller, "list_properties", scenePath="main.tscn", nodePath="Hero", offset=2, limit=1000)
    names = [row["name"] for row in rest["properties"]]
    assert "rotation" in names
    assert len(names) == node["total"] - 2
    modes = await called(caller, "list_properties", className="Control", filter="focus_mode")
    assert modes["properties"][0]["type"] == "Control.FocusMode"


async def test_methods_and_signals_with_their_arguments(game: Path, caller: Caller) -> None:
    start = await called(caller, "godot_inspector_manager", action="method_list", className="Timer", filter="start")
    assert start["members"] == ["Timer.start(time_sec: float = -1) -> void"]
    own = await called(caller, "list_methods", className="Hero", limit=1)
    assert own["members"] == ["script.hurt(by: int = 1, _how = null) -> bool"]
    signals = await called(
        caller, "godot_inspector_manager", action="signals.list", scenePath="main.tscn", nodePath="Hero", filter="died"
    )
    assert signals["members"][0].startswith("script.died(by: Node, cause")
    timer = await called(caller, "list_signals", scenePath="main.tscn", nodePath="Hero/Gun", filter="timeout")
    assert timer["members"] == ["Timer.timeout()"]


async def test_connections_of_a_scene_and_of_what_it_instances(game: Path, caller: Caller) -> None:
    async def rows(**asked: Any) -> list[dict[str, Any]]:
        found = await called(
            caller, "godot_inspector_manager", action="signals.connections.list", scenePath="main.tscn", **asked
        )
        connections: list[dict[str, Any]] = found["connections"]
        return connections

    died = {"source": "Hero", "signal": "died", "target": ".", "method": "queue_free", "flags": 6, "binds": [7]}
    hurt = {"source": "Hero/Gun", "signal": "timeout", "target": "Hero", "method": "hurt"}
    stop = {"source": "Hero/Gun", "signal": "timeout", "target": "Hero/Gun", "method": "stop", "inside": True}
    assert sorted(await rows(), key=str) == sorted([died, hurt, stop], key=str)
    assert await rows(sourceNodePath="Hero") == [died]
    assert sorted(await rows(signal="timeout"), key=str) == sorted([hurt, stop], key=str)
    first = await called(caller, "list_connections", scenePath="main.tscn", limit=2)
    assert (len(first["connections"]), first["total"], first["nextOffset"]) == (2, 3, 2)
    assert sorted([*first["connections"], *await rows(offset=2)], key=str) == sorted([died, hurt, stop], key=str)


async def test_members_of_a_node_come_in_pages(game: Path, caller: Caller) -> None:
    for tool, where in (
        ("list_methods", {"scenePath": "main.tscn", "nodePath": "Hero/Gun"}),
        ("list_signals", {"className": "Timer"}),
    ):
        first = await called(caller, tool, **where, limit=1)
        rest = await called(caller, tool, **where, offset=1, limit=1000)
        assert len(first["members"]) == first["nextOffset"] == 1
        assert len(rest["members"]) == first["total"] - 1
        assert first["members"][0].startswith("Timer.")
        assert first["members"][0] not in rest["members"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("list_properties", {}, "className"),
        (
            "list_properties",
            {"className": "Node", "nodePath": "Hero", "scenePath": "main.tscn"},
            "Give one of className",
        ),
        ("list_methods", {"instanceId": 5}, "No Godot editor"),
        ("list_methods", {"instanceId": 5, "className": "Node"}, "Give one of className"),
        ("list_methods", {"className": "Tmer"}, "Timer"),
        ("list_signals", {"nodePath": "Hero"}, "scenePath"),
        ("list_signals", {"nodePath": "Hreo", "scenePath": "main.tscn"}, "Hero"),
        ("list_connections", {"scenePath": "main.tscn", "sourceNodePath": "Gone"}, "Gone"),
    ],
)
async def test_what_is_not_there_is_refused(
    game: Path, caller: Caller, tool: str, arguments: dict[str, Any], says: str
) -> None:
    assert says in await refused(caller, tool, **arguments)
