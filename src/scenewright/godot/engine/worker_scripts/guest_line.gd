extends RefCounted
## Answers for a game that runs by itself what a session in lock step answers, between two of the game's frames.
##
## The game goes on all the while, unless it is suspended: then it takes as many frames as a step asks for.

const PREFIX: String = "scenewright_game"
const WARNINGS: String = "debug/gdscript/warnings/enable"
const PATIENCE: int = 1000
const POLLS: int = 2048  # the engine looks at the line once in so many
const FAREWELL: int = 50

var _guest: Node
var _frames: int = 0
var _play: RefCounted
var _asked: int = 0
var _is_stepping: bool = false


func _init(guest: Node, folder: String) -> void:
	_guest = guest
	_play = _make_play(folder)


func begin() -> void:
	EngineDebugger.register_message_capture(PREFIX, _on_message)
	_tell("hello", [])


func count_frame() -> void:
	_frames += 1


func leave() -> void:
	EngineDebugger.unregister_message_capture(PREFIX)
	if _is_stepping:
		var told: Dictionary = _play.call("outcome", "quit")
		_answer(told)
	_tell("bye", [])
	# Another thread sends it, and what it has not sent when the engine ends is lost.
	OS.delay_msec(FAREWELL)


func _on_message(message: String, data: Array) -> bool:
	if message == "cancel":
		_play.set("is_cancelled", true)
	elif message == "ask":
		_serve(data)
	return message in ["ask", "cancel"]


func _serve(data: Array) -> void:
	if _is_stepping:
		_tell("answer", [data[0], JSON.stringify({"busy": true})])
		return
	_asked = data[0]
	var method: String = data[1]
	var text: String = data[2]
	var params: Dictionary = JSON.parse_string(text)
	var _turned: Variant = _play.call("turn", _frames)
	match method:
		"suspend":
			var suspended: bool = params["suspended"]
			_suspend(suspended)
			_answer({})
		"state":
			_answer({})
		"step":
			await _step(params)
		_:
			var result: Dictionary = _play.call(method, params)
			_answer(result)


func _step(params: Dictionary) -> void:
	var stands_still: bool = _is_suspended()
	_is_stepping = true
	_suspend(false)
	var result: Dictionary = await _play.call("step", params)
	_is_stepping = false
	_suspend(stands_still)
	_answer(result)


func _answer(result: Dictionary) -> void:
	var tree: SceneTree = _guest.get_tree()
	var scene: String = tree.current_scene.scene_file_path if tree.current_scene != null else ""
	var state: Dictionary = {"suspended": _is_suspended(), "runs": scene}
	result.merge({"frame": _frames})
	_tell("answer", [_asked, JSON.stringify(result.merged(state), "", false)])


## Since 4.4 whoever holds the debugger can suspend a tree, and nobody else; before, pausing comes nearest.
func _suspend(yes: bool) -> void:
	if _is_suspended() == yes:
		return
	if not _can_be_suspended():
		_guest.get_tree().paused = yes
		return
	_tell("suspend", [yes])
	var until: int = Time.get_ticks_msec() + PATIENCE
	while _is_suspended() != yes and Time.get_ticks_msec() < until:
		for _each: int in POLLS:
			EngineDebugger.line_poll()
		OS.delay_usec(100)


func _is_suspended() -> bool:
	return not _guest.can_process() if _can_be_suspended() else _guest.get_tree().paused


static func _can_be_suspended() -> bool:
	var version: Dictionary = Engine.get_version_info()
	var number: int = version["hex"]
	return number >= 0x040400


func _tell(message: String, data: Array) -> void:
	EngineDebugger.send_message(PREFIX + ":" + message, data)


## Its scripts are loaded without the project's warnings, which may be errors there and are no business of ours.
func _make_play(folder: String) -> RefCounted:
	var wanted: Variant = ProjectSettings.get_setting(WARNINGS)
	_warn(false)
	var script: GDScript = load(folder.path_join("guest_play.gd"))
	_warn(wanted)
	var play: RefCounted = script.call("new", _guest.get_tree(), _guest)
	return play


static func _warn(wanted: Variant) -> void:
	ProjectSettings.set_setting(WARNINGS, wanted)
	ProjectSettings.settings_changed.emit()
