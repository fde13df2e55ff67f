@tool
extends RefCounted
## A number per open scene that grows whenever the scene changes, by whomever.

signal grown(root: Node)

const History = preload("history.gd")

var _numbers: Dictionary = {}
var _last: int = 0


func watch() -> void:
	var history: EditorUndoRedoManager = History.manager
	var _wired: Array[int] = [history.history_changed.connect(_grow), history.version_changed.connect(_grow)]


func unwatch() -> void:
	var history: EditorUndoRedoManager = History.manager
	history.history_changed.disconnect(_grow)
	history.version_changed.disconnect(_grow)


## A reloaded scene has a new root, and so a new number.
func of(root: Node) -> int:
	if root == null:
		return 0
	var id: int = root.get_instance_id()
	if not _numbers.has(id):
		_forget_closed()
		_last += 1
		_numbers[id] = _last
	return _numbers[id]


func _grow() -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root != null:
		_last += 1
		_numbers[root.get_instance_id()] = _last
		grown.emit(root)


func _forget_closed() -> void:
	for id: int in _numbers.keys():
		if not is_instance_id_valid(id):
			var _known: bool = _numbers.erase(id)
