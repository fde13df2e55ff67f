@tool
extends RefCounted
## The game that runs: when it starts and stops, what it says, and asking it for pictures.

signal started(scene_path: String)
signal stopped(reason: String, exit_code: Variant)

const Channel = preload("channel.gd")
const Journal = preload("../editor/journal.gd")
const LogReader = preload("log_reader.gd")
const Process = preload("process.gd")
const Settings = preload("../editor/settings.gd")
const Traces = preload("traces.gd")
const Version = preload("../version.gd")
const Visit = preload("visit.gd")

const _VISIT_TIME: int = 60_000
## What the engine's crash handlers write on every system.
const _LAST_WORDS: String = "Program crashed"
const _FRAME: String = "{file}:{line} in {function}()"

var channel: Channel = Channel.new()
## Whether the helper will come, has come, or cannot.
var is_visited: bool = false
var has_helper: bool = false
## Whether a guest of the server's is in the game, and what it has answered, by number.
var has_guest: bool = false
var answers: Dictionary = {}
var pictures: Dictionary = {}
var states: Dictionary = {}
## The number of the game that runs or ran last, from 1 on while the editor is open.
var number: int = 0

var _settings: Settings
var _journal: Journal
var _reader: LogReader = null
var _traces: Traces = null
var _running: bool = false
var _scene: String = ""
var _process: Process = null
var _by_bridge: bool = false
var _stop_asked: bool = false
var _said_bye: bool = false
var _has_crashed: bool = false
var _since: int = 0
var _asked: int = 0
var _is_numbered: bool = false
var _ended: Dictionary = {}


func _init(settings: Settings, journal: Journal) -> void:
	_settings = settings
	_journal = journal
	var _wired: Array[int] = [
		channel.heard.connect(_hear),
		channel.connected.connect(_welcome),
		channel.halted.connect(_go_on),
		channel.failed.connect(_note_error),
	]


func is_running() -> bool:
	return _running or EditorInterface.is_playing_scene()


## Whether the helper is not in this game and will not come.
func cannot_be_joined() -> bool:
	return _running and not is_visited and not has_helper


## Whether it takes messages, and its helper has come if it will.
func can_be_told() -> bool:
	return channel.is_open() and (has_helper or cannot_be_joined())


func scene_path() -> String:
	return _scene


## How the last game ended: {reason, exit_code}; empty while it runs.
func ending() -> Dictionary:
	return _ended


## The editor is about to start a game, whoever asked for it.
func prepare() -> void:
	if _running:
		_end()
	Visit.remove_log()
	_process = Process.new()
	number += 1
	_is_numbered = true
	is_visited = _settings.flag(Settings.JOIN_GAMES) and Visit.prepare()


## Starts a game by calling this; false where the editor did not start one.
func start(play: Callable, save: bool) -> bool:
	const KEY: String = "run/auto_save/save_before_running"
	var stored: EditorSettings = EditorInterface.get_editor_settings()
	var saves: Variant = stored.get_setting(KEY)
	stop()
	stored.set_setting(KEY, save)
	play.call()
	stored.set_setting(KEY, saves)
	_by_bridge = EditorInterface.is_playing_scene()
	return _by_bridge


func stop() -> void:
	if EditorInterface.is_playing_scene():
		_stop_asked = true
		EditorInterface.stop_playing_scene()
	if _running:
		_end()


func pause(yes: bool) -> bool:
	if Version.is_at_least(4, 4):
		return channel.tell("scene:suspend_changed", [yes])
	return channel.tell("scenewright:pause", [yes])


## The number under which the helper's answer will be in `states`.
func ask_for_state() -> int:
	_asked += 1
	var _told: bool = channel.tell("scenewright:state", [_asked])
	return _asked


## The number under which the helper's answer will be in `states`: what the person has done in the game.
func ask_for_inputs() -> int:
	_asked += 1
	var _told: bool = channel.tell("scenewright:inputs", [_asked])
	return _asked


## Once per frame.
func poll() -> void:
	var playing: bool = EditorInterface.is_playing_scene()
	if playing and not _running:
		_begin()
	if _running:
		_read_log(false)
		_look_after()
		if not EditorInterface.is_playing_scene():
			_end()


## The addon is going: nothing of ours may stay.
func close() -> void:
	Visit.clean_up()
	Visit.remove_log()


