"""A hand of cards: fanned out, lifted under the mouse, played with a click."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, node, probe, scene, script

__all__ = ["TASK"]

CARD = """class_name Card
extends Control

signal chosen(card: Card)

@export var title: String = "Card":
	set(value):
		title = value
		if is_node_ready():
			%Title.text = value

var lifted: bool = false


func _ready() -> void:
	%Title.text = title
	pivot_offset = Vector2(size.x / 2.0, size.y)


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.is_pressed():
		chosen.emit(self)


func _on_mouse_entered() -> void:
	lifted = true
	z_index = 10
	create_tween().tween_property(self, ^"scale", Vector2.ONE * 1.2, 0.1)


func _on_mouse_exited() -> void:
	lifted = false
	z_index = 0
	create_tween().tween_property(self, ^"scale", Vector2.ONE, 0.1)
"""
HAND = """class_name Hand
extends Control

signal played(title: String)

const CARD: PackedScene = preload("card.tscn")

@export var spread: float = 110.0
@export_range(0.0, 15.0, 0.1, "radians_as_degrees") var tilt: float = 0.1
@export var arc: float = 12.0

var table: PackedStringArray = []


func deal(titles: PackedStringArray) -> void:
	for title: String in titles:
		var card: Card = CARD.instantiate()
		card.title = title
		card.chosen.connect(_play)
		%Cards.add_child(card)
	_fan()


func card(index: int) -> Card:
	return %Cards.get_child(index)


func _play(chosen: Card) -> void:
	table.append(chosen.title)
	played.emit(chosen.title)
	%Cards.remove_child(chosen)
	chosen.queue_free()
	_fan()


func _fan() -> void:
	var count: int = %Cards.get_child_count()
	for index: int in count:
		var place: float = index - (count - 1) / 2.0
		var found: Card = card(index)
		found.position = Vector2(size.x / 2.0 + place * spread - 60.0, size.y - 200.0 + absf(place) * absf(place) * arc)
		found.rotation = place * tilt
"""
DEAL = [{"method": "deal", "arguments": ['PackedStringArray("A", "B", "C", "D", "E")'], "frame": 1}]


def _click(x: float, y: float) -> list[dict[str, object]]:
    return [
        {"frame": 5, "event": "Mouse Left", "position": [x, y]},
        {"frame": 7, "event": "Mouse Left", "pressed": False, "position": [x, y]},
    ]


TASK = Task(
    "I want a hand of cards like in a deck builder: fanned, cards rise on hover, a click plays one.",
    (
        script("cards/card.gd", CARD),
        scene(
            "cards/card.tscn",
            node(
                "Card",
                "Control",
                node("Face", "Panel", anchors_preset="Full Rect", mouse_filter="Ignore"),
                node(
                    "Title",
                    "Label",
                    unique_name=True,
                    anchors_preset="Top Wide",
                    offset_top=8,
                    offset_bottom=34,
                    horizontal_alignment="Center",
                    mouse_filter="Ignore",
                ),
                script="cards/card.gd",
                custom_minimum_size=[120, 180],
                size=[120, 180],
            ),
            (".", "mouse_entered", ".", "_on_mouse_entered"),
            (".", "mouse_exited", ".", "_on_mouse_exited"),
        ),
        script("cards/hand.gd", HAND),
        scene(
            "cards/hand.tscn",
            node(
                "Hand",
                "Control",
                node("Cards", "Control", unique_name=True, mouse_filter="Ignore", anchors_preset="Full Rect"),
                script="cards/hand.gd",
                anchors_preset="Full Rect",
                mouse_filter="Pass",
                tilt=0.12,
            ),
        ),
        probe(
            "cards/hand.tscn",
            4,
            "get_node('%Cards').get_child_count() == 5",
            "card(2).rotation == 0",
            "is_equal_approx(card(0).rotation, -0.24) and is_equal_approx(card(4).rotation, 0.24)",
            # Left and right mirror each other, the outer ones lower.
            "is_equal_approx(card(0).position.x + card(4).position.x, 2 * card(2).position.x)",
            "card(0).position.y > card(1).position.y and card(1).position.y > card(2).position.y",
            "card(3).get_node('%Title').text == 'D'",
            calls=DEAL,
        ),
        probe(
            "cards/hand.tscn",
            20,
            "table == PackedStringArray(['C'])",
            "get_node('%Cards').get_child_count() == 4",
            # The rest closes ranks around the middle.
            "is_equal_approx(card(1).position.x + card(2).position.x, size.x - 120)",
            calls=DEAL,
            inputs=_click(576, 540),
        ),
        probe(
            "cards/hand.tscn",
            30,
            "card(2).lifted",
            "is_equal_approx(card(2).scale.x, 1.2)",
            "not card(0).lifted",
            calls=DEAL,
            inputs=[{"frame": 4, "event": "Mouse Left", "pressed": False, "position": [576, 540]}],
        ),
        Call("godot_scene_manager", {"action": "picture", "scenePath": "cards/hand.tscn", "frames": [10]}),
    ),
)
