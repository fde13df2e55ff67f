"""A minimap: a viewport of its own that looks at the same world from above, and markers that stay at its edge."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, held, node, probe, scene, script

__all__ = ["TASK"]

MINIMAP = """class_name Minimap
extends SubViewportContainer

@export var target: Node2D
@export_range(0.01, 1.0) var zoom: float = 0.1

@onready var _camera: Camera2D = %MapCamera
@onready var _view: SubViewport = %View


func _ready() -> void:
	_view.world_2d = target.get_world_2d()
	_camera.zoom = Vector2.ONE * zoom


func _process(_delta: float) -> void:
	_camera.global_position = target.global_position
	for marker: Node in %Markers.get_children():
		var goal: Node2D = get_tree().get_first_node_in_group(marker.name)
		(marker as Control).visible = goal != null
		if goal != null:
			(marker as Control).position = on_map(goal.global_position) - (marker as Control).size / 2.0


## Where a place of the world is on the map, kept within it.
func on_map(place: Vector2) -> Vector2:
	var middle: Vector2 = size / 2.0
	return (middle + (place - target.global_position) * zoom).clamp(Vector2.ZERO, size)


func looks_at() -> Vector2:
	return _camera.get_screen_center_position()
"""
PLAYER = """extends CharacterBody2D


func _physics_process(_delta: float) -> void:
	velocity = Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down") * 600.0
	move_and_slide()
"""

TASK = Task(
    "Put a minimap in the corner that follows the player and shows where the exit is.",
    (
        script("player.gd", PLAYER),
        script("ui/minimap.gd", MINIMAP),
        scene(
            "world.tscn",
            node(
                "World",
                "Node2D",
                node(
                    "Ground",
                    "Polygon2D",
                    polygon=[[-2000, -2000], [2000, -2000], [2000, 2000], [-2000, 2000]],
                    color="#2b3a2b",
                ),
                node(
                    "Exit",
                    "Polygon2D",
                    polygon=[[-40, -40], [40, -40], [40, 40], [-40, 40]],
                    color="#ffcc00",
                    position=[500, 300],
                    groups=["exit"],
                ),
                node("Player", "CharacterBody2D", node("Dot", "Polygon2D", polygon=[[-16, -16], [16, -16], [0, 20]])),
                node(
                    "Screen",
                    "CanvasLayer",
                    node(
                        "Minimap",
                        "SubViewportContainer",
                        node(
                            "View",
                            "SubViewport",
                            node("MapCamera", "Camera2D", unique_name=True),
                            unique_name=True,
                            size=[200, 200],
                        ),
                        node(
                            "Markers",
                            "Control",
                            node("exit", "ColorRect", color="#ff0000", size=[8, 8]),
                            unique_name=True,
                            mouse_filter="Ignore",
                        ),
                        anchors_preset="Top Right",
                        offset_left=-210,
                        offset_top=10,
                        offset_right=-10,
                        offset_bottom=210,
                        stretch=True,
                    ),
                ),
            ),
        ),
        Call(
            "godot_scene_manager",
            {"action": "attach_script", "scenePath": "world.tscn", "nodePath": "Player", "scriptPath": "player.gd"},
        ),
        Call(
            "godot_scene_manager",
            {
                "action": "attach_script",
                "scenePath": "world.tscn",
                "nodePath": "Screen/Minimap",
                "scriptPath": "ui/minimap.gd",
            },
        ),
        Call(
            "godot_scene_manager",
            {
                "action": "update",
                "scenePath": "world.tscn",
                "nodePath": "Screen/Minimap",
                "properties": {"target": "../../Player", "zoom": 0.1},
            },
        ),
        probe(
            "world.tscn",
            5,
            # In the corner at the top right.
            "get_node('Screen/Minimap').get_global_rect() == Rect2(get_viewport_rect().size.x - 210, 10, 200, 200)",
            # 500 to the right and 300 down, at a tenth of the size, from the middle.
            "get_node('Screen/Minimap').on_map(Vector2(500, 300)) == Vector2(150, 130)",
            "get_node('Screen/Minimap/Markers/exit').position == Vector2(146, 126)",
            "get_node('Screen/Minimap/View').world_2d == get_world_2d()",
        ),
        probe(
            "world.tscn",
            60,
            "get_node('Player').position.x > 400",
            "get_node('Screen/Minimap').looks_at().distance_to(get_node('Player').position) < 20",
            "get_node('Screen/Minimap/Markers/exit').position.x < 120",
            inputs=held("ui_right", 1, 50),
        ),
        probe(
            "world.tscn",
            200,
            "get_node('Screen/Minimap/Markers/exit').position.x == -4",
            inputs=held("ui_right", 1, 190),
        ),
        Call(
            "godot_scene_manager", {"action": "picture", "scenePath": "world.tscn", "node": "Screen/Minimap", "zoom": 2}
        ),
    ),
)
