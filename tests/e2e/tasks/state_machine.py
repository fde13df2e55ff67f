"""A player whose behaviour is a state machine of nodes."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, held, node, probe, scene, script

__all__ = ["TASK"]

STATE = """class_name PlayerState
extends Node

var player: CharacterBody2D


func enter() -> void:
	pass


func step(_delta: float) -> StringName:
	return &""
"""
MACHINE = """class_name PlayerMachine
extends Node

signal state_changed(state: StringName)

@export var start: PlayerState

var state: PlayerState


func _ready() -> void:
	await owner.ready
	for child: PlayerState in get_children():
		child.player = owner
	go_to(start.name)


func _physics_process(delta: float) -> void:
	if state == null:
		return
	var next: StringName = state.step(delta)
	if next != &"":
		go_to(next)


func go_to(wanted: StringName) -> void:
	state = get_node(NodePath(wanted))
	state.enter()
	state_changed.emit(wanted)
"""
IDLE = """extends PlayerState


func step(_delta: float) -> StringName:
	player.velocity.x = 0.0
	if Input.is_action_just_pressed("jump") and player.is_on_floor():
		return &"Jump"
	return &"Run" if Input.get_axis("left", "right") != 0.0 else &""
"""
RUN = """extends PlayerState

@export var speed: float = 240.0


func step(_delta: float) -> StringName:
	var direction: float = Input.get_axis("left", "right")
	player.velocity.x = direction * speed
	if Input.is_action_just_pressed("jump") and player.is_on_floor():
		return &"Jump"
	return &"Idle" if direction == 0.0 else &""
"""
JUMP = """extends PlayerState

@export var impulse: float = 400.0


func enter() -> void:
	player.velocity.y = -impulse


func step(_delta: float) -> StringName:
	return &"Idle" if player.is_on_floor() and player.velocity.y >= 0.0 else &""
"""
PLAYER = """extends CharacterBody2D

var seen: PackedStringArray = []


func _physics_process(delta: float) -> void:
	velocity += get_gravity() * delta
	move_and_slide()


func _on_state_changed(state: StringName) -> void:
	seen.append(state)
"""
BOX = {"$resource": "RectangleShape2D", "props": {"size": [32, 64]}}
GROUND = {"$resource": "RectangleShape2D", "props": {"size": [2000, 40]}}

TASK = Task(
    "Give my player a proper state machine: idle, run and jump.",
    (
        Call(
            "godot_project_config_manager",
            {
                "action": "input_map.setup",
                "actions": [
                    {"name": "left", "keys": ["A", "Joypad Left Stick Left"]},
                    {"name": "right", "keys": ["D", "Joypad Left Stick Right"]},
                    {"name": "jump", "keys": ["Space", "Joypad A"]},
                ],
            },
        ),
        script("player/state.gd", STATE),
        script("player/machine.gd", MACHINE),
        script("player/idle.gd", IDLE),
        script("player/run.gd", RUN),
        script("player/jump.gd", JUMP),
        script("player/player.gd", PLAYER),
        scene(
            "player/player.tscn",
            node(
                "Player",
                "CharacterBody2D",
                node("Shape", "CollisionShape2D", shape=BOX),
                node(
                    "Machine",
                    "Node",
                    node("Idle", "Node", script="player/idle.gd"),
                    node("Run", "Node", script="player/run.gd", speed=300),
                    node("Jump", "Node", script="player/jump.gd"),
                    script="player/machine.gd",
                    start="Idle",
                ),
                script="player/player.gd",
            ),
            ("Machine", "state_changed", ".", "_on_state_changed"),
        ),
        scene(
            "level.tscn",
            node(
                "Level",
                "Node2D",
                node("Floor", "StaticBody2D", node("Shape", "CollisionShape2D", shape=GROUND), position=[0, 100]),
                node("Player", "", instance="player/player.tscn", position=[0, 40]),
            ),
        ),
        probe("level.tscn", 60, "get_node('Player/Machine').state.name == 'Idle'", "get_node('Player').is_on_floor()"),
        probe(
            "level.tscn",
            60,
            "get_node('Player/Machine').state.name == 'Run'",
            "absf(get_node('Player').velocity.x - 300) < 0.1",
            inputs=[{"frame": 30, "action": "right"}],
        ),
        probe(
            "level.tscn",
            150,
            "get_node('Player/Machine').state.name == 'Idle'",
            "get_node('Player').is_on_floor()",
            "get_node('Player').seen.has('Jump')",
            "get_node('Player').seen[-1] == 'Idle'",
            inputs=held("jump", 30, 32),
        ),
        probe(
            "level.tscn",
            40,
            "get_node('Player/Machine').state.name == 'Jump'",
            "get_node('Player').position.y < 40",
            inputs=held("jump", 30, 32),
        ),
    ),
)
