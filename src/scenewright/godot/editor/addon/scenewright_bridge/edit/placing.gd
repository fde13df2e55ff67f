@tool
extends RefCounted
## Nodes come and go: add, instance, remove, duplicate.

const Changes = preload("changes.gd")
const Classes = preload("classes.gd")
const Coercing = preload("coercing.gd")
const Ownership = preload("ownership.gd")
const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")
const Setting = preload("setting.gd")

var _scenes: Scenes
var _setting: Setting
var _classes: Classes = Classes.new()


func _init(scenes: Scenes, setting: Setting) -> void:
	_scenes = scenes
	_setting = setting


func add_node(params: Params, changes: Changes) -> Reply:
	var kind: String = params.required_text(params.alias(["type", "node_type"]), "a class of node")
	var parent: Node = _parent(params, "add_node")
	if parent == null:
		return params.problem if params.problem != null else _scenes.problem
	var node: Node = _classes.make(kind)
	if node == null:
		return _classes.problem
	return _place(params, node, parent, kind, changes)


func instance_scene(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("scene_path", "the path of a scene")
	var parent: Node = _parent(params, "instance_scene")
	if parent == null:
		return params.problem if params.problem != null else _scenes.problem
	if not Scenes.is_file(path, "PackedScene"):
		return Replies.bad_path(path, "there is no such scene", "Use the res:// path of a scene file")
	var full: String = ResourceUID.get_id_path(ResourceUID.text_to_id(path)) if path.begins_with("uid://") else path
	if _contains(full, _scenes.scene_path(), {}):
		return Replies.refused("instance_scene", "%s would contain itself" % _scenes.scene_path(), "Use another scene")
	var packed: PackedScene = load(full)
	var node: Node = packed.instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE) if packed != null else null
	if node == null:
		return Replies.broken("the scene %s cannot be instanced" % full, "See the editor's Output panel")
	return _place(params, node, parent, str(node.name), changes)


func remove_node(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var root: Node = _scenes.root()
	var refusal: Reply = Ownership.refuse_structure(_scenes, root, node, "remove_node")
	if refusal != null:
		return refusal
	var full: String = _scenes.path_of(node)
	var parent: Node = node.get_parent()
	var owned: Array[Node] = Ownership.owned(root, node)
	for member: Node in owned:
		changes.undo_with(member, &"set_owner", [root])
	changes.undo_with(parent, &"move_child", [node, node.get_index()])
	changes.removed(node)
	changes.apply(parent, &"remove_child", [node], &"add_child", [node, true])
	return Replies.ok({"node_path": full, "removed": owned.size()})


func duplicate_node(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var title: String = params.text("name", "")
	var place: String = params.text("parent_path", "")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var root: Node = _scenes.root()
	var parent: Node = _scenes.find(place) if place != "" else node.get_parent()
	if parent == null:
		return _scenes.problem
	var refusal: Reply = Ownership.refuse_structure(_scenes, root, node, "duplicate_node")
	if refusal == null:
		refusal = Ownership.refuse_change(_scenes, root, parent, "duplicate_node")
	if refusal == null and title != "":
		refusal = Ownership.refuse_name(title)
	if refusal != null:
		return refusal
	var copy: Node = node.duplicate()
	var below: Array[Node] = []
	for member: Node in Ownership.owned(root, node):
		var twin: Node = copy.get_node_or_null(node.get_path_to(member))
		if twin != null:
			twin.unique_name_in_owner = false
			below.append(twin)
	copy.name = Ownership.free_name(parent, title if title != "" else str(node.name))
	_insert(copy, parent, node.get_index() + 1 if parent == node.get_parent() else -1, below, changes)
	return Replies.ok({"node_path": _scenes.path_of(copy), "node_type": copy.get_class()})


func _parent(params: Params, action: String) -> Node:
	var path: String = params.text("parent_path", ".")
	if params.problem != null:
		return null
	var parent: Node = _scenes.find(path)
	if parent == null:
		return null
	_scenes.problem = Ownership.refuse_change(_scenes, _scenes.root(), parent, action)
	return parent if _scenes.problem == null else null


func _place(params: Params, node: Node, parent: Node, kind: String, changes: Changes) -> Reply:
	var title: String = params.text("name", "")
	var index: int = params.integer("index", -1, -1, 1_000_000)
	var properties: Dictionary = params.table("properties")
	var refusal: Reply = params.problem
	if refusal == null and title != "":
		refusal = Ownership.refuse_name(title)
	if refusal == null:
		refusal = _furnish(params, node, parent, properties)
	if refusal != null:
		node.free()
		return refusal
	node.name = Ownership.free_name(parent, title if title != "" else kind.validate_node_name())
	_insert(node, parent, index, [node], changes)
	# What points at other nodes can only be set once the node is among them.
	var reply: Reply = _set_all(node, properties, true)
	if reply != null:
		return reply
	if params.flag("unique_name", false):
		reply = _setting.set_unique_name(Params.new({"node_path": _scenes.path_of(node), "unique": true}), changes)
		if reply.is_error():
			return reply
	return Replies.ok(
		{
			"node_path": _scenes.path_of(node),
			"node_type": node.get_class(),
			"properties": Setting.shown(node, properties.keys()),
		}
	)


func _furnish(params: Params, node: Node, _parent_node: Node, properties: Dictionary) -> Reply:
	var script_path: String = params.text(params.alias(["script", "script_path"]), "")
	for group: String in params.texts("groups"):
		node.add_to_group(group, true)
	if params.problem != null:
		return params.problem
	if script_path != "":
		var script: Script = load(script_path) if Scenes.is_file(script_path, "Script") else null
		if script == null:
			return Replies.bad_path(script_path, "there is no such script", "Use the res:// path of a script")
		if not node.is_class(str(script.get_instance_base_type())):
			return Replies.invalid("script", "a script that extends a class of %s" % node.get_class())
		node.set_script(script)
	return _set_all(node, properties, false)


func _set_all(node: Node, properties: Dictionary, in_tree: bool) -> Reply:
	var coercing: Coercing = Coercing.new(node)
	for property: String in properties:
		var declaration: Dictionary = Setting.Properties.declaration(node, property)
		var points: bool = declaration.get("hint", PROPERTY_HINT_NONE) == PROPERTY_HINT_NODE_TYPE
		if points == in_tree:
			var reply: Reply = _setting.put(node, property, properties[property], coercing, null)
			if reply != null:
				return reply
	return null


func _insert(node: Node, parent: Node, index: int, owned: Array[Node], changes: Changes) -> void:
	var root: Node = _scenes.root()
	changes.made(node)
	changes.apply(parent, &"add_child", [node, true], &"remove_child", [node])
	if index >= 0:
		changes.redo_with(parent, &"move_child", [node, mini(index, parent.get_child_count() - 1)])
	for member: Node in owned:
		changes.redo_with(member, &"set_owner", [root])


## Whether a scene is that scene or contains it, however deep.
static func _contains(path: String, wanted: String, seen: Dictionary) -> bool:
	if wanted == "" or seen.has(path):
		return false
	if path == wanted:
		return true
	seen[path] = true
	for dependency: String in ResourceLoader.get_dependencies(path):
		var file: String = dependency.get_slice("::", 2) if dependency.contains("::") else dependency
		if file.get_extension() in ["tscn", "scn"] and _contains(file, wanted, seen):
			return true
	return false
