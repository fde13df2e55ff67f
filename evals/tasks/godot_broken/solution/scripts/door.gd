extends StaticBody2D

signal opened

@onready var shape: CollisionShape2D = $Shape


func _ready() -> void:
	GameState.keys_changed.connect(_on_keys_changed)


func _on_keys_changed(count: int) -> void:
	if count >= GameState.NEEDED:
		shape.set_deferred("disabled", true)
		hide()
		opened.emit()
