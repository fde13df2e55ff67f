extends Area2D
## What hits: everything with a hurtbox that it touches while it is active.

signal struck(target: Hurtbox)

const DamagePayload = preload("DamagePayload.gd")
const Hurtbox = preload("Hurtbox.gd")

@export var damage: float = 10.0
@export var knockback: float = 120.0
@export var active: bool = true


func strike(target: Hurtbox) -> bool:
	if not active or target.owner == owner and owner != null:
		return false
	var away: Vector2 = (target.global_position - global_position).normalized()
	var payload: DamagePayload = DamagePayload.new(damage, away * knockback, self)
	var done: bool = target.receive(payload)
	if done:
		struck.emit(target)
	return done


func _on_area_entered(area: Area2D) -> void:
	if area is Hurtbox:
		var target: Hurtbox = area
		strike(target)
