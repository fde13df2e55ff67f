extends Node
## How much a thing can take.

signal changed(current: float, most: float)
signal damaged(payload: DamagePayload)
signal died

const DamagePayload = preload("DamagePayload.gd")

@export var max_health: float = 100.0
## Seconds after a hit in which nothing else hurts.
@export var invulnerable_time: float = 0.0

var current: float = 0.0

var _hurt_at: float = -INF


func _ready() -> void:
	current = max_health


func is_dead() -> bool:
	return current <= 0.0


## Takes a hit; false where it did nothing.
func take(payload: DamagePayload) -> bool:
	var now: float = Time.get_ticks_msec() / 1000.0
	if is_dead() or payload.amount <= 0.0 or now - _hurt_at < invulnerable_time:
		return false
	_hurt_at = now
	current = maxf(0.0, current - payload.amount)
	damaged.emit(payload)
	changed.emit(current, max_health)
	if is_dead():
		died.emit()
	return true


func heal(amount: float) -> void:
	if not is_dead() and amount > 0.0:
		current = minf(max_health, current + amount)
		changed.emit(current, max_health)
