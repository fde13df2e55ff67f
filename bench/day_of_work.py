"""A day's calls beside the demo and the game tasks: what agents look at, change a little, get wrong and take back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["CALLS"]

Call = tuple[str, dict[str, Any]]
_ENEMY = """extends CharacterBody3D

signal died(points: int)

@export var speed: float = 3.0
@export var health: int = 3

var target: Node3D


func _physics_process(delta: float) -> void:
	if target == null:
		return
	velocity = global_position.direction_to(target.global_position) * speed
	move_and_slide()


func hit(damage: int) -> void:
	health -= damage
	if health <= 0:
		died.emit(10)
		queue_free()
"""
_MENU = """extends Control


func _on_start_pressed() -> void:
	get_tree().change_scene_to_file("res://arena.tscn")


func _on_quit_pressed() -> void:
	get_tree().quit()
"""
_SHADER = """shader_type canvas_item;

uniform vec4 tint : source_color = vec4(1.0, 0.5, 0.2, 1.0);
uniform float strength : hint_range(0.0, 1.0) = 0.5;

void fragment() {
	vec4 color = texture(TEXTURE, UV);
	COLOR = mix(color, tint, strength * color.a);
}
"""


def _do(manager: str, action: str, **params: Any) -> Call:
    return f"godot_{manager}_manager", {"action": action, **params}


def _looks() -> Iterator[Call]:
    yield "core_ping", {}
    yield "project_workspace_stats", {}
    yield _do("project_config", "project_info.get")
    yield _do("scene", "list")
    yield _do("code", "script.list")
    yield _do("inspector", "scene_tree.get", scenePath="level.tscn")
    yield _do("inspector", "inspect", scenePath="level.tscn", nodePath="Player")
    yield _do("code", "script.outline", scriptPath="player.gd")
    yield _do("code", "script.read", scriptPath="player.gd")
    yield "project_file_manager", {"action": "read", "path": "hud.tscn"}
    yield _do("inspector", "signals.connections.list", scenePath="level.tscn")
    yield _do("inspector", "query", scenePath="level.tscn", nameContains="Coin")
    yield _do("asset", "search_files", query="collected")
    yield _do("tilemap", "get_tiles", scenePath="level.tscn", tilemapNodePath="Ground", form="rows")
    yield _do("project_config", "input_map.list")
    yield _do("workspace", "docs.get_method", className="CharacterBody2D", methodName="move_and_slide")
    yield "meta_tool_manager", {"action": "tool_search", "query": "particles"}
    yield "history", {"action": "list", "limit": 10}


def _arena() -> Iterator[Call]:
    arena = {"scenePath": "arena.tscn"}
    yield _do("scene", "create_scene", **arena, rootNodeType="Node3D", rootNodeName="Arena")
    yield _do("code", "script.create", scriptPath="enemy.gd", content=_ENEMY)
    floor = {"$resource": "PlaneMesh", "props": {"size": [20, 20]}}
    items = [
        {"nodeType": "MeshInstance3D", "nodeName": "Floor", "properties": {"mesh": floor}},
        {"nodeType": "DirectionalLight3D", "nodeName": "Sun", "properties": {"rotation_degrees": [-50, 30, 0]}},
        {"nodeType": "Camera3D", "nodeName": "Camera", "properties": {"position": [0, 6, 10], "fov": 60}},
        {"nodeType": "Node3D", "nodeName": "Spawns"},
    ]
    yield _do("scene", "batch_create", **arena, items=items)
    for number in range(4):
        place = {"nodeType": "Marker3D", "nodeName": f"Spawn{number}", "parentNodePath": "Spawns"}
        yield _do("scene", "create", **arena, **place, properties={"position": [number * 4 - 6, 0, -8]})
    enemy = {"scenePath": "enemy.tscn"}
    yield _do("scene", "create_scene", **enemy, rootNodeType="CharacterBody3D", rootNodeName="Enemy")
    yield _do("scene", "attach_script", **enemy, nodePath=".", scriptPath="enemy.gd")
    capsule = {"radius": 0.4, "height": 1.8}
    yield _do("physics", "shape.create", **enemy, parentNodePath=".", shapeType="capsule", shapeParams=capsule)
    mesh = {"$resource": "CapsuleMesh", "props": capsule}
    body = {"nodeType": "MeshInstance3D", "nodeName": "Body"}
    yield _do("scene", "create", **enemy, **body, properties={"mesh": mesh, "position": [0, 0.9, 0]})
    yield _do("inspector", "groups.add", **enemy, nodePath=".", groups=["enemies"])
    yield _do("scene", "instance", **arena, instancePath="enemy.tscn", properties={"position": [0, 0, -6], "speed": 4})
    yield _do("scene", "update", **arena, nodePath="Sun", properties={"shadow_enabled": True, "light_energy": 1.2})
    yield _do("scene", "update", **arena, nodePath="Camera", properties={"current": True})
    yield _do("scene", "rename", **arena, nodePath="Spawns", newName="SpawnPoints")
    yield _do("inspector", "scene_tree.get", **arena)


def _menu() -> Iterator[Call]:
    menu = {"scenePath": "menu.tscn"}
    yield _do("code", "script.create", scriptPath="menu.gd", content=_MENU)
    children = [
        {"name": "Title", "type": "Label", "properties": {"text": "Arena"}},
        {"name": "Start", "type": "Button", "properties": {"text": "Start"}},
        {"name": "Quit", "type": "Button", "properties": {"text": "Quit"}},
    ]
    box = {"name": "Box", "type": "VBoxContainer", "children": children}
    tree = {"name": "Menu", "type": "Control", "script": "menu.gd", "children": [box]}
    yield _do("scene", "apply_scene", **menu, tree=tree, mode="apply")
    for name in ("Start", "Quit"):
        ends = {"fromNodePath": f"Box/{name}", "signal": "pressed", "toNodePath": "."}
        yield _do("inspector", "connect_signal", **menu, **ends, method=f"_on_{name.lower()}_pressed")
    yield _do("scene", "update", **menu, nodePath=".", properties={"anchors_preset": "Full Rect"})
    yield _do("scene", "update", **menu, nodePath="Box", properties={"anchors_preset": "Center"})
    sized = {"theme_override_font_sizes/font_size": 32, "horizontal_alignment": "center"}
    yield _do("scene", "update", **menu, nodePath="Box/Title", properties=sized)
    yield _do("scene", "duplicate", **menu, nodePath="Box/Start", newName="Options")
    yield _do("scene", "move", **menu, nodePath="Box/Options", index=2)
    yield _do("project_config", "project_setting.set", key="application/run/main_scene", value="res://menu.tscn")
    yield _do("project_config", "input_map.add", name="pause", events=[{"type": "key", "key": "Escape"}])
    yield _do("project_config", "autoload.add", name="Score", path="score.gd")
    yield _do("code", "script.create", scriptPath="score.gd", content="extends Node\n\nvar points: int = 0\n")
    yield _do("project_config", "autoload.add", name="Score", path="score.gd")


def _motion() -> Iterator[Call]:
    menu = {"scenePath": "menu.tscn"}
    yield _do("animation", "create_player", **menu, nodeName="Fade")
    fade = {**menu, "playerNodePath": "Fade", "animationName": "in"}
    yield _do("animation", "add", **fade, length=0.5)
    keys = [{"time": 0, "value": "#ffffff00"}, {"time": 0.5, "value": "#ffffff"}]
    yield _do("animation", "add_track", **fade, trackType="value", nodePath=".", property="modulate", keys=keys)
    yield _do("animation", "set_keyframe", **fade, time=0.25, value="#ffffff60", trackIndex=0)
    yield _do("animation", "get", **fade)
    yield _do("code", "shader.create", shaderPath="tint.gdshader", content=_SHADER)
    material = {"materialPath": "tint.tres", **menu, "nodePath": "Box/Title"}
    yield _do("code", "shader.apply", shaderPath="tint.gdshader", **material)
    yield _do("inspector", "shader.set_param", **menu, nodePath="Box/Title", param="strength", value=0.8)
    yield _do("asset", "resource.create", resourcePath="hover.tres", resourceType="StyleBoxFlat")
    yield _do("asset", "resource.edit", resourcePath="hover.tres", properties={"bg_color": "#334455"})
    yield _do("asset", "resource.read", resourcePath="hover.tres")
    tiles = {"scenePath": "level.tscn", "tilemapNodePath": "Ground"}
    yield _do("tilemap", "set_tile", **tiles, position=[3, 3], atlasCoords=[2, 0])
    rects = [{"rect": [20, 2, 6, 1], "atlasCoords": [2, 0]}]
    yield _do("tilemap", "paint_tiles", **tiles, rects=rects)


def _edits() -> Iterator[Call]:
    edit = {"action": "edit", "path": "player.gd"}
    yield "project_file_manager", {**edit, "find": "speed: float = 110.0", "replace": "speed: float = 140.0"}
    jump = {"find": "\t\tvelocity.y = -jump\n", "replace": "\t\tvelocity.y = -jump\n\t\tjumped.emit()\n"}
    yield _do("code", "script.edit", scriptPath="player.gd", find="extends CharacterBody2D\n", replace=_SIGNAL)
    yield _do("code", "script.edit", scriptPath="player.gd", **jump)
    yield "project_file_manager", {"action": "write", "path": "README.md", "content": "# Coin Run\n\nA game.\n"}
    yield "project_file_manager", {"action": "write", "path": "enemy.gd", "content": _CHASER, "overwrite": True}
    yield _do("code", "script.check", scriptPath="player.gd")
    yield _do("asset", "file.move", path="score.gd", newPath="autoload/score.gd")
    yield _do("workspace", "validate_project")
    scene = {"scenePath": "level.tscn"}
    lamp = {"nodeType": "PointLight2D", "parentNodePath": "."}
    places = [{"nodeName": f"Lamp{n}", "properties": {"position": [n * 40, 24], "energy": 0.5}} for n in range(20)]
    calls = [{"tool": "add_node", "args": {**scene, **lamp, **place}} for place in places]
    yield "batch_operations", {"operations": calls, "atomic": True}
    colored = [
        {"tool": "edit_node", "args": {**scene, "nodePath": f"Lamp{n}", "properties": {"color": "#ffcc88"}}}
        for n in range(6)
    ]
    yield "batch_operations", {"operations": colored}
    yield "history", {"action": "undo"}
    yield "history", {"action": "undo"}
    planned = {"find": "jump: float = 300.0", "replace": "jump: float = 320.0", "dryRun": True}
    yield "project_file_manager", {**edit, **planned}


_SIGNAL = "extends CharacterBody2D\n\nsignal jumped\n"
_CHASER = _ENEMY.replace("3.0", "3.5").replace("health <= 0", "health < 1")


def _mistakes() -> Iterator[Call]:
    edit = {"action": "edit", "path": "player.gd"}
    yield "project_file_manager", {**edit, "find": "speed: float = 99.0", "replace": "x"}
    yield _do("scene", "update", scenePath="level.tscn", nodePath="Player", properties={"postion": [1, 2]})
    yield _do("scene", "update", scenePath="level.tscn", nodePath="Plyer", properties={"position": [1, 2]})
    yield _do("scene", "create", scenePath="nowhere.tscn", nodeType="Node2D", nodeName="A")
    yield _do("scene", "create", scenePath="level.tscn", nodeType="Sprit2D", nodeName="A")
    yield _do("scene", "update", scenePath="level.tscn", nodePath="Player", properties={"position": "left"})
    yield _do("code", "script.create", scriptPath="player.gd", content="extends Node\n")
    yield "project_file_manager", {"action": "read", "path": "missing.gd"}


CALLS: tuple[Call, ...] = (*_looks(), *_arena(), *_menu(), *_motion(), *_edits(), *_mistakes())
