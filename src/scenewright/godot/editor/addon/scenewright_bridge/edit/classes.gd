@tool
extends RefCounted
## Makes nodes by the name of a class, the engine's or a script's.

const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")

## Why `make` came back with nothing.
var problem: Reply = null


func make(kind: String) -> Node:
	problem = null
	if ClassDB.class_exists(kind):
		return _native(kind)
	for entry: Dictionary in ProjectSettings.get_global_class_list():
		if entry["class"] == kind:
			return _scripted(kind, str(entry["path"]))
	problem = Replies.no_class(kind, similar(kind))
	return null


static func similar(kind: String) -> Array:
	var scored: Array = []
	var names: Array = Array(ClassDB.get_class_list())
	names.append_array(ProjectSettings.get_global_class_list().map(func(e: Dictionary) -> String: return str(e["class"])))
	for known: String in names:
		scored.append([known.to_lower().similarity(kind.to_lower()), known])
	scored.sort_custom(func(a: Array, b: Array) -> bool: return a[0] > b[0])
	return scored.slice(0, 5).map(func(entry: Array) -> String: return str(entry[1]))


func _native(kind: String) -> Node:
	if not ClassDB.is_parent_class(kind, "Node") or not ClassDB.can_instantiate(kind):
		problem = Replies.invalid("type", "a class of node that can be made, which %s is not" % kind)
		return null
	return ClassDB.instantiate(kind)


func _scripted(kind: String, path: String) -> Node:
	var script: Script = load(path)
	var base: StringName = script.get_instance_base_type() if script != null else &""
	if base == &"" or not ClassDB.is_parent_class(base, "Node") or not ClassDB.can_instantiate(base):
		problem = Replies.invalid("type", "a class of node that can be made, which %s is not" % kind)
		return null
	var node: Node = ClassDB.instantiate(base)
	node.set_script(script)
	return node
