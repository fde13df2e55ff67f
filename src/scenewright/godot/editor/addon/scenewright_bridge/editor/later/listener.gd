@tool
extends Logger
## Hears what the editor itself logs. Loaded only where the engine has loggers (4.5 and later).

const Journal = preload("../journal.gd")

var _mutex: Mutex = Mutex.new()
var _entries: Array[Dictionary] = []


## Takes what was heard since the last call. Loggers are called from any thread.
func take() -> Array[Dictionary]:
	_mutex.lock()
	var taken: Array[Dictionary] = _entries
	_entries = []
	_mutex.unlock()
	return taken


func _log_message(message: String, error: bool) -> void:
	var text: String = message.strip_edges(false, true)
	if text != "":
		_keep({"type": "error" if error else "info", "message": text, "plain": true})


func _log_error(
	function: String,
	file: String,
	line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	script_backtraces: Array[ScriptBacktrace]
) -> void:
	var entry: Dictionary = {
		"type": "warning" if error_type == Logger.ERROR_TYPE_WARNING else "error",
		"message": rationale if rationale != "" else code,
		"source": {"script": file, "function": function, "line": line},
	}
	for trace: ScriptBacktrace in script_backtraces:
		if not trace.is_empty():
			entry["stack_trace"] = _frames(trace)
			if error_type != Logger.ERROR_TYPE_SCRIPT:
				_tell_script(entry, trace)
	_keep(entry)


## The script that the engine was called from says more than the engine's own line, unless it is ours.
static func _tell_script(entry: Dictionary, trace: ScriptBacktrace) -> void:
	for index: int in trace.get_frame_count():
		if not Journal.is_ours(trace.get_frame_file(index)):
			entry["source"] = {
				"script": trace.get_frame_file(index),
				"function": trace.get_frame_function(index),
				"line": trace.get_frame_line(index),
			}
			return


static func _frames(trace: ScriptBacktrace) -> Array:
	var frames: Array = []
	for index: int in trace.get_frame_count():
		var place: Array = [trace.get_frame_file(index), trace.get_frame_line(index), trace.get_frame_function(index)]
		frames.append("%s:%d in %s()" % place)
	return frames


func _keep(entry: Dictionary) -> void:
	_mutex.lock()
	_entries.append(entry)
	_mutex.unlock()
