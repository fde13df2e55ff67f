extends Area2D
## Tells when a body comes in or leaves.

signal triggered(body: Node2D)
signal left(body: Node2D)

## Only bodies of this group count; empty for all.
@export var only_group: StringName = &""
## Whether it tells of the first body alone.
@export var one_shot: bool = false


func _counts(body: Node2D) -> bool:
	return only_group.is_empty() or body.is_in_group(only_group)


func _on_body_entered(body: Node2D) -> void:
	if not _counts(body):
		return
	triggered.emit(body)
	if one_shot:
		set_deferred(&"monitoring", false)


func _on_body_exited(body: Node2D) -> void:
	if _counts(body):
		left.emit(body)
