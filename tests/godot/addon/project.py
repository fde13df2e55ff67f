"""The project that the protocol's tests open: a small game, strict warnings, and somebody who sits at the editor."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import scenewright.godot.editor

ADDON = Path(scenewright.godot.editor.__file__).parent / "addon" / "scenewright_bridge"
PLUGIN = "res://addons/scenewright_bridge/plugin.cfg"
DRIVER = "res://addons/driver/plugin.cfg"

# Runs `act()` of a script that a test puts beside it: what a person would do by hand.
DRIVER_CODE = """@tool
extends EditorPlugin


func _process(_delta: float) -> void:
	var path: String = "res://.act-%d" % OS.get_process_id()
	if not FileAccess.file_exists(path):
		return
	var script: GDScript = GDScript.new()
	script.source_code = FileAccess.get_file_as_string(path)
	var _removed: Error = DirAccess.remove_absolute(path)
	if script.reload() == OK:
		var actor: Object = script.new()
		var _done: Variant = actor.call(&"act")
"""

PLAYER = """extends CharacterBody3D

signal hit(damage: int)

@export var speed: float = 5.0
@export var jump_force: float = 4.5
@export var target: Node3D


func on_pressed() -> void:
	hit.emit(1)
"""
MAIN_SCRIPT = """extends Node3D

var _frames: int = 0


func _ready() -> void:
	print("the game is up")
	push_warning("mind the gap")
	_fail.call_deferred()


func _process(_delta: float) -> void:
	_frames += 1
	print("frame %d" % _frames)


func _fail() -> void:
	var nobody: Node = null
	nobody.queue_free()
"""
MAIN = """[gd_scene format=3 uid="uid://b3yw6q0main01"]

[ext_resource type="Script" path="res://main.gd" id="1_main"]
[ext_resource type="Script" path="res://player.gd" id="2_player"]
[ext_resource type="PackedScene" uid="uid://b3yw6q0mob001" path="res://mob.tscn" id="3_mob"]

[sub_resource type="StandardMaterial3D" id="Material_green"]
shading_mode = 0
albedo_color = Color(0, 1, 0, 1)

[sub_resource type="BoxMesh" id="BoxMesh_1"]
material = SubResource("Material_green")

[sub_resource type="Animation" id="Animation_walk"]
resource_name = "walk"
tracks/0/type = "value"
tracks/0/imported = false
tracks/0/enabled = true
tracks/0/path = NodePath("Player/Body:visible")
tracks/0/interp = 1
tracks/0/loop_wrap = true
tracks/0/keys = {
"times": PackedFloat32Array(0),
"transitions": PackedFloat32Array(1),
"update": 1,
"values": [true]
}

[sub_resource type="AnimationLibrary" id="Library_1"]
_data = {
&"walk": SubResource("Animation_walk")
}

[node name="Main" type="Node3D"]
script = ExtResource("1_main")

[node name="Camera" type="Camera3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 4)

[node name="Player" type="CharacterBody3D" parent="." node_paths=PackedStringArray("target") groups=["heroes"]]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0)
floor_max_angle = 0.5
script = ExtResource("2_player")
speed = 7.5
target = NodePath("../Enemy")

[node name="Body" type="MeshInstance3D" parent="Player"]
unique_name_in_owner = true
mesh = SubResource("BoxMesh_1")

[node name="Enemy" type="CharacterBody3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0)

[node name="Link" type="PinJoint3D" parent="."]
node_a = NodePath("../Player")

[node name="Animations" type="AnimationPlayer" parent="."]
libraries = {
"": SubResource("Library_1")
}

[node name="Mob" parent="." instance=ExtResource("3_mob")]

[node name="Hud" type="CanvasLayer" parent="."]

[node name="Panel" type="ColorRect" parent="Hud"]
offset_right = 200.0
offset_bottom = 100.0
color = Color(1, 0, 0, 1)

[node name="Go" type="Button" parent="Hud"]
offset_left = 220.0
offset_right = 300.0
offset_bottom = 40.0
text = "Go"

[connection signal="pressed" from="Hud/Go" to="Player" method="on_pressed"]
"""
MOB = """[gd_scene format=3 uid="uid://b3yw6q0mob001"]

[node name="Mob" type="Node3D"]

[node name="Eye" type="Node3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0)
"""
LEVEL = """[gd_scene format=3 uid="uid://b3yw6q0level1"]

[node name="Level" type="Node2D"]

[node name="Spot" type="Node2D" parent="."]
position = Vector2(10, 20)
"""


def _runnable(name: str, body: str) -> dict[str, str]:
    scene = f'[gd_scene format=3]\n\n[ext_resource type="Script" path="res://{name}.gd" id="1_x"]\n\n'
    return {
        f"{name}.tscn": f'{scene}[node name="{name.title()}" type="Node"]\nscript = ExtResource("1_x")\n',
        f"{name}.gd": f"extends Node\n\n\n{body}",
    }


FILES = {
    "main.tscn": MAIN,
    "mob.tscn": MOB,
    "level.tscn": LEVEL,
    "main.gd": MAIN_SCRIPT,
    "player.gd": PLAYER,
    "addons/driver/plugin.cfg": '[plugin]\nname="Driver"\ndescription=""\nauthor=""\nversion=""\nscript="plugin.gd"\n',
    "addons/driver/plugin.gd": DRIVER_CODE,
    **_runnable("crash", 'func _init() -> void:\n\tprint("now it crashes")\n\tOS.crash("of despair")\n'),
    **_runnable("hang", 'func _ready() -> void:\n\tprint("now it hangs")\n\tOS.delay_msec(600_000)\n'),
    **_runnable("broken", "func _ready() -> void:\n\tmissing(\n"),
    **_runnable("quit", 'func _ready() -> void:\n\tprint("that was it")\n\tget_tree().quit()\n'),
}

LIST_WARNINGS = """extends SceneTree


func _init() -> void:
	for setting: Dictionary in ProjectSettings.get_property_list():
		var title: String = setting["name"]
		if title.begins_with("debug/gdscript/warnings/"):
			print("setting ", title, " ", setting["type"])
	quit()
"""


def strict_warnings(godot: Path, folder: Path) -> str:
    """Settings that make every warning of this Godot an error, in addons too."""
    folder.mkdir(parents=True)
    (folder / "project.godot").write_text("config_version=5\n", encoding="utf-8")
    (folder / "list.gd").write_text(LIST_WARNINGS, encoding="utf-8")
    command = [str(godot), "--headless", "--path", str(folder), "--script", "res://list.gd"]
    listed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    found = dict(re.findall(r"^setting debug/(\S+) (\d+)$", listed, re.MULTILINE))
    levels = [f"{name}=2" for name, kind in found.items() if kind == "2"]
    assert len(levels) > 40, listed
    everywhere = ["gdscript/warnings/exclude_addons=false", "gdscript/warnings/directory_rules={}"]
    return "\n".join(["[debug]", "", *levels, *everywhere, ""])


def make_project(folder: Path, *, warnings: str = "") -> Path:
    """The project with the shipped addon in it."""
    settings = [
        "config_version=5\n\n[application]\n",
        'config/name="Protocol"\nrun/main_scene="res://main.tscn"\nconfig/features=PackedStringArray("4.3")\n',
        '[rendering]\n\nrenderer/rendering_method="gl_compatibility"\n',
        f'[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}", "{DRIVER}")\n',
        warnings,
    ]
    for name, content in {**FILES, "project.godot": "\n".join(settings)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    shutil.copytree(ADDON, folder / "addons" / "scenewright_bridge")
    return folder
