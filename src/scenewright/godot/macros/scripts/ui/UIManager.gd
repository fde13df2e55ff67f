extends Node
## Holds the HUD and the pause menu, and opens the menu when the player pauses.

const HUD = preload("HUD.gd")
const PauseMenu = preload("PauseMenu.gd")

@export var hud_scene: PackedScene
@export var pause_scene: PackedScene
@export var action_pause: StringName = &"pause"

var hud: HUD
var pause_menu: PauseMenu


func _ready() -> void:
	# It must hear the player while the game is paused.
	process_mode = Node.PROCESS_MODE_ALWAYS
	if not InputMap.has_action(action_pause):
		action_pause = &"ui_cancel"
	hud = hud_scene.instantiate()
	pause_menu = pause_scene.instantiate()
	add_child(hud)
	add_child(pause_menu)
	pause_menu.quit_requested.connect(_on_quit_requested)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(action_pause):
		toggle_pause()
		get_viewport().set_input_as_handled()


func toggle_pause() -> void:
	if pause_menu.visible:
		pause_menu.close()
	else:
		pause_menu.open()


func _on_quit_requested() -> void:
	get_tree().quit()
