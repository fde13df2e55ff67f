@tool
extends RefCounted
## Loads open scenes anew from their files, and leaves the person where they were.
##
## With an instance selected Godot 4.6 crashes in a reload, over what its inspector still shows of it.
## So nothing is selected meanwhile.

const Turns = preload("../rpc/turns.gd")

var _turns: Turns


func _init(turns: Turns) -> void:
	_turns = turns


func load_anew(paths: PackedStringArray) -> void:
	if paths.is_empty():
		return
	var root: Node = EditorInterface.get_edited_scene_root()
	var front: String = root.scene_file_path if root != null else ""
	var selected: Array[NodePath] = _let_go(root)
	await _turns.settled()
	for path: String in paths:
		EditorInterface.reload_scene_from_path(path)
	await _turns.settled()
	root = EditorInterface.get_edited_scene_root()
	if front != "" and (root == null or root.scene_file_path != front):
		EditorInterface.open_scene_from_path(front)
		await _turns.settled()
	_select(EditorInterface.get_edited_scene_root(), selected)


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
