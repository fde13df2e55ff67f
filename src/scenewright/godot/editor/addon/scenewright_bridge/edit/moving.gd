@tool
extends RefCounted
## Nodes stay and change their place: rename, move, reorder.

const Changes = preload("changes.gd")
const Ownership = preload("ownership.gd")
const Params = preload("../rpc/params.gd")
const References = preload("references.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")

## What a node's place in space is stored in; set one by one, so that the way back is exact.
const _PLACE_2D: Array[StringName] = [&"position", &"rotation", &"scale", &"skew"]
const _PLACE_CONTROL: Array[StringName] = [&"offset_left", &"offset_top", &"offset_right", &"offset_bottom"]

var _scenes: Scenes


func _init(scenes: Scenes) -> void:
	_scenes = scenes


func rename_node(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var title: String = params.required_text("name", "the new name")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var root: Node = _scenes.root()
	var refusal: Reply = Ownership.refuse_structure(_scenes, root, node, "rename_node")
	if refusal == null:
		refusal = Ownership.refuse_name(title)
	if refusal != null:
		return refusal
	var old_path: String = _scenes.path_of(node)
	var sibling: Node = node.get_parent().get_node_or_null(title) if node != root else null
	if sibling != null and sibling != node:
		var reason: String = "%s has that name already" % _scenes.path_of(sibling)
		return Replies.refused("rename_node", reason, "Use another name")
	var mended: int = 0
	if str(node.name) != title:
		var references: References = References.new(root)
		changes.apply(node, &"set_name", [title], &"set_name", [str(node.name)])
		mended = references.mend(changes)
	return Replies.ok({"node_path": _scenes.path_of(node), "old_path": old_path, "updated_references": mended})


func move_node(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var place: String = params.required_text(params.alias(["new_parent_path", "parent_path"]), "the path of a node")
	var index: int = params.integer("index", -1, -1, 1_000_000)
	var keeps: bool = params.flag("keep_global_transform", true)
	var node: Node = _scenes.find(path) if params.problem == null else null
	var parent: Node = _scenes.find(place) if node != null else null
	if parent == null:
		return params.problem if params.problem != null else _scenes.problem
	var root: Node = _scenes.root()
	var refusal: Reply = Ownership.refuse_structure(_scenes, root, node, "move_node")
	if refusal == null:
		refusal = Ownership.refuse_change(_scenes, root, parent, "move_node")
	if refusal == null and (parent == node or node.is_ancestor_of(parent)):
		refusal = Replies.refused("move_node", "a node cannot be put under itself", "Name a node outside of it")
	if refusal != null:
		return refusal
	var old_path: String = _scenes.path_of(node)
	var mended: int = 0
	if parent != node.get_parent():
		var references: References = References.new(root)
		_reparent(node, parent, keeps, changes)
		mended = references.mend(changes)
	if index >= 0:
		_reorder(node, index, changes)
	return Replies.ok({"node_path": _scenes.path_of(node), "old_path": old_path, "updated_references": mended})


func reorder_node(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	if params.problem == null and not params.has("index"):
		return Replies.missing("index", "the node's place among its siblings")
	var index: int = params.integer("index", 0, 0, 1_000_000)
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var refusal: Reply = Ownership.refuse_structure(_scenes, _scenes.root(), node, "reorder_node")
	if refusal != null:
		return refusal
	_reorder(node, index, changes)
	return Replies.ok({"node_path": _scenes.path_of(node), "index": node.get_index()})


func _reorder(node: Node, index: int, changes: Changes) -> void:
	var parent: Node = node.get_parent()
	var wanted: int = mini(index, parent.get_child_count() - 1)
	if wanted != node.get_index():
		changes.apply(parent, &"move_child", [node, wanted], &"move_child", [node, node.get_index()])


func _reparent(node: Node, parent: Node, keeps: bool, changes: Changes) -> void:
	var root: Node = _scenes.root()
	var old_parent: Node = node.get_parent()
	var owned: Array[Node] = Ownership.owned(root, node)
	var place: Variant = _global_place(node) if keeps else null
	for member: Node in owned:
		changes.undo_with(member, &"set_owner", [root])
	changes.undo_with(old_parent, &"move_child", [node, node.get_index()])
	changes.apply(old_parent, &"remove_child", [node], &"add_child", [node])
	var title: String = Ownership.free_name(parent, str(node.name))
	if title != str(node.name):
		changes.apply(node, &"set_name", [title], &"set_name", [str(node.name)])
	changes.apply(parent, &"add_child", [node], &"remove_child", [node])
	for member: Node in owned:
		changes.redo_with(member, &"set_owner", [root])
	if place != null:
		_put_back_in_place(node, place, changes)


static func _global_place(node: Node) -> Variant:
	if node is Node3D or node is Node2D:
		return node.get(&"global_transform")
	if node is Control:
		return node.get(&"global_position")
	return null


static func _put_back_in_place(node: Node, place: Variant, changes: Changes) -> void:
	var names: Array[StringName] = [&"transform"]
	if node is Node2D:
		names = _PLACE_2D
	elif node is Control:
		names = _PLACE_CONTROL
	if _global_place(node) == place:
		return
	var old: Array = names.map(func(property: StringName) -> Variant: return node.get(property))
	node.set(&"global_position" if node is Control else &"global_transform", place)
	for index: int in names.size():
		changes.set_property(node, names[index], node.get(names[index]), old[index])
