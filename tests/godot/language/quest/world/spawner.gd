@tool
extends Node
## Makes goblins.

@export_range(1, 8) var speed: int = 2
@export var wave: Array[PackedScene] = []

var _made := 0


func spawn() -> Actor:
	_made += speed
	var goblin := preload("res://actors/goblin.gd").new()
	goblin.speed = speed * 10.0
	goblin.fallen.connect(_on_fallen.bind(goblin))
	return goblin


func _on_fallen(goblin: Actor) -> void:
	goblin.queue_free()
	_made -= 1
