extends Area2D
## Where a thing can be hit.

signal hit(payload: DamagePayload)

const DamagePayload = preload("DamagePayload.gd")
const Health = preload("Health.gd")

@export var health_path: NodePath = ^"Health"


## Takes a hit, and hands it to the health.
func receive(payload: DamagePayload) -> bool:
	var health: Health = get_node_or_null(health_path)
	if health != null and not health.take(payload):
		return false
	hit.emit(payload)
	return true
