extends "State.gd"
## Follows whom it sees, until it is near enough to attack or has lost them.


func advance(delta: float) -> void:
	var target: Node2D = enemy.target_within(enemy.sight_radius)
	if target == null:
		finish(&"Patrol")
	elif enemy.target_within(enemy.attack_radius) != null:
		finish(&"Attack")
	else:
		enemy.move_to(target.global_position, delta)
