"""A level whose backgrounds move slower than what is in front."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, held, node, probe, scene, script

__all__ = ["TASK"]

RUNNER = """extends CharacterBody2D

@export var speed: float = 400.0


func _physics_process(delta: float) -> void:
	velocity.x = Input.get_axis("ui_left", "ui_right") * speed
	velocity += get_gravity() * delta
	move_and_slide()
"""
LEVEL = """extends Node2D


## Where a thing is in the window.
func on_screen(path: NodePath) -> Vector2:
	return (get_node(path) as Node2D).get_global_transform_with_canvas().origin
"""


def _layer(name: str, scale: float, colour: str, z: int) -> dict[str, object]:
    hill = node("Hill", "Polygon2D", polygon=[[0, 0], [200, -150], [400, 0]], color=colour, position=[100, 600])
    return node(name, "Parallax2D", hill, scroll_scale=[scale, 1], repeat_size=[0, 0], z_index=z)


BODY = {"$resource": "CapsuleShape2D", "props": {"radius": 16, "height": 48}}
TASK = Task(
    "Build a side-scrolling level with three parallax layers and a camera that follows the player.",
    (
        script("runner.gd", RUNNER),
        script("level.gd", LEVEL),
        scene(
            "level.tscn",
            node(
                "Level",
                "Node2D",
                _layer("Sky", 0.1, "#335577", -30),
                _layer("Mountains", 0.4, "#446644", -20),
                _layer("Trees", 0.8, "#224422", -10),
                node(
                    "Ground",
                    "StaticBody2D",
                    node("Shape", "CollisionShape2D", shape={"$resource": "WorldBoundaryShape2D"}),
                    position=[0, 600],
                ),
                node("Marker", "Node2D", position=[600, 500]),
                node(
                    "Player",
                    "CharacterBody2D",
                    node("Shape", "CollisionShape2D", shape=BODY),
                    node("Camera", "Camera2D", limit_left=0, limit_bottom=648),
                    script="runner.gd",
                    position=[600, 560],
                ),
                script="level.gd",
            ),
        ),
        probe("level.tscn", 2, "absf(on_screen('Sky/Hill').x - on_screen('Mountains/Hill').x) < 40"),
        probe(
            "level.tscn",
            90,
            "get_node('Player').position.x > 900",
            # The camera keeps the player in the middle of the window.
            "absf(on_screen('Player').x - 576) < 20",
            # What is further away has moved less to the left.
            "on_screen('Sky/Hill').x > on_screen('Mountains/Hill').x + 50",
            "on_screen('Mountains/Hill').x > on_screen('Trees/Hill').x + 50",
            "on_screen('Trees/Hill').x > on_screen('Marker').x - 500 + 10",
            inputs=held("ui_right", 1, 80),
        ),
        Call(
            "godot_scene_manager",
            {"action": "picture", "scenePath": "level.tscn", "frames": [60], "inputs": held("ui_right", 1, 80)},
        ),
    ),
)
