"""A small game that the tests play: it walks, jumps, collects, counts, changes scenes, fails and quits."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.tools import godot
from tests.support.gdscript_runner import make_project

PLAYER = """extends CharacterBody2D

signal landed(height: float)

var coins: int = 0
var jumps: int = 0
var was_up: bool = false


func _physics_process(delta: float) -> void:
	velocity.y += 900.0 * delta
	velocity.x = 120.0 * Input.get_axis("ui_left", "ui_right")
	if is_on_floor():
		if was_up:
			landed.emit(position.y)
		if Input.is_action_just_pressed("ui_accept"):
			velocity.y = -400.0
			jumps += 1
	was_up = not is_on_floor()
	move_and_slide()


func spin() -> void:
	while true:
		pass


func stumble() -> void:
	var nobody: Node = null
	nobody.queue_free()


func leave() -> void:
	get_tree().quit(3)


func crash() -> void:
	OS.crash("on purpose")


func next() -> void:
	get_tree().change_scene_to_file("res://menu.tscn")


func stop() -> void:
	get_tree().paused = true
"""
COIN = """extends Area2D

var worth: int = 1 + randi() % 9


func _ready() -> void:
	body_entered.connect(_on_body_entered)


func _on_body_entered(body: Node2D) -> void:
	body.set("coins", body.get("coins") + 1)
	($/root/Level/Hud/Count as Label).text = "Coins: %d/2" % body.get("coins")
	queue_free()
"""
LEVEL = """[gd_scene format=3]

[ext_resource type="Script" path="res://player.gd" id="1"]
[ext_resource type="Script" path="res://coin.gd" id="2"]

[sub_resource type="RectangleShape2D" id="Box"]
size = Vector2(20, 20)

[sub_resource type="RectangleShape2D" id="Ground"]
size = Vector2(2000, 20)

[node name="Level" type="Node2D"]

[node name="Ground" type="StaticBody2D" parent="."]
position = Vector2(0, 300)

[node name="Shape" type="CollisionShape2D" parent="Ground"]
shape = SubResource("Ground")

[node name="Player" type="CharacterBody2D" parent="."]
position = Vector2(100, 200)
script = ExtResource("1")

[node name="Shape" type="CollisionShape2D" parent="Player"]
shape = SubResource("Box")

[node name="Coin" type="Area2D" parent="."]
position = Vector2(160, 275)
script = ExtResource("2")

[node name="Shape" type="CollisionShape2D" parent="Coin"]
shape = SubResource("Box")

[node name="Coin2" type="Area2D" parent="."]
position = Vector2(220, 275)
script = ExtResource("2")

[node name="Shape" type="CollisionShape2D" parent="Coin2"]
shape = SubResource("Box")

[node name="Hud" type="CanvasLayer" parent="."]

[node name="Count" type="Label" parent="Hud"]
offset_left = 8.0
offset_top = 8.0
offset_right = 100.0
offset_bottom = 31.0
text = "Coins: 0/2"
"""
MENU = """extends Control

var clicks: int = 0
var started: bool = false


func _on_play_pressed() -> void:
	clicks += 1
	started = true
"""
MENU_SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://menu.gd" id="1"]

[node name="Menu" type="Control"]
script = ExtResource("1")

[node name="Play" type="Button" parent="."]
offset_left = 40.0
offset_top = 40.0
offset_right = 140.0
offset_bottom = 80.0
text = "Play"

[node name="Name" type="LineEdit" parent="."]
offset_left = 40.0
offset_top = 100.0
offset_right = 240.0
offset_bottom = 140.0

[connection signal="pressed" from="Play" to="." method="_on_play_pressed"]
"""


@pytest.fixture(autouse=True)
def _with_godot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT_PATH", str(godot()))


@pytest.fixture
def level(project: Path) -> Path:
    files = {"player.gd": PLAYER, "coin.gd": COIN, "level.tscn": LEVEL, "menu.gd": MENU, "menu.tscn": MENU_SCENE}
    game = make_project(project)
    for name, content in files.items():
        (game / name).write_text(content)
    with (game / "project.godot").open("a") as settings:
        settings.write('\n[application]\n\nrun/main_scene="res://level.tscn"\n')
    return game
