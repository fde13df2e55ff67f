extends Area3D
## Tells when a body comes in or leaves.

signal triggered(body: Node3D)
signal left(body: Node3D)

## Only bodies of this group count; empty for all.
@export var only_group: StringName = &""
## Whether it tells of the first body alone.
@export var one_shot: bool = false


func _counts(body: Node3D) -> bool:
	return only_group.is_empty() or body.is_in_group(only_group)


func _on_body_entered(body: Node3D) -> void:
	if not _counts(body):
		return
	triggered.emit(body)
	if one_shot:
		set_deferred(&"monitoring", false)


func _on_body_exited(body: Node3D) -> void:
	if _counts(body):
		left.emit(body)
