extends Area2D
## Tells when a body enters, once or every time.

signal triggered(trigger: StringName, body: Node2D)

@export var once: bool = false

var _used: bool = false


func _on_body_entered(body: Node2D) -> void:
	if once and _used:
		return
	_used = true
	triggered.emit(name, body)
