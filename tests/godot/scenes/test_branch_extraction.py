"""A branch made a scene of its own: the real engine sees the same tree, values and connections as before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project, run_jobs

SCRIPT = """extends Node2D

signal lit(by: int)

@export var target: NodePath
@export var lamp: Node


func on_lit(_by: int) -> void:
	pass
"""
LEVEL = """[gd_scene load_steps=5 format=3 uid="uid://blevel000001"]

[ext_resource type="Script" path="res://part.gd" id="1_p"]
[ext_resource type="PackedScene" path="res://bulb.tscn" id="2_b"]

[sub_resource type="RectangleShape2D" id="Shape_own"]
size = Vector2(4, 6)

[sub_resource type="Gradient" id="Gradient_both"]

[sub_resource type="GradientTexture1D" id="Texture_both"]
gradient = SubResource("Gradient_both")

[node name="Level" type="Node2D" node_paths=PackedStringArray("lamp")]
script = ExtResource("1_p")
target = NodePath("%Bulb")
lamp = NodePath("Street/Lamp/Glow")

[node name="Street" type="Node2D" parent="."]

[node name="Lamp" type="Node2D" parent="Street" groups=["lights"]]
unique_name_in_owner = true
position = Vector2(10, 20)
script = ExtResource("1_p")
target = NodePath("../../Player")

[node name="Glow" type="Sprite2D" parent="Street/Lamp"]
texture = SubResource("Texture_both")

[node name="Bulb" parent="Street/Lamp" instance=ExtResource("2_b")]
unique_name_in_owner = true
position = Vector2(1, 1)

[node name="Wire" parent="Street/Lamp/Bulb" index="0"]
visible = false

[node name="Area" type="Area2D" parent="Street/Lamp"]

[node name="Shape" type="CollisionShape2D" parent="Street/Lamp/Area"]
shape = SubResource("Shape_own")

[node name="Player" type="Node2D" parent="."]
script = ExtResource("1_p")
target = NodePath("%Lamp")

[node name="Sky" type="Sprite2D" parent="."]
texture = SubResource("Texture_both")

[connection signal="lit" from="." to="Street/Lamp" method="on_lit"]
[connection signal="lit" from="Street/Lamp" to="." method="on_lit" binds= [3]]
[connection signal="tree_entered" from="Street/Lamp/Area" to="Player" method="queue_redraw"]
[connection signal="tree_entered" from="Street/Lamp/Area" to="Street/Lamp" method="queue_redraw"]

[editable path="Street/Lamp/Bulb"]
"""
BULB = (
    '[gd_scene format=3]\n\n[node name="Bulb" type="Node2D"]\n\n[node name="Wire" type="Node2D" parent="."]\n'
    "position = Vector2(7, 7)\n"
)
DUMP = """
func run(path: String) -> Array:
	var root: Node = (load(path) as PackedScene).instantiate()
	var rows: Array = []
	_row(root, root, rows)
	root.free()
	rows.sort()
	return rows

func _row(root: Node, node: Node, rows: Array) -> void:
	var at: String = str(root.get_path_to(node))
	rows.append("%s %s %s" % [at, node.get_class(), node.get_groups()])
	for name: String in ["position", "visible", "size"]:
		if node.get(name) != null:
			rows.append("%s.%s %s" % [at, name, node.get(name)])
	if node.get("target") is NodePath:
		var found: Node = node.get_node_or_null(node.get("target"))
		rows.append("%s.target %s" % [at, root.get_path_to(found) if found else "nothing"])
	if node.get("lamp") is Node:
		rows.append("%s.lamp %s" % [at, root.get_path_to(node.get("lamp"))])
	if node.get("shape") is Shape2D:
		rows.append("%s.shape %s" % [at, node.get("shape").size])
	if node.get("texture") is Texture2D:
		rows.append("%s.texture %s" % [at, node.get("texture").get_class()])
	for signal_row: Dictionary in node.get_signal_list():
		for wire: Dictionary in node.get_signal_connection_list(signal_row.name):
			var to: Object = wire.callable.get_object()
			if to is Node:
				var bound: Array = wire.callable.get_bound_arguments()
				rows.append("%s:%s %s.%s %s" % [
					at, signal_row.name, root.get_path_to(to), wire.callable.get_method(), bound
				])
	for child: Node in node.get_children():
		_row(root, child, rows)
"""


@pytest.fixture
def game(project: Path) -> Path:
    make_project(project, {"level.tscn": LEVEL, "bulb.tscn": BULB, "part.gd": SCRIPT})
    return project


async def extract(caller: Caller, **changes: Any) -> dict[str, Any]:
    arguments = {"scenePath": "level.tscn", "nodePath": "Street/Lamp", "newPath": "lamp.tscn"}
    structured = (await caller.reply("extract_scene", arguments | changes)).structured
    assert structured is not None
    return structured


@pytest.mark.anyio
@pytest.mark.godot
@pytest.mark.xdist_group("godot-text")
async def test_the_engine_sees_the_same_as_before(game: Path, caller: Caller) -> None:
    [before] = run_jobs(game, DUMP, ["res://level.tscn"])
    assert before.complaints == []
    assert (await extract(caller))["ok"]
    after, alone = run_jobs(game, DUMP, ["res://level.tscn", "res://lamp.tscn"])
    assert after.complaints == []
    assert after.value == before.value
    assert alone.complaints == []
    assert ".:tree_entered" not in str(alone.value)
    assert "Area:tree_entered ..queue_redraw []" in alone.value


@pytest.mark.anyio
async def test_only_what_is_needed_goes_along(game: Path, caller: Caller) -> None:
    reply = await extract(caller)
    assert (reply["result"]["nodes"], reply["result"]["newPath"]) == (6, "res://lamp.tscn")
    lamp, level = (game / "lamp.tscn").read_text(), (game / "level.tscn").read_text()
    assert ("Shape_own" in lamp, "Shape_own" in level) == (True, False)
    assert ("bulb.tscn" in lamp, "bulb.tscn" in level) == (True, False)
    assert '[node name="Lamp" type="Node2D" groups=["lights"]]' in lamp
    assert '[editable path="Bulb"]' in lamp
    assert '[node name="Lamp" parent="Street" instance=ExtResource(' in level
    assert 'target = NodePath("Street/Lamp/Bulb")' in level
    assert f'uid="{reply["result"]["uid"]}"' in lamp
    told = str(reply["warnings"])
    for part in ("is editable there", "2 resources", "%Bulb", "../../Player"):
        assert part in told


@pytest.mark.anyio
async def test_undo_restores_every_byte(game: Path, caller: Caller) -> None:
    await extract(caller)
    await caller.result("history", action="undo")
    assert (game / "level.tscn").read_text() == LEVEL
    assert not (game / "lamp.tscn").exists()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"nodePath": "."}, "root of its scene"),
        ({"nodePath": "Street/Lamp/Bulb/Wire"}, "belongs to another scene"),
        ({"nodePath": "Street/Lantern"}, "Street/Lantern"),
        ({"newPath": "bulb.tscn"}, "bulb.tscn"),
        ({"newPath": "../lamp.tscn"}, "lamp.tscn"),
        ({"newPath": "lamp.txt"}, "tscn"),
    ],
)
async def test_what_cannot_be_extracted_changes_nothing(
    game: Path, caller: Caller, changes: dict[str, str], said: str
) -> None:
    reply = await extract(caller, **changes)
    assert not reply["ok"]
    assert said in str(reply["error"])
    assert (game / "level.tscn").read_text() == LEVEL
    assert (game / "bulb.tscn").read_text() == BULB
