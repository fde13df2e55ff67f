extends "State.gd"
## Walks to and fro around its home until it sees somebody.

var _side: float = 1.0


func advance(delta: float) -> void:
	if enemy.target_within(enemy.sight_radius) != null:
		finish(&"Chase")
	elif enemy.move_to(enemy.home + Vector2(_side * enemy.patrol_distance, 0.0), delta) or enemy.is_on_wall():
		_side = -_side
