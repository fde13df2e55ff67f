"""Code that names a node is pointed at when the node gets another path; settings with rules are left to their tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio

CODE = """extends Node2D

@onready var arm: Vector2 = $Body/Arm.position  # $Body
@onready var far: Node = get_node("Body/Arm/Hand")
@onready var own: Node = %Arm
var other: Node = $Other
var rest: int = 7 %Arm.size()


func _ready() -> void:
	has_node(^"../Main/Body")
	print("%Arm" % $"Other", $Body2)
"""
MAIN = """[gd_scene format=3]

[ext_resource type="Script" path="res://main.gd" id="1"]

[node name="Main" type="Node2D"]
script = ExtResource("1")

[node name="Body" type="Node2D" parent="."]

[node name="Arm" type="Node2D" parent="Body"]
unique_name_in_owner = true

[node name="Other" type="Node2D" parent="."]
"""


async def warned(caller: Caller, tool: str, **arguments: Any) -> list[int]:
    reply = await caller.reply(tool, {"scenePath": "main.tscn", **arguments})
    assert reply.structured is not None
    assert reply.structured["ok"], reply.structured
    return [int(warning.split("main.gd:")[1].split(":")[0]) for warning in reply.structured.get("warnings", [])]


async def test_lines_that_lead_to_a_renamed_or_moved_node_are_told(project: Path, caller: Caller) -> None:
    make_project(project, {"main.gd": CODE, "main.tscn": MAIN})
    assert await warned(caller, "rename_node", nodePath="Body/Arm", newName="Wing") == [3, 4, 5]
    await caller.reply("history_undo", {})
    assert await warned(caller, "rename_node", nodePath="Body", newName="Torso") == [3, 4]
    await caller.reply("history_undo", {})
    assert await warned(caller, "move_node", nodePath="Other", newParentPath="Body") == [6, 12]
    await caller.reply("history_undo", {})
    assert await warned(caller, "reorder_node", nodePath="Other", index=0) == []


@pytest.mark.parametrize(
    ("key", "value", "tool"),
    [("autoload/Score", "*res://none.gd", "add_autoload"), ("input/jump", {"deadzone": 0.5}, "add_input_action")],
)
async def test_settings_with_rules_of_their_own_are_not_set_bare(
    project: Path, caller: Caller, key: str, value: Any, tool: str
) -> None:
    make_project(project)
    before = (project / "project.godot").read_text()
    reply = await caller.reply("set_project_setting", {"key": key, "value": value})
    assert reply.structured is not None
    assert tool in reply.structured["error"]["suggestedFix"]
    assert (project / "project.godot").read_text() == before
