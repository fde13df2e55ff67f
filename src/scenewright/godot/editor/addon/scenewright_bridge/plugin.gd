@tool
extends EditorPlugin
## Wires the bridge into the editor, and takes it out again in reverse.

const Bridge = preload("bridge.gd")
const Dock = preload("dock/dock.gd")
const History = preload("editor/history.gd")
const Previews = preload("editor/previews.gd")
const Settings = preload("editor/settings.gd")

## Frames without a scan after which the editor has loaded what it loads at start.
const _CALM: int = 10

var _bridge: Bridge = null
var _dock: Dock = null
var _calm: int = 0


func _enter_tree() -> void:
	var settings: Settings = Settings.new()
	History.manager = get_undo_redo()
	_bridge = Bridge.new(settings)
	_dock = Dock.new(settings)
	_dock.know_edits(_bridge.edits)
	var _wired: Array[int] = [
		_bridge.changed.connect(_show_state),
		_bridge.called.connect(_dock.show_call),
		_dock.start_wanted.connect(_start),
		_dock.stop_wanted.connect(_bridge.stop),
		main_screen_changed.connect(_bridge.pictures.note_main_screen),
		scene_saved.connect(_bridge.sync.note_saved),
		_bridge.sync.told.connect(_warn),
	]
	add_debugger_plugin(_bridge.runs.channel)
	add_control_to_dock(DOCK_SLOT_RIGHT_BL, _dock)
	_show_state()


func _exit_tree() -> void:
	remove_control_from_docks(_dock)
	remove_debugger_plugin(_bridge.runs.channel)
	scene_saved.disconnect(_bridge.sync.note_saved)
	main_screen_changed.disconnect(_bridge.pictures.note_main_screen)
	_bridge.close()
	_bridge = null
	_dock.queue_free()
	_dock = null
	History.manager = null


func _process(_delta: float) -> void:
	if _calm < _CALM:
		_bridge.sync.follow()
		_wait_for_editor()
	else:
		_bridge.poll()


## The editor is about to write the scene, or to leave it.
func _apply_changes() -> void:
	Previews.end_all()
	_bridge.sync.note_before_save()


func _build() -> bool:
	_bridge.runs.prepare()
	return true


## A game of an editor without a screen has none either. (Godot 4.5 and later ask here.)
func _run_scene(_scene: String, arguments: PackedStringArray) -> PackedStringArray:
	if DisplayServer.get_name() == "headless" and not "--headless" in arguments:
		var _added: bool = arguments.append("--headless")
	return arguments


## Clients meet an editor that is ready: its first scan is over and its scenes are open.
func _wait_for_editor() -> void:
	_calm = 0 if EditorInterface.get_resource_filesystem().is_scanning() else _calm + 1
	if _calm == _CALM and _bridge.settings.flag(Settings.START):
		_start()


func _start() -> void:
	var error: Error = _bridge.start()
	if error != OK:
		push_error("Scenewright: no port is free for the bridge (%s)." % error_string(error))


## Tells the person what another program did to open scenes.
func _warn(news: Dictionary) -> void:
	var is_loss: bool = news["outcome"] != "reloaded"
	_dock.show_news(str(news["message"]), is_loss)
	if is_loss and EditorInterface.has_method(&"get_editor_toaster"):
		var toaster: Object = EditorInterface.call(&"get_editor_toaster")
		var _shown: Variant = toaster.call(&"push_toast", "Scenewright: " + str(news["message"]), 1)


func _show_state() -> void:
	_dock.show_state(_bridge.port(), _bridge.sessions.names(), _bridge.sessions.wanted_addon())
