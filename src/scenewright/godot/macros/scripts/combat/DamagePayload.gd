extends RefCounted
## What a hit carries from a hitbox to a hurtbox.

var amount: float
var knockback: Vector2
var source: Node


func _init(damage: float = 0.0, push: Vector2 = Vector2.ZERO, from: Node = null) -> void:
	amount = damage
	knockback = push
	source = from
