@tool
extends EditorPlugin
## Wires the bridge into the editor, and takes it out again in reverse.

const Bridge = preload("bridge.gd")
const Settings = preload("editor/settings.gd")

var _bridge: Bridge = null


func _enter_tree() -> void:
	var settings: Settings = Settings.new()
	_bridge = Bridge.new(settings)
	if settings.flag(Settings.START):
		_start()


func _exit_tree() -> void:
	_bridge.stop()
	_bridge = null


func _process(_delta: float) -> void:
	_bridge.poll()


func _start() -> void:
	var error: Error = _bridge.start()
	if error != OK:
		push_error("Scenewright: no port is free for the bridge (%s)." % error_string(error))
