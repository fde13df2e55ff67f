extends Control
## Shown at the end of a game, with its result.

signal retry_pressed
signal menu_pressed

## Scene that Main Menu leads to; without one only the signal is sent.
@export_file("*.tscn") var menu_scene: String = ""
## Whether Try Again starts the scene anew.
@export var reloads: bool = true

@onready var _score: Label = %FinalScore
@onready var _retry: Button = %RetryButton


func open(score: int) -> void:
	_score.text = "Score: %d" % score
	show()
	Input.mouse_mode = Input.MOUSE_MODE_VISIBLE
	_retry.grab_focus()


func _on_retry() -> void:
	hide()
	retry_pressed.emit()
	if reloads:
		get_tree().reload_current_scene()


func _on_menu() -> void:
	menu_pressed.emit()
	if not menu_scene.is_empty():
		get_tree().change_scene_to_file(menu_scene)
