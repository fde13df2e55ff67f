@tool
extends RefCounted
## Properties, groups and unique names.

const Changes = preload("changes.gd")
const Coercing = preload("coercing.gd")
const Ownership = preload("ownership.gd")
const Params = preload("../rpc/params.gd")
const Properties = preload("../editor/properties.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")
const Values = preload("../editor/values.gd")

const _ELSEWHERE: Dictionary = {
	"name": "scenewright.rename_node",
	"script": "scenewright.attach_script",
	"owner": "",
	"scene_file_path": "scenewright.instance_scene",
	"unique_name_in_owner": "scenewright.set_unique_name",
}

var _scenes: Scenes


func _init(scenes: Scenes) -> void:
	_scenes = scenes


func set_properties(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var wanted: Dictionary = params.table("properties")
	if params.problem == null and wanted.is_empty():
		return Replies.missing("properties", "an object of property names and values")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var refusal: Reply = Ownership.refuse_change(_scenes, _scenes.root(), node, "set_properties")
	if refusal != null:
		return refusal
	var old: Dictionary = {}
	var before: Dictionary = _stored(node)
	var point: int = changes.mark()
	var coercing: Coercing = Coercing.new(node)
	for property: String in wanted:
		old[property] = node.get_indexed(property)
		var reply: Reply = put(node, property, wanted[property], coercing, changes)
		if reply != null:
			return reply
	_undo_side_effects(node, before, changes, point)
	return Replies.ok({"node_path": _scenes.path_of(node), "properties": _compared(node, old)})


func set_property(params: Params, changes: Changes) -> Reply:
	var property: String = params.required_text("property", "the name of a property")
	if not params.everything().has("value"):
		return Replies.missing("value", "the property's new value")
	if params.problem != null:
		return params.problem
	var values: Dictionary = {property: params.raw("value")}
	var inner: Params = Params.new({"node_path": params.raw("node_path"), "properties": values})
	var reply: Reply = set_properties(inner, changes)
	if reply.is_error():
		return reply
	var table: Dictionary = reply.result["properties"]
	var result: Dictionary = {"node_path": reply.result["node_path"], "property": property}
	var both: Dictionary = table[property]
	result.merge(both)
	return Replies.ok(result)


func reset_properties(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var names: PackedStringArray = params.texts("properties")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var refusal: Reply = Ownership.refuse_change(_scenes, _scenes.root(), node, "reset_properties")
	if refusal != null:
		return refusal
	var old: Dictionary = {}
	for property: String in names:
		if Properties.declaration(node, property).is_empty():
			return unknown(node, property)
		old[property] = node.get(property)
		changes.set_property(node, property, Properties.default_of(node, property), old[property])
	return Replies.ok({"node_path": _scenes.path_of(node), "properties": _compared(node, old)})


func set_groups(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var added: PackedStringArray = params.texts("add")
	var dropped: PackedStringArray = params.texts("remove")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var refusal: Reply = Ownership.refuse_change(_scenes, _scenes.root(), node, "set_groups")
	if refusal != null:
		return refusal
	for group: String in added:
		if not node.is_in_group(group):
			changes.apply(node, &"add_to_group", [group, true], &"remove_from_group", [group])
	for group: String in dropped:
		if node.is_in_group(group):
			changes.apply(node, &"remove_from_group", [group], &"add_to_group", [group, true])
	return Replies.ok({"node_path": _scenes.path_of(node), "groups": groups_of(node)})


func set_unique_name(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var unique: bool = params.flag("unique", true)
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var root: Node = _scenes.root()
	var refusal: Reply = Ownership.refuse_structure(_scenes, root, node, "set_unique_name")
	if refusal != null:
		return refusal
	var holder: Node = root.get_node_or_null("%" + str(node.name))
	if unique and holder != null and holder != node:
		var reason: String = "%s has the unique name already" % _scenes.path_of(holder)
		return Replies.refused("set_unique_name", reason, "Rename one of the two first")
	if node.unique_name_in_owner != unique:
		changes.set_property(node, &"unique_name_in_owner", unique, not unique)
	return Replies.ok({"node_path": _scenes.path_of(node), "unique": node.unique_name_in_owner})


## Sets one property, or says why not. Without `changes` nothing is recorded: for new nodes.
func put(node: Node, property: String, value: Variant, coercing: Coercing, changes: Changes) -> Reply:
	if _ELSEWHERE.has(property):
		var other: String = _ELSEWHERE[property]
		return Replies.invalid("properties." + property, "another property" + (": use " + other if other else ""))
	var base: String = property.get_slice(":", 0)
	var declaration: Dictionary = Properties.declaration(node, base)
	if declaration.is_empty():
		return unknown(node, base)
	var before: Variant = node.get_indexed(property)
	if property.contains(":"):
		if before == null:
			return unknown(node, property)
		declaration = {"type": typeof(before), "hint": PROPERTY_HINT_NONE}
	var coerced: Variant = coercing.to_property(value, declaration, before)
	if coercing.problem != "":
		var reply: Reply = Replies.invalid("properties." + property, coercing.problem.trim_prefix("expected "), value)
		reply.data["property"] = property
		reply.data["type"] = Values.type_of(before, declaration)
		return reply
	if changes == null:
		node.set_indexed(property, coerced)
	else:
		changes.apply(node, &"set_indexed", [NodePath(property), coerced], &"set_indexed", [NodePath(property), before])
	return null


static func unknown(node: Node, property: String) -> Reply:
	var reply: Reply = Replies.invalid("properties." + property, "a property of %s" % node.get_class())
	reply.data["property"] = property
	reply.data["similar"] = Properties.similar(node, property)
	return reply


static func groups_of(node: Node) -> Array:
	return node.get_groups().filter(func(group: StringName) -> bool: return not str(group).begins_with("_")).map(
		func(group: StringName) -> String: return str(group)
	)


static func shown(node: Node, names: Array) -> Dictionary:
	var table: Dictionary = {}
	for property: String in names:
		table[property] = Values.shown(node.get_indexed(property))
	return table


static func _stored(node: Node) -> Dictionary:
	var found: Dictionary = {}
	for declaration: Dictionary in node.get_property_list():
		var usage: int = declaration["usage"]
		if usage & PROPERTY_USAGE_STORAGE != 0:
			found[declaration["name"]] = node.get(str(declaration["name"]))
	return found


## Some properties move others along (anchors, presets, sizes). The way back sets those too.
static func _undo_side_effects(node: Node, before: Dictionary, changes: Changes, point: int) -> void:
	for property: String in before:
		if not Properties.is_same_value(before[property], node.get(property)):
			changes.undo_at(point, node, &"set", [property, before[property]])


static func _compared(node: Node, old: Dictionary) -> Dictionary:
	var table: Dictionary = {}
	for property: String in old:
		table[property] = {"old_value": Values.shown(old[property]), "new_value": Values.shown(node.get_indexed(property))}
	return table
