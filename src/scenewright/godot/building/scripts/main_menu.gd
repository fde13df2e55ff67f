extends Control
## The first screen of the game.

signal play_pressed
signal settings_pressed
signal quit_pressed

## Scene that Play leads to; without one only the signal is sent.
@export_file("*.tscn") var game_scene: String = ""
## Whether Quit ends the game.
@export var quits: bool = true

@onready var _play: Button = %PlayButton


func _ready() -> void:
	_play.grab_focus()


func _on_play() -> void:
	play_pressed.emit()
	if not game_scene.is_empty():
		get_tree().change_scene_to_file(game_scene)


func _on_settings() -> void:
	settings_pressed.emit()


func _on_quit() -> void:
	quit_pressed.emit()
	if quits:
		get_tree().quit()
