extends Control
## Stops the game while it shows; Escape opens and closes it.

signal opened
signal resumed
signal leave_pressed

## Action that opens and closes it.
@export var action: StringName = &"ui_cancel"
## Scene that Quit to Menu leads to; without one only the signal is sent.
@export_file("*.tscn") var menu_scene: String = ""

var _mouse_mode: Input.MouseMode = Input.MOUSE_MODE_VISIBLE

@onready var _resume: Button = %ResumeButton


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(action):
		get_viewport().set_input_as_handled()
		if visible:
			close()
		else:
			open()


func open() -> void:
	show()
	get_tree().paused = true
	_mouse_mode = Input.mouse_mode
	Input.mouse_mode = Input.MOUSE_MODE_VISIBLE
	_resume.grab_focus()
	opened.emit()


func close() -> void:
	hide()
	get_tree().paused = false
	Input.mouse_mode = _mouse_mode
	resumed.emit()


func _on_resume() -> void:
	close()


func _on_restart() -> void:
	close()
	get_tree().reload_current_scene()


func _on_leave() -> void:
	close()
	leave_pressed.emit()
	if not menu_scene.is_empty():
		get_tree().change_scene_to_file(menu_scene)
