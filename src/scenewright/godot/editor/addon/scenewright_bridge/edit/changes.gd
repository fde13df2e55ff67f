@tool
extends RefCounted
## The changes of one call or batch: made at once, recorded both ways, and then either handed to
## the editor's history as one step or taken back.
##
## Only the nodes' own methods are recorded, none of this addon's: the history outlives it.

const History = preload("../editor/history.gd")

var _done: Array[Array] = []
var _undone: Array[Array] = []
var _made: Array[Node] = []
var _removed: Array[Node] = []


func is_empty() -> bool:
	return _done.is_empty()


## Does something and remembers how to undo it.
func apply(object: Object, method: StringName, arguments: Array, back: StringName, back_arguments: Array) -> void:
	undo_with(object, back, back_arguments)
	redo_with(object, method, arguments)


## Does something that something else already undoes.
func redo_with(object: Object, method: StringName, arguments: Array) -> void:
	_done.append([object, method, arguments])
	var _result: Variant = object.callv(method, arguments)


## Something more for the way back; the last given runs first.
func undo_with(object: Object, method: StringName, arguments: Array) -> void:
	_undone.append([object, method, arguments])


## A point on the way back that `undo_at` can name later.
func mark() -> int:
	return _undone.size()


## Something for the way back that runs after all that was given since the mark; the first given
## runs first.
func undo_at(point: int, object: Object, method: StringName, arguments: Array) -> void:
	var _error: int = _undone.insert(point, [object, method, arguments])


func set_property(object: Object, property: StringName, value: Variant, before: Variant) -> void:
	var forth: Array = _setting(object, property, value)
	var back: Array = _setting(object, property, before)
	var method: StringName = forth[0]
	var arguments: Array = forth[1]
	var back_method: StringName = back[0]
	var back_arguments: Array = back[1]
	apply(object, method, arguments, back_method, back_arguments)


## A node that exists because of these changes.
func made(node: Node) -> void:
	_made.append(node)


## A node that is out of the scene because of these changes.
func removed(node: Node) -> void:
	_removed.append(node)


## One step of the scene's history.
func commit(title: String, root: Node) -> void:
	var history: EditorUndoRedoManager = History.manager
	history.create_action(title, UndoRedo.MERGE_DISABLE, root, true)
	for node: Node in _made:
		history.add_do_reference(node)
	for node: Node in _removed:
		history.add_undo_reference(node)
	for step: Array in _done:
		_record(history, &"add_do_method", step)
	for step: Array in _undone:
		_record(history, &"add_undo_method", step)
	history.commit_action(false)


func roll_back() -> void:
	_undone.reverse()
	for step: Array in _undone:
		var object: Object = step[0]
		var method: StringName = step[1]
		var arguments: Array = step[2]
		var _result: Variant = object.callv(method, arguments)
	for node: Node in _made:
		node.queue_free()


## The call that gives a property a value. A library of animations can be set to nothing like any other
## property, and goes, but the engine then says that it was nothing.
static func _setting(object: Object, property: StringName, value: Variant) -> Array:
	if value == null and object is AnimationMixer and str(property).begins_with("libraries/"):
		return [&"remove_animation_library", [StringName(str(property).trim_prefix("libraries/"))]]
	return [&"set", [property, value]]


static func _record(history: EditorUndoRedoManager, kind: StringName, step: Array) -> void:
	var arguments: Array = step[2]
	var _result: Variant = history.callv(kind, [step[0], step[1]] + arguments)