func _begin() -> void:
	_running = true
	if not _is_numbered:
		number += 1
	_is_numbered = false
	_ended = {}
	_scene = EditorInterface.get_playing_scene()
	_since = Time.get_ticks_msec()
	_reader = LogReader.new(Visit.log_file()) if is_visited else null
	_traces = null if Version.is_at_least(4, 5) else Traces.new()
	if _process == null:
		_process = Process.new()
	started.emit(_scene)


func _end() -> void:
	_read_log(true)
	_running = false
	var code: Variant = null if _process.is_running() else _process.exit_code
	var reason: String = _reason(code)
	Visit.clean_up()
	Visit.remove_log()
	_process = null
	_by_bridge = false
	_stop_asked = false
	_said_bye = false
	_has_crashed = false
	has_helper = false
	has_guest = false
	answers.clear()
	is_visited = false
	_reader = null
	if reason == "user_stopped":
		code = 0
	_ended = {"reason": reason, "exit_code": code}
	stopped.emit(reason, code)


func _read_log(last: bool) -> void:
	if _reader == null:
		return
	var entries: Array[Dictionary] = _reader.poll(last)
	for entry: Dictionary in entries:
		_has_crashed = _has_crashed or str(entry["message"]).contains(_LAST_WORDS)
	_journal.add(entries if _traces == null else _traces.complete(entries, last), "game", number)


## The editor does not always notice that a game is gone which never reached its debugger.
func _look_after() -> void:
	if not _process.is_running() and EditorInterface.is_playing_scene():
		EditorInterface.stop_playing_scene()
	if is_visited and not has_helper and Time.get_ticks_msec() - _since > _VISIT_TIME:
		Visit.clean_up()


func _hear(message: String, data: Array) -> void:
	match message:
		"hello":
			has_helper = true
			if _process != null:  # a game that was given up may still say hello
				_process.pid = data[0]
			Visit.clean_up()
		"bye":
			_said_bye = true
		"picture":
			_add_picture(data)
		"no_picture":
			pictures[data[0]] = {"problem": data[1]}
		"state", "inputs":
			states[data[0]] = data
		_:
			_hear_guest(message.get_slice(":", 1), data)


func _hear_guest(message: String, data: Array) -> void:
	match message:
		"hello":
			has_guest = true
		"bye":
			has_guest = false
		"answer":
			answers[data[0]] = data[1]
		"suspend":
			var yes: bool = data[0]
			_suspend(yes)


## A game that goes on takes no input until the tool of its game view is chosen again.
func _suspend(yes: bool) -> void:
	var _told: bool = channel.tell("scene:suspend_changed", [yes])
	if not yes:
		_told = channel.tell("scene:runtime_node_select_set_type", [0])


func _add_picture(data: Array) -> void:
	var picture: Dictionary = pictures.get(data[0], {"bytes": PackedByteArray()})
	var bytes: PackedByteArray = picture["bytes"]
	var part: PackedByteArray = data[1]
	var size: int = data[2]
	bytes.append_array(part)
	picture["bytes"] = bytes
	picture["width"] = data[3]
	picture["height"] = data[4]
	picture["scene_path"] = data[5]
	picture["complete"] = bytes.size() >= size
	pictures[data[0]] = picture


## A script error would halt the game in the debugger until somebody presses continue. Where the
## bridge started it, nobody is there to press: the error is on record, and the game goes on.
func _welcome() -> void:
	if _by_bridge and Version.is_at_least(4, 5):
		var _told: bool = channel.tell("set_ignore_error_breaks", [true])


func _note_error(message: String, stack: Array) -> void:
	var entry: Dictionary = {"type": "error", "message": message}
	if not stack.is_empty():
		var first: Dictionary = stack[0]
		entry["source"] = {"script": first["file"], "function": first["function"], "line": first["line"]}
		entry["stack_trace"] = stack.map(func(frame: Dictionary) -> String: return _FRAME.format(frame))
	_journal.add([entry], "game", number)


func _go_on(on_error: bool) -> void:
	if _by_bridge and on_error:
		var _told: bool = channel.tell("continue", [])


func _reason(code: Variant) -> String:
	if _stop_asked:
		return "user_stopped"
	if _has_crashed:
		return "crashed"
	if code is int:
		return "exited" if code == 0 or _said_bye else "crashed"
	return "exited" if _said_bye else "user_stopped"
