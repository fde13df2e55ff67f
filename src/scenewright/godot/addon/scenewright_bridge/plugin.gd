@tool
extends EditorPlugin
## Wires the bridge into the editor, and takes it out again in reverse.

const Bridge = preload("bridge.gd")
const Settings = preload("editor/settings.gd")

## Frames without a scan after which the editor has loaded what it loads at start.
const _CALM: int = 10

var _bridge: Bridge = null
var _calm: int = 0


func _enter_tree() -> void:
	_bridge = Bridge.new(Settings.new())


func _exit_tree() -> void:
	_bridge.stop()
	_bridge = null


func _process(_delta: float) -> void:
	if _calm < _CALM:
		_wait_for_editor()
	else:
		_bridge.poll()


## Clients meet an editor that is ready: its first scan is over and its scenes are open.
func _wait_for_editor() -> void:
	_calm = 0 if EditorInterface.get_resource_filesystem().is_scanning() else _calm + 1
	if _calm == _CALM and _bridge.settings.flag(Settings.START):
		_start()


func _start() -> void:
	var error: Error = _bridge.start()
	if error != OK:
		push_error("Scenewright: no port is free for the bridge (%s)." % error_string(error))
