@tool
extends EditorDebuggerPlugin
## The debugger's channel to the running game: tells it things, and hears its helper.

signal heard(message: String, data: Array)
signal connected
signal halted(on_error: bool)

const PREFIX: String = "scenewright"


func _has_capture(prefix: String) -> bool:
	return prefix == PREFIX


func _capture(message: String, data: Array, _session_id: int) -> bool:
	heard.emit(message.trim_prefix(PREFIX + ":"), data)
	return true


func _setup_session(session_id: int) -> void:
	var session: EditorDebuggerSession = get_session(session_id)
	var _wired: Array[int] = [
		session.started.connect(connected.emit),
		session.breaked.connect(func(can_debug: bool) -> void: halted.emit(not can_debug)),
	]


## Whether some game listens.
func is_open() -> bool:
	return _session() != null


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
