extends Area2D
## Spins like a coin until somebody comes and takes it.

signal collected(by: Node2D)

## Turns per second.
@export var spin_speed: float = 0.5
## How far it floats up and down.
@export var bob_height: float = 4.0
## Only bodies of this group can take it; empty for all.
@export var only_group: StringName = &""

var _time: float = 0.0

@onready var _visual: Node2D = $Visual
@onready var _height: float = _visual.position.y


func _process(delta: float) -> void:
	_time += delta
	_visual.scale.x = cos(_time * TAU * spin_speed)
	_visual.position.y = _height + sin(_time * TAU * 0.5) * bob_height


func _on_body_entered(body: Node2D) -> void:
	if only_group.is_empty() or body.is_in_group(only_group):
		collected.emit(body)
		queue_free()
