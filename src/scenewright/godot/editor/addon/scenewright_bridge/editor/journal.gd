@tool
extends RefCounted
## The last log lines and errors, of the editor and of the games it ran.

signal written(entries: Array)
signal failed(error: Dictionary)

const _OURS: String = "res://addons/scenewright_bridge/"
const _LINES: int = 5000
const _ERRORS: int = 500

var _lines: Array[Dictionary] = []
var _errors: Array[Dictionary] = []
var _new: Array[Dictionary] = []
## How many lines there ever were.
var _written: int = 0


## What the editor or, with the number of its run, a game said.
func add(entries: Array[Dictionary], origin: String, run: int = 0) -> void:
	for entry: Dictionary in entries:
		# Ten digits and four more: as many as every version of the engine writes, so that a client can send it back.
		var now: float = roundf(Time.get_unix_time_from_system() * 10_000.0) / 10_000.0
		var line: Dictionary = {"type": entry["type"], "message": entry["message"], "origin": origin, "timestamp": now}
		if run > 0:
			line["run"] = run
		_written += 1
		_lines.append(line)
		_new.append(line)
		if entry["type"] != "info":
			_add_error(entry, line)
	if _lines.size() > _LINES * 2:
		_lines = _lines.slice(-_LINES)


## Once per frame: what came since goes out in one piece.
func flush() -> void:
	if not _new.is_empty():
		var entries: Array[Dictionary] = _new
		_new = []
		written.emit(entries)


func lines() -> Array[Dictionary]:
	return _lines.slice(-_LINES)


## The lines after the first `cursor` ones that ever were: [lines, how many of them are gone].
func since(cursor: int) -> Array:
	var wanted: int = clampi(_written - cursor, 0, _written)
	var kept: Array[Dictionary] = _lines.slice(_lines.size() - mini(wanted, _lines.size()))
	return [kept, wanted - kept.size()]


func written_so_far() -> int:
	return _written


## Forgets every line and error.
func clear() -> void:
	_lines.clear()
	_errors.clear()


## Whether a place in a script is in this addon: how a call gets to a script tells nobody what is wrong there.
static func is_ours(place: String) -> bool:
	return place.begins_with(_OURS)


## The newest first.
func errors() -> Array[Dictionary]:
	var found: Array[Dictionary] = _errors.slice(-_ERRORS)
	found.reverse()
	return found


func _add_error(entry: Dictionary, line: Dictionary) -> void:
	var error: Dictionary = {"severity": entry["type"], "message": entry["message"]}
	error["source"] = entry.get("source", {"script": "", "function": "", "line": 0})
	var trace: Array = entry.get("stack_trace", [])
	trace = trace.filter(func(frame: String) -> bool: return not is_ours(frame))
	if not trace.is_empty():
		error["stack_trace"] = trace
	error["origin"] = line["origin"]
	error["timestamp"] = line["timestamp"]
	if line.has("run"):
		error["run"] = line["run"]
		error["number"] = _written
	_errors.append(error)
	if _errors.size() > _ERRORS * 2:
		_errors = _errors.slice(-_ERRORS)
	failed.emit(error)
