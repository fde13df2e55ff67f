extends Area3D
## Spins until somebody comes and takes it.

signal collected(by: Node3D)

## Turns per second.
@export var spin_speed: float = 0.5
## How far it floats up and down.
@export var bob_height: float = 0.1
## Only bodies of this group can take it; empty for all.
@export var only_group: StringName = &""

var _time: float = 0.0

@onready var _visual: Node3D = $Visual
@onready var _height: float = _visual.position.y


func _process(delta: float) -> void:
	_time += delta
	_visual.rotate_y(TAU * spin_speed * delta)
	_visual.position.y = _height + sin(_time * TAU * 0.5) * bob_height


func _on_body_entered(body: Node3D) -> void:
	if only_group.is_empty() or body.is_in_group(only_group):
		collected.emit(body)
		queue_free()
