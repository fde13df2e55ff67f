@tool
extends RefCounted
## get_node_properties and get_selected_nodes.

const Params = preload("../rpc/params.gd")
const Properties = preload("../editor/properties.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")

var _scenes: Scenes


func _init(scenes: Scenes) -> void:
	_scenes = scenes


func methods() -> Dictionary:
	return {"get_node_properties": get_node_properties, "get_selected_nodes": get_selected_nodes}


func get_node_properties(params: Params) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var everything: bool = params.flag("include_default", false)
	var categories: PackedStringArray = params.texts("categories")
	var names: PackedStringArray = params.texts("property_filter")
	if params.problem != null:
		return params.problem
	var node: Node = _scenes.find(path)
	if node == null:
		return _scenes.problem
	var result: Dictionary = {"node_path": _scenes.path_of(node), "node_type": node.get_class()}
	if Properties.script_of(node) != "":
		result["script"] = Properties.script_of(node)
	result.merge(Properties.of(node, everything or not names.is_empty(), categories, names))
	return Replies.ok(result)


func get_selected_nodes(params: Params) -> Reply:
	var with_properties: bool = params.flag("include_properties", false)
	if params.problem != null:
		return params.problem
	var nodes: Array = []
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		nodes.append(summary(_scenes, node, with_properties))
	# The last two are the names that Godoty's own client reads.
	return Replies.ok(
		{"selection_count": nodes.size(), "nodes": nodes, "count": nodes.size(), "selected_nodes": nodes}
	)


static func summary(scenes: Scenes, node: Node, with_properties: bool) -> Dictionary:
	var row: Dictionary = {"name": str(node.name), "type": node.get_class(), "path": scenes.path_of(node)}
	if Properties.script_of(node) != "":
		row["script"] = Properties.script_of(node)
	if with_properties:
		row.merge(Properties.of(node, false, PackedStringArray(), PackedStringArray()))
	return row
