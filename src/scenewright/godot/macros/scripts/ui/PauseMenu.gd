extends CanvasLayer
## Stops the game, and offers to go on or to leave.

signal resumed
signal quit_requested

@onready var _resume: Button = $Center/Buttons/Resume


func _ready() -> void:
	close()


func open() -> void:
	show()
	get_tree().paused = true
	_resume.grab_focus()


func close() -> void:
	hide()
	get_tree().paused = false


func _on_resume_pressed() -> void:
	close()
	resumed.emit()


func _on_quit_pressed() -> void:
	quit_requested.emit()
