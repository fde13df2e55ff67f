extends Node2D

signal recovered

@export var walking := false:
	set(value):
		walking = value
		_show()
@export var direction := 1:
	set(value):
		direction = value
		_show()


func _ready() -> void:
	_show()


func hurt() -> void:
	$Actions.play("hit")


func _show() -> void:
	if is_node_ready():
		$Body.play("walk" if walking else "idle")
		$Body.flip_h = direction < 0


func _on_hit_end() -> void:
	recovered.emit()
