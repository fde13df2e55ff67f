"""Scenes that are animated through the pipeline and then played by the real engine, one start for all of them."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from tests.godot.catalogue.writes.model import Case
from tests.support.gdscript_runner import Reply, run_jobs

from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config

__all__ = [
    "FILES",
    "IN_PLAYER",
    "MAIN",
    "PLAYER",
    "SLIDE",
    "TURN",
    "add",
    "call_all",
    "files_of",
    "from_player",
    "in_go",
    "play_all",
    "png",
    "table",
]

FILES: dict[str, str] = {
    "hero.gd": "extends Sprite2D\n\n@export var speed: float = 1.0\nvar hp: int = 3\nvar hits: Array = []\n\n\n"
    "func hurt(by: int, how: String = '') -> void:\n\thits.append([by, how])\n",
    "part.tscn": """[gd_scene format=3]

[sub_resource type="Animation" id="Animation_blink"]
tracks/0/type = "value"
tracks/0/imported = false
tracks/0/enabled = true
tracks/0/path = NodePath("Eye:visible")
tracks/0/interp = 1
tracks/0/loop_wrap = true
tracks/0/keys = {
"times": PackedFloat32Array(0, 0.5),
"transitions": PackedFloat32Array(1, 1),
"update": 1,
"values": [true, false]
}

[sub_resource type="AnimationLibrary" id="AnimationLibrary_own"]
_data = {
&"blink": SubResource("Animation_blink")
}

[node name="Part" type="Node2D"]

[node name="Eye" type="Sprite2D" parent="."]

[node name="Blinker" type="AnimationPlayer" parent="."]
libraries/ = SubResource("AnimationLibrary_own")
""",
    "moves.tres": '[gd_resource type="AnimationLibrary" format=3]\n\n[resource]\n',
    "main.tscn": """[gd_scene format=3]

[ext_resource type="Script" path="res://~/hero.gd" id="1_hero"]
[ext_resource type="PackedScene" path="res://~/part.tscn" id="2_part"]

[sub_resource type="CanvasItemMaterial" id="CanvasItemMaterial_a"]

[node name="Main" type="Node2D"]

[node name="Body" type="Sprite2D" parent="."]
material = SubResource("CanvasItemMaterial_a")
position = Vector2(3, 4)
script = ExtResource("1_hero")

[node name="Arm" type="Node2D" parent="Body"]
unique_name_in_owner = true

[node name="Box" type="MeshInstance3D" parent="."]
transform = Transform3D(2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3)

[node name="Sound" type="AudioStreamPlayer" parent="."]

[node name="Part" parent="." instance=ExtResource("2_part")]

[node name="Shown" type="AnimatedSprite2D" parent="."]

[node name="Sheet" type="Sprite2D" parent="."]
""",
}
MAIN = {"scenePath": "~/main.tscn"}
IN_PLAYER = {**MAIN, "playerNodePath": "AnimationPlayer"}
PLAYER = ("create_animation_player", MAIN)
ENGINE = """
var scene: Node


func run(job: Dictionary) -> Variant:
	scene = (load("res://" + job.scene) as PackedScene).instantiate()
	get_root().add_child(scene)
	await process_frame
	var found: Variant = null
	for line: String in job.asked.split("; "):
		var asked: Expression = Expression.new()
		asked.parse(line)
		found = asked.execute([], self)
		if asked.has_execute_failed():
			found = "failed: " + line + ": " + asked.get_error_text()
	scene.free()
	return found


func node(path: String) -> Node:
	return scene.get_node(path)


func file(path: String) -> Resource:
	return load("res://" + path)


func at(animation: String, time: float, path: String, property: String) -> String:
	var player: AnimationPlayer = node("AnimationPlayer")
	player.play(animation)
	player.seek(time, true)
	return var_to_str(node(path).get_indexed(property))


func animation(name: String) -> Animation:
	return (node("AnimationPlayer") as AnimationPlayer).get_animation(name)


func go() -> Animation:
	return animation("go")


func x() -> float:
	return snappedf((node("Body") as Node2D).position.x, 0.001)


func state(name: String) -> AnimationNode:
	return node("Tree").tree_root.get_node(name)


func between(from: String, to: String) -> AnimationNodeStateMachineTransition:
	var machine: AnimationNodeStateMachine = node("Tree").tree_root
	for at: int in machine.get_transition_count():
		if machine.get_transition_from(at) == from and machine.get_transition_to(at) == to:
			return machine.get_transition(at)
	return null


func playback(way: String = "") -> AnimationNodeStateMachinePlayback:
	return node("Tree").get("parameters/" + way + "playback")


func saved() -> String:
	var packed: PackedScene = PackedScene.new()
	packed.pack(scene)
	ResourceSaver.save(packed, "res://saved.tscn")
	return FileAccess.get_file_as_string("res://saved.tscn")
"""


def add(name: str = "go", *tables: dict[str, Any], **more: Any) -> tuple[str, dict[str, Any]]:
    """A call that adds an animation of tracks."""
    return "add_animation", {**IN_PLAYER, "animationName": name, "tracks": list(tables), **more}


def table(node: str = "Body", property_: str | None = "position", *keys: Any, **more: Any) -> dict[str, Any]:
    """A track with its keys."""
    named = {"property": property_} if property_ else {}
    return {"nodePath": node, **named, "keys": list(keys), **more}


def in_go(tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """A call that changes the animation `go`."""
    return tool, {**IN_PLAYER, "animationName": "go", **arguments}


SLIDE = table("Body", "position", [0, [0, 0]], [1, [8, 0]])
TURN = table("Body/Arm", "rotation", [0, 0], [1, 2])


def from_player(*calls: tuple[str, dict[str, Any]], asked: Mapping[str, Any]) -> Case:
    """A case on a scene with an empty player."""
    return Case((PLAYER, *calls), dict(asked))


def files_of(names: Mapping[str, Case]) -> dict[str, str | bytes]:
    return {f"{name}/{file}": text.replace("~", name) for name in names for file, text in FILES.items()}


async def call_all(project: Path, name: str, case: Case) -> list[Any]:
    """Makes the calls of a case, all of which must succeed; gives their data and warnings."""
    runtime = make_runtime(Config(project=project, rate_limit=None))
    found = []
    for tool, arguments in case.calls:
        placed = json.loads(json.dumps(arguments).replace("~", name))
        outcome = await runtime.run(Request(tool=tool, arguments=placed, meta={"approved": True}))
        assert outcome.ok, (name, tool, outcome.summary)
        found.append(outcome)
    runtime.close()
    return found


def play_all(project: Path, cases: Mapping[str, Case]) -> dict[tuple[str, str], Reply]:
    """What the engine says to everything that the cases ask."""
    for name, case in cases.items():
        anyio.run(call_all, project, name, case)
    jobs = [(name, asked) for name, case in cases.items() for asked in case.asked]
    said = [{"scene": f"{name}/main.tscn", "asked": asked.replace("~", name)} for name, asked in jobs]
    return dict(zip(jobs, run_jobs(project, ENGINE, said, live=True), strict=True))


def png(width: int, height: int) -> bytes:
    """A picture of one color."""

    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    rows = b"".join(b"\0" + b"\xff\0\0\xff" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body
