"""An enemy that walks between two points and goes for the player."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, node, probe, scene, script

__all__ = ["TASK"]

ENEMY = """class_name Patroller
extends CharacterBody2D

enum Mood { PATROL, CHASE }

@export var speed: float = 120.0
@export var chase_speed: float = 200.0
@export var reach: float = 160.0

var mood: Mood = Mood.PATROL
var turns: int = 0
var _prey: Node2D = null

@onready var _edge: RayCast2D = $Edge


func _physics_process(delta: float) -> void:
	velocity += get_gravity() * delta
	mood = Mood.CHASE if _prey != null else Mood.PATROL
	if mood == Mood.CHASE:
		velocity.x = signf(_prey.global_position.x - global_position.x) * chase_speed
	else:
		if is_on_floor() and (is_on_wall() or not _edge.is_colliding()):
			_edge.position.x = -_edge.position.x
			turns += 1
			_edge.force_raycast_update()
		velocity.x = signf(_edge.position.x) * speed
	move_and_slide()


func _on_sight_entered(body: Node2D) -> void:
	if body.is_in_group("player"):
		_prey = body


func _on_sight_exited(body: Node2D) -> void:
	if body == _prey:
		_prey = null
"""
PLAYER = """extends CharacterBody2D


func _physics_process(delta: float) -> void:
	velocity += get_gravity() * delta
	move_and_slide()


func place(x: float) -> void:
	position.x = x
"""


def _box(width: float, height: float) -> dict[str, object]:
    return {"$resource": "RectangleShape2D", "props": {"size": [width, height]}}


def _body(name: str, kind: str, shape: dict[str, object], **more: object) -> dict[str, object]:
    return node(name, kind, node("Shape", "CollisionShape2D", shape=shape), **more)


def _level(path: str, player_x: float) -> Call:
    return scene(
        path,
        node(
            "Level",
            "Node2D",
            _body("Platform", "StaticBody2D", _box(600, 40), position=[400, 400], collision_layer=["World"]),
            node("Enemy", "", instance="enemy.tscn", position=[400, 350]),
            node("Player", "", instance="player.tscn", position=[player_x, 350]),
        ),
    )


TASK = Task(
    "I need an enemy that patrols a platform without falling off and chases the player when it sees them.",
    (
        Call(
            "configure_physics_layers",
            {
                "dimension": "2d",
                "layers": [
                    {"layer": 1, "name": "World"},
                    {"layer": 2, "name": "Player"},
                    {"layer": 3, "name": "Enemies"},
                ],
            },
        ),
        script("enemy.gd", ENEMY),
        script("player.gd", PLAYER),
        scene(
            "player.tscn",
            _body(
                "Player",
                "CharacterBody2D",
                _box(24, 40),
                script="player.gd",
                groups=["player"],
                collision_layer=["Player"],
                collision_mask=["World"],
            ),
        ),
        scene(
            "enemy.tscn",
            node(
                "Enemy",
                "CharacterBody2D",
                node("Shape", "CollisionShape2D", shape=_box(30, 30)),
                node("Edge", "RayCast2D", position=[20, 0], target_position=[0, 40], collision_mask=["World"]),
                node(
                    "Sight",
                    "Area2D",
                    node("Shape", "CollisionShape2D", shape={"$resource": "CircleShape2D", "props": {"radius": 160}}),
                    collision_layer=0,
                    collision_mask=["Player"],
                ),
                script="enemy.gd",
                collision_layer=["Enemies"],
                collision_mask=["World"],
            ),
            ("Sight", "body_entered", ".", "_on_sight_entered"),
            ("Sight", "body_exited", ".", "_on_sight_exited"),
        ),
        _level("far.tscn", 100000),
        _level("near.tscn", 520),
        # Twelve seconds: to one end, to the other and back, never off the platform.
        probe(
            "far.tscn",
            720,
            "get_node('Enemy').turns >= 2",
            "get_node('Enemy').is_on_floor()",
            "get_node('Enemy').position.x > 100 and get_node('Enemy').position.x < 700",
            "get_node('Enemy').mood == 0",
        ),
        probe(
            "near.tscn",
            30,
            "get_node('Enemy').mood == 1",
            "get_node('Enemy').velocity.x > 150",
            "absf(get_node('Enemy').position.x - get_node('Player').position.x) < 90",
        ),
        probe(
            "near.tscn",
            60,
            "get_node('Enemy').mood == 0",
            "absf(get_node('Enemy').velocity.x) < 121",
            calls=[{"node": "Player", "method": "place", "arguments": [100000.0], "frame": 30}],
        ),
    ),
)
