@tool
extends RefCounted
## Before 4.5 a game's log says where in the engine an error was made, not which script made it. The
## editor's debugger is told both, and shows them in its list of errors.

const _PATIENCE: int = 1000

var _lists: Array[Tree] = []
## Rows of the list that belong to an entry already.
var _taken: Dictionary = {}
## Entries in the order they came: one that is not in the list yet holds up those behind it.
var _held: Array[Dictionary] = []
var _since: int = 0


## The entries that need no further look, those of errors with the script they came from.
func complete(entries: Array[Dictionary], last: bool) -> Array[Dictionary]:
	var now: int = Time.get_ticks_msec()
	if _held.is_empty():
		_since = now
	_held.append_array(entries)
	var done: Array[Dictionary] = []
	for entry: Dictionary in _held:
		if _lacks_script(entry) and not _is_found(entry) and not last and now - _since < _PATIENCE:
			break
		done.append(entry)
		_since = now
	_held = _held.slice(done.size())
	return done


static func _lacks_script(entry: Dictionary) -> bool:
	if entry["type"] == "info" or not entry.has("source") or entry.has("stack_trace"):
		return false
	var source: Dictionary = entry["source"]
	return not str(source["script"]).begins_with("res://")


func _is_found(entry: Dictionary) -> bool:
	var row: TreeItem = _row_of(str(entry["message"]))
	if row == null:
		return false
	_taken[row.get_instance_id()] = true
	var trace: Array = []
	for part: TreeItem in row.get_children():
		if part.get_metadata(0) is Array and part.get_text(1).contains(" @ "):
			var place: Array = part.get_metadata(0)
			_add_frame(entry, trace, place, part.get_text(1).get_slice(" @ ", 1).trim_suffix("()"))
	if not trace.is_empty():
		entry["stack_trace"] = trace
	return true


static func _add_frame(entry: Dictionary, trace: Array, place: Array, function: String) -> void:
	if trace.is_empty():
		entry["source"] = {"script": place[0], "function": function, "line": place[1]}
	trace.append("%s:%d in %s()" % [place[0], place[1], function])


func _row_of(message: String) -> TreeItem:
	for list: Tree in _error_lists():
		if list.get_root() == null:
			continue
		for row: TreeItem in list.get_root().get_children():
			if row.get_text(1).ends_with(": " + message) and not _taken.has(row.get_instance_id()):
				return row
	return null


## Its title is in the person's language; it is known by its two columns, as few others are.
func _error_lists() -> Array[Tree]:
	if _lists.is_empty() or not is_instance_valid(_lists[0]):
		_lists.clear()
		for panel: Node in EditorInterface.get_base_control().find_children("*", "ScriptEditorDebugger", true, false):
			for list: Tree in panel.find_children("*", "Tree", true, false):
				if list.columns == 2:
					_lists.append(list)
	return _lists
