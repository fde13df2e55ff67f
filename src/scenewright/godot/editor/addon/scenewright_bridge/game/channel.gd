@tool
extends EditorDebuggerPlugin
## The debugger's channel to the running game: tells it things, and hears its helper.
##
## Before 4.5 a game halts at each script error and leaves it out of its log. Only the editor's own
## debugger is told of it, and there is no logger that would tell a game's lines from the editor's.

signal heard(message: String, data: Array)
signal connected
signal halted(on_error: bool)
## Before 4.5: a script error with its stack, [{file, line, function}], and what the game printed.
signal failed(message: String, stack: Array)
signal printed(text: String)

const Version = preload("../version.gd")

const PREFIX: String = "scenewright"
const GUEST: String = "scenewright_game"

var _error: String = ""


func _has_capture(prefix: String) -> bool:
	return prefix in [PREFIX, GUEST]


func _capture(message: String, data: Array, _session_id: int) -> bool:
	heard.emit(message.trim_prefix(PREFIX + ":"), data)
	return true


func _setup_session(session_id: int) -> void:
	var session: EditorDebuggerSession = get_session(session_id)
	var _wired: Error = session.started.connect(connected.emit) as Error
	if Version.is_at_least(4, 5):
		_wired = session.breaked.connect(func(can_debug: bool) -> void: halted.emit(not can_debug)) as Error
	else:
		_listen.call_deferred()


## Whether some game listens.
func is_open() -> bool:
	return _session() != null


## Whether the game stands still in the editor's debugger, at a breakpoint or an error.
func is_halted() -> bool:
	var session: EditorDebuggerSession = _session()
	return session != null and session.is_breaked()


func tell(message: String, data: Array) -> bool:
	var session: EditorDebuggerSession = _session()
	if session == null:
		return false
	session.send_message(message, data)
	return true


func _session() -> EditorDebuggerSession:
	for session: EditorDebuggerSession in get_sessions():
		if session != null and session.is_active():
			return session
	return null


func _listen() -> void:
	var ears: Dictionary = {&"breaked": _note_halt, &"stack_dump": _note_stack, &"output": _note_output}
	for panel: Node in EditorInterface.get_base_control().find_children("*", "ScriptEditorDebugger", true, false):
		for title: StringName in ears:
			var ear: Callable = ears[title]
			if panel.has_signal(title) and not panel.is_connected(title, ear):
				var _wired: Error = panel.connect(title, ear) as Error


func _note_halt(halts: bool, can_go_on: bool, reason: String, has_stack: bool) -> void:
	_error = reason if halts and not can_go_on else ""
	if _error != "" and not has_stack:
		_note_stack([])


## A game that goes on no longer tells its stack.
func _note_stack(stack: Array) -> void:
	if _error != "":
		failed.emit(_error, stack)
		halted.emit(true)
	_error = ""


func _note_output(text: String, _level: int) -> void:
	printed.emit(text)
