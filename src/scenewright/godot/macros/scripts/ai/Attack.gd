extends "State.gd"
## Attacks at intervals while somebody is near enough.

@export var interval: float = 0.8

var _wait: float = 0.0


func enter() -> void:
	_wait = 0.0


func advance(delta: float) -> void:
	var target: Node2D = enemy.target_within(enemy.attack_radius)
	if target == null:
		finish(&"Chase")
		return
	_wait -= delta
	if _wait <= 0.0:
		_wait = interval
		enemy.attack(target)
