"""A day that passes: sun, sky and lamps, driven by one animation."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, node, probe, scene, script

__all__ = ["TASK"]

DAY = """extends Node3D

signal night_fell
signal day_broke

@export_range(0.0, 24.0) var hour: float = 12.0
@export var hours_per_second: float = 0.0

var is_night: bool = false

@onready var _player: AnimationPlayer = $Cycle


func _ready() -> void:
	_player.play(&"day")
	_player.pause()
	set_hour(hour)


func _process(delta: float) -> void:
	if hours_per_second > 0.0:
		set_hour(fmod(hour + hours_per_second * delta, 24.0))


func set_hour(now: float) -> void:
	hour = now
	_player.seek(now, true)
	var dark: bool = now < 6.0 or now >= 20.0
	if dark != is_night:
		is_night = dark
		$Lamp.visible = dark
		(night_fell if dark else day_broke).emit()


func run(speed: float) -> void:
	hours_per_second = speed
"""
SUN = "Sun"
DARK, DAWN, NOON = "#101830", "#ffb070", "#ffffff"

TASK = Task(
    "Set up a day and night cycle: the sun moves and changes colour, ambient light follows, a lamp goes on at night.",
    (
        script("day.gd", DAY),
        scene("world.tscn", node("World", "Node3D", node("Camera", "Camera3D", position=[0, 2, 6]))),
        Call(
            "setup_environment",
            {
                "scenePath": "world.tscn",
                "properties": {
                    "ambient_light_source": "Color",
                    "ambient_light_color": DARK,
                    "ambient_light_energy": 0.4,
                },
            },
        ),
        Call(
            "create_light",
            {
                "scenePath": "world.tscn",
                "lightType": "DirectionalLight3D",
                "nodeName": SUN,
                "properties": {"shadow_enabled": True},
            },
        ),
        Call(
            "create_light",
            {
                "scenePath": "world.tscn",
                "lightType": "OmniLight3D",
                "nodeName": "Lamp",
                "properties": {"visible": False, "position": [2, 2, 0]},
            },
        ),
        Call("create_animation_player", {"scenePath": "world.tscn", "nodeName": "Cycle"}),
        Call(
            "add_animation",
            {
                "scenePath": "world.tscn",
                "playerNodePath": "Cycle",
                "animationName": "day",
                "length": 24,
                "loop": "linear",
                "tracks": [
                    {
                        "nodePath": SUN,
                        "property": "light_energy",
                        "keys": [[0, 0], [6, 0.1], [12, 1.2], [20, 0.1], [24, 0]],
                    },
                    {
                        "nodePath": SUN,
                        "property": "light_color",
                        "keys": [[0, DARK], [6, DAWN], [12, NOON], [20, DAWN], [24, DARK]],
                    },
                    {
                        "nodePath": SUN,
                        "property": "rotation",
                        "keys": [[0, [1.57, 0, 0]], [12, [-1.57, 0, 0]], [24, [-4.71, 0, 0]]],
                    },
                    {
                        "nodePath": "WorldEnvironment",
                        "property": "environment:ambient_light_energy",
                        "keys": [[0, 0.1], [12, 1.0], [24, 0.1]],
                    },
                ],
            },
        ),
        Call("attach_script", {"scenePath": "world.tscn", "nodePath": ".", "scriptPath": "day.gd"}),
        probe(
            "world.tscn",
            3,
            "get_node('Sun').light_energy > 1.1",
            "not get_node('Lamp').visible",
            "get_node('Sun').light_color.is_equal_approx(Color(1, 1, 1))",
            # At noon the light comes from straight above.
            "(-get_node('Sun').global_basis.z).dot(Vector3(0, -1, 0)) > 0.99",
            "absf(get_node('WorldEnvironment').environment.ambient_light_energy - 1.0) < 0.01",
        ),
        probe(
            "world.tscn",
            3,
            "get_node('Sun').light_energy < 0.1",
            "get_node('Lamp').visible",
            "is_night",
            "absf(get_node('WorldEnvironment').environment.ambient_light_energy - 0.175) < 0.01",
            calls=[{"method": "set_hour", "arguments": [1.0], "frame": 1}],
        ),
        # Twelve hours in a second and a half: from noon to midnight.
        probe(
            "world.tscn",
            91,
            "is_night",
            "hour > 23 or hour < 1",
            "get_node('Sun').light_energy < 0.05",
            calls=[{"method": "run", "arguments": [8.0], "frame": 1}],
        ),
    ),
)
