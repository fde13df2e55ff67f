extends Node
## One thing an enemy does. States override what they need, and ask to be followed by another.

signal finished(next: StringName)

const Enemy = preload("Enemy.gd")

var enemy: Enemy


## Asks to be followed by another state.
func finish(next: StringName) -> void:
	finished.emit(next)


func enter() -> void:
	pass


func leave() -> void:
	pass


func advance(_delta: float) -> void:
	pass
