"""Numbers that the inspector would not take are written, as files may hold them, and the reply says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project, run_jobs

pytestmark = pytest.mark.anyio

SCRIPT = (
    "class_name Hero\nextends Timer\n\n@export_range(0, 100) var health: int = 50\n"
    "@export_range(0, 10, 0.5, 'or_greater') var speed: float = 1.0\n"
)
SCENE = (
    '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="Script" path="res://hero.gd" id="1"]\n\n'
    '[node name="Root" type="Timer"]\nscript = ExtResource("1")\n\n[node name="Body" type="RigidBody2D" parent="."]\n'
    '\n[node name="Hinge" type="HingeJoint3D" parent="."]\n'
)
LOOK = """
func run(job: Array) -> Array:
	var node: Node = (load("res://a.tscn") as PackedScene).instantiate()
	var found: Variant = node.get_node(job[0]).get(job[1])
	node.free()
	return [found]
"""


@pytest.fixture
def game(project: Path) -> Path:
    return make_project(project, {"a.tscn": SCENE, "hero.gd": SCRIPT})


async def warned(caller: Caller, tool: str, **given: Any) -> list[str]:
    reply = (await caller.reply(tool, given)).structured
    assert reply is not None
    assert reply["ok"], reply
    found: list[str] = reply.get("warnings", [])
    return found


@pytest.mark.parametrize(
    ("node", "properties", "said"),
    [
        (".", {"wait_time": -3}, ["Timer.wait_time is -3, but should be at least 0.001."]),
        (".", {"health": 1000}, ["Hero.health is 1000, but should be from 0 to 100."]),
        (".", {"health": 100, "speed": 5000, "wait_time": 100000}, []),
        ("Body", {"mass": -5}, ["RigidBody2D.mass is -5, but should be at least 0.001."]),
        (
            "Body",
            {"physics_material_override": {"$resource": "PhysicsMaterial", "props": {"friction": -7}}},
            ["PhysicsMaterial.friction is -7, but should be at least 0."],
        ),
        ("Hinge", {"angular_limit/upper": 3.1415927}, []),
        (
            "Hinge",
            {"angular_limit/upper": 180},
            [
                "HingeJoint3D.angular_limit/upper is in radians: 180 is 10313.2 degrees. "
                "If that is not meant, give 3.14159 for 180 degrees."
            ],
        ),
    ],
)
async def test_a_number_outside_its_range_is_named_with_the_range(
    game: Path, caller: Caller, node: str, properties: dict[str, Any], said: list[str]
) -> None:
    assert await warned(caller, "edit_node", scenePath="a.tscn", nodePath=node, properties=properties) == said


async def test_every_way_to_set_values_says_so_once(game: Path, caller: Caller) -> None:
    said = ["Timer.wait_time is -3, but should be at least 0.001."]
    timer = {"name": "T", "type": "Timer", "properties": {"wait_time": -3}}
    added = {"scenePath": "a.tscn", "nodeName": "T", "nodeType": "Timer", "properties": {"wait_time": -3}}
    assert await warned(caller, "add_node", **added) == said
    assert await warned(caller, "apply_scene", scenePath="b.tscn", tree=timer, mode="apply") == said
    circle = {"resourcePath": "c.tres", "resourceType": "CircleShape2D", "properties": {"radius": -1}}
    assert await warned(caller, "create_resource", **circle) == [
        "CircleShape2D.radius is -1, but should be at least 0.01."
    ]


@pytest.mark.godot
async def test_the_engine_refuses_or_keeps_what_was_warned_about(game: Path, caller: Caller) -> None:
    values = {"wait_time": -3, "health": 1000}
    assert len(await warned(caller, "edit_node", scenePath="a.tscn", nodePath=".", properties=values)) == 2
    refused, kept = run_jobs(game, LOOK, [[".", "wait_time"], [".", "health"]])
    assert refused.value == [1.0]
    assert any("greater than zero" in said for said in refused.complaints)
    assert kept.value == [1000]
