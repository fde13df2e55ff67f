"""A dialogue box that types its lines and waits for the player."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, node, probe, scene, script

__all__ = ["TASK"]

DIALOGUE = """class_name Dialogue
extends Resource

@export var speaker: String = ""
@export var lines: PackedStringArray = []
"""
BOX = """extends PanelContainer

signal finished

@export var dialogue: Dialogue
@export var letters_per_second: float = 30.0

var index: int = -1
var _shown: float = 0.0

@onready var _name: Label = %Speaker
@onready var _text: RichTextLabel = %Text
@onready var _more: Label = %More


func _ready() -> void:
	hide()


func open() -> void:
	index = -1
	_name.text = dialogue.speaker
	show()
	_next()


func _process(delta: float) -> void:
	if visible and _text.visible_characters < _text.get_total_character_count():
		_shown += delta * letters_per_second
		_text.visible_characters = int(_shown)
	_more.visible = is_typed()


func _unhandled_input(event: InputEvent) -> void:
	if not visible or not event.is_action_pressed("talk"):
		return
	if is_typed():
		_next()
	else:
		_text.visible_characters = _text.get_total_character_count()


func is_typed() -> bool:
	return _text.visible_characters >= _text.get_total_character_count()


func _next() -> void:
	index += 1
	if index >= dialogue.lines.size():
		hide()
		finished.emit()
		return
	_shown = 0.0
	_text.text = dialogue.lines[index]
	_text.visible_characters = 0
"""
WORLD = """extends Node

var done: int = 0


func start() -> void:
	%Box.open()


func _on_finished() -> void:
	done += 1
"""


def _talk(*frames: int) -> list[dict[str, object]]:
    pressed: list[dict[str, object]] = [{"frame": frame, "action": "talk"} for frame in frames]
    return pressed + [{"frame": frame + 2, "action": "talk", "pressed": False} for frame in frames]


START = [{"method": "start", "frame": 1}]
TASK = Task(
    "Add a dialogue box with a typewriter effect; a key shows the whole line, again goes on.",
    (
        Call("godot_project_config_manager", {"action": "input_map.add", "name": "talk", "events": ["E"]}),
        script("talk/dialogue.gd", DIALOGUE),
        Call(
            "godot_asset_manager",
            {
                "action": "resource.create",
                "resourcePath": "talk/hello.tres",
                "resourceType": "Dialogue",
                "properties": {"speaker": "Mira", "lines": ["Hello there, traveller!", "Mind the gap."]},
            },
        ),
        script("talk/box.gd", BOX),
        scene(
            "talk/box.tscn",
            node(
                "Box",
                "PanelContainer",
                node(
                    "Margin",
                    "MarginContainer",
                    node(
                        "Rows",
                        "VBoxContainer",
                        node("Speaker", "Label", unique_name=True),
                        node("Text", "RichTextLabel", unique_name=True, fit_content=True, custom_minimum_size=[0, 60]),
                        node("More", "Label", unique_name=True, text="▼", horizontal_alignment="Right"),
                    ),
                    **{"theme_override_constants/margin_left": 16, "theme_override_constants/margin_right": 16},
                ),
                script="talk/box.gd",
                anchors_preset="Bottom Wide",
                grow_vertical="Begin",
            ),
        ),
        script("talk/world.gd", WORLD),
        scene(
            "talk/world.tscn",
            node(
                "World",
                "Node",
                node(
                    "Layer",
                    "CanvasLayer",
                    node("Box", "", instance="talk/box.tscn", dialogue="res://talk/hello.tres", unique_name=True),
                ),
                script="talk/world.gd",
            ),
            ("Layer/Box", "finished", ".", "_on_finished"),
        ),
        probe("talk/world.tscn", 3, "not get_node('%Box').visible"),
        probe(
            "talk/world.tscn",
            20,
            "get_node('%Box').visible",
            "not get_node('%Box').is_typed()",
            "get_node('%Box').get_node('%Text').visible_characters > 3",
            "get_node('%Box').get_node('%Speaker').text == 'Mira'",
            # At the bottom, as wide as the window.
            "get_node('%Box').get_global_rect().end.is_equal_approx(get_viewport().get_visible_rect().end)",
            "get_node('%Box').size.x == get_viewport().get_visible_rect().size.x",
            calls=START,
        ),
        probe(
            "talk/world.tscn",
            14,
            "get_node('%Box').is_typed()",
            "get_node('%Box').index == 0",
            calls=START,
            inputs=_talk(10),
        ),
        probe("talk/world.tscn", 50, "get_node('%Box').index == 1", "done == 0", calls=START, inputs=_talk(10, 20)),
        probe(
            "talk/world.tscn",
            90,
            "not get_node('%Box').visible",
            "done == 1",
            calls=START,
            inputs=_talk(10, 20, 30, 40),
        ),
    ),
)
