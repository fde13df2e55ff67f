@tool
extends RefCounted
## Loads open scenes anew from their files, and leaves the person where they were.
##
## With an instance selected Godot 4.6 crashes in a reload, over what its inspector still shows of it.
## So nothing is selected meanwhile.

const History = preload("history.gd")
const Tabs = preload("tabs.gd")
const Turns = preload("../rpc/turns.gd")

const _ATTEMPTS: int = 20

var _turns: Turns


func _init(turns: Turns) -> void:
	_turns = turns


## `ahead` is called with each right before it is loaded. Returns those that were: one that is edited meanwhile stays
## as it is, unless `even_unsaved`.
func load_anew(paths: PackedStringArray, ahead: Callable, even_unsaved: bool = false) -> PackedStringArray:
	var loaded: PackedStringArray = PackedStringArray()
	if paths.is_empty():
		return loaded
	var root: Node = EditorInterface.get_edited_scene_root()
	var front: String = _in_front()
	var version: int = _version()
	var selected: Array[NodePath] = _let_go(root)
	await _turns.settled()
	for path: String in paths:
		# A tab is marked a frame after the change; the history tells at once.
		var untouched: bool = version == _version() or path != _in_front()
		if even_unsaved or untouched and not Tabs.is_unsaved(path):
			if await _load(path, ahead):
				var _added: bool = loaded.append(path)
	root = EditorInterface.get_edited_scene_root()
	if front != "" and (root == null or root.scene_file_path != front):
		EditorInterface.open_scene_from_path(front)
		await _turns.settled()
	_select(EditorInterface.get_edited_scene_root(), selected)
	return loaded


## While it changes scenes the editor ignores that it is to load one, so that is looked at.
## Loading one that is not in front would take the history, and the mark for unsaved changes, of the one that is.
func _load(path: String, ahead: Callable) -> bool:
	if path != _in_front():
		EditorInterface.open_scene_from_path(path)
		await _turns.settled()
		if path != _in_front():
			return false
	var before: int = _id_of(path)
	for _attempt: int in _ATTEMPTS:
		var _noted: Variant = ahead.call(path)
		EditorInterface.reload_scene_from_path(path)
		await _turns.settled()
		if before == 0 or _id_of(path) != before:
			return true
	return false


## The id of an open scene's root; 0 where the engine does not tell.
static func _id_of(path: String) -> int:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root != null and root.scene_file_path == path:
		return root.get_instance_id()
	if EditorInterface.has_method(&"get_open_scene_roots"):
		for found: Node in EditorInterface.call(&"get_open_scene_roots"):
			if found.scene_file_path == path:
				return found.get_instance_id()
	return 0


static func _in_front() -> String:
	var root: Node = EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""


## Where the history of the scene in front stands.
static func _version() -> int:
	var root: Node = EditorInterface.get_edited_scene_root()
	return History.of(root).get_version() if root != null else -1


## Selects nothing; what was selected, from the root.
static func _let_go(root: Node) -> Array[NodePath]:
	var selection: EditorSelection = EditorInterface.get_selection()
	var selected: Array[NodePath] = []
	for node: Node in selection.get_selected_nodes():
		if root != null and (node == root or root.is_ancestor_of(node)):
			selected.append(root.get_path_to(node))
	if not selected.is_empty():
		selection.clear()
		EditorInterface.inspect_object(null)
	return selected


static func _select(root: Node, paths: Array[NodePath]) -> void:
	for path: NodePath in paths:
		var node: Node = root.get_node_or_null(path) if root != null else null
		if node != null:
			EditorInterface.get_selection().add_node(node)
