@tool
extends RefCounted
## Reads a log as it grows and makes entries of it: lines, and errors with where they came from.
##
## An error is a line such as `SCRIPT ERROR: …`, then where it happened (`at: f (res://a.gd:7)`), then
## the backtrace if the engine gives one. It is over with the first line that is none of these, or
## when nothing more comes for a moment.

const _STARTS: Dictionary = {
	"ERROR: ": "error",
	"WARNING: ": "warning",
	"SCRIPT ERROR: ": "error",
	"SHADER ERROR: ": "error",
	"USER ERROR: ": "error",
	"USER WARNING: ": "warning",
	"USER SCRIPT ERROR: ": "error",
}

var _at: RegEx = RegEx.create_from_string("^\\s+at: (.*?) ?\\((.*?):(-?\\d+)\\)$")
var _frame: RegEx = RegEx.create_from_string("^\\s+\\[\\d+\\] (.*?) \\((.*?):(-?\\d+)\\)$")
var _path: String
var _read: int = 0
var _rest: PackedByteArray = PackedByteArray()
var _open: Dictionary = {}


func _init(path: String) -> void:
	_path = path


## New entries since the last call: {type, message} and for errors also source and stack_trace.
func poll(last: bool) -> Array[Dictionary]:
	var entries: Array[Dictionary] = []
	var lines: PackedStringArray = _new_lines(last)
	for line: String in lines:
		_take(line, entries)
	if (lines.is_empty() or last) and not _open.is_empty():
		_close(entries)
	return entries


func _new_lines(last: bool) -> PackedStringArray:
	if not FileAccess.file_exists(_path):
		return PackedStringArray()
	var file: FileAccess = FileAccess.open(_path, FileAccess.READ)
	if file == null or file.get_length() <= _read:
		return PackedStringArray()
	file.seek(_read)
	var bytes: PackedByteArray = file.get_buffer(file.get_length() - _read)
	_read += bytes.size()
	_rest.append_array(bytes)
	var end: int = _rest.size() if last else _rest.rfind(10) + 1
	var text: String = _rest.slice(0, end).get_string_from_utf8()
	_rest = _rest.slice(end)
	return text.trim_suffix("\n").split("\n") if text != "" else PackedStringArray()


func _take(line: String, entries: Array[Dictionary]) -> void:
	for start: String in _STARTS:
		if line.begins_with(start):
			_close(entries)
			_open = {"type": _STARTS[start], "message": line.trim_prefix(start)}
			return
	if _open.is_empty():
		entries.append({"type": "info", "message": line})
	elif not _belongs(line):
		_close(entries)
		entries.append({"type": "info", "message": line})


func _belongs(line: String) -> bool:
	var place: RegExMatch = _at.search(line)
	if place != null and not _open.has("source"):
		_open["source"] = _source(place)
		return true
	var frame: RegExMatch = _frame.search(line)
	if frame != null and _open.has("source"):
		_add_frame(frame)
		return true
	if line.strip_edges().contains("backtrace (most recent call first)"):
		return true
	if _open.has("source"):
		return false
	_open["message"] = str(_open["message"]) + "\n" + line
	return true


func _add_frame(frame: RegExMatch) -> void:
	if not _open.has("stack_trace"):
		_open["stack_trace"] = []
		# The engine's own line says less than the script's that called it.
		_open["source"] = _source(frame)
	var trace: Array = _open["stack_trace"]
	trace.append("%s:%s in %s()" % [frame.get_string(2), frame.get_string(3), frame.get_string(1)])


func _close(entries: Array[Dictionary]) -> void:
	if not _open.is_empty():
		entries.append(_open)
	_open = {}


static func _source(hit: RegExMatch) -> Dictionary:
	return {"script": hit.get_string(2), "function": hit.get_string(1), "line": hit.get_string(3).to_int()}
