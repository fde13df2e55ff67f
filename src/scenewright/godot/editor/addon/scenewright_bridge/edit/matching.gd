@tool
extends RefCounted
## Brings the open scene to what a text of it says. A list of edits names the places; nodes and
## values are taken from an instance of the text, so that they arrive exactly.
##
## Edits name nodes by their path in the text; `was` has where those that exist are now, and
## `resources` which property of which node holds a resource that the text only repeats.

const Changes = preload("changes.gd")
const Connections = preload("connections.gd")
const Ownership = preload("ownership.gd")
const Properties = preload("../editor/properties.gd")
const Roots = preload("../editor/roots.gd")

## Why it did not work; "" where it did.
var problem: String = ""

var _root: Node
var _model: Node
var _was: Dictionary
var _changes: Changes
var _known: Dictionary = {}
var _models: Dictionary = {}
var _added: Dictionary = {}
var _detached: Dictionary = {}
var _resources: Dictionary = {}
var _apart: Dictionary = {}


func _init(root: Node, model: Node, was: Dictionary, resources: Dictionary, changes: Changes) -> void:
	_root = root
	_model = model
	_was = was
	_changes = changes
	for id: String in resources:
		var holder: Array = resources[id]
		var node: Node = root.get_node_or_null(str(holder[0]))
		if node != null and node.get(str(holder[1])) is Resource:
			_resources[id] = node.get(str(holder[1]))


func follow(edits: Array) -> void:
	for item: Variant in edits:
		var edit: Dictionary = item if item is Dictionary else {}
		_look_up(edit)
	for item: Variant in edits:
		var edit: Dictionary = item
		if problem == "":
			_make(edit)


## The root of the scene, which may be another than before.
func scene_root() -> Node:
	return _root


## Lets go of what came with the text and was not used.
func finish() -> void:
	for node: Node in _apart:
		node.free()
	if _model != _root:
		_model.free()


## Finds everything while all is where it was.
func _look_up(edit: Dictionary) -> void:
	for key: String in ["path", "parent", "target"]:
		if edit.has(key):
			var path: String = edit[key]
			_models[path] = _model.get_node_or_null(path)
			_known[path] = _root.get_node_or_null(str(_was.get(path, path)))
	for path: String in edit.get("shared", {}):
		_models[path] = _model.get_node_or_null(path)
	for key: String in ["was", "target_was"]:
		if edit.has(key):
			var path: String = edit[key]
			_known["was:" + path] = _root.get_node_or_null(path)


func _make(edit: Dictionary) -> void:
	match str(edit.get("op", "")):
		"disconnect":
			_disconnect(edit)
		"detach":
			_detach(edit)
		"remove":
			_remove(edit)
		"add":
			_add(edit)
		"root":
			_exchange_root(edit)
		"attach":
			_attach(edit)
		"rename":
			_rename(edit)
		"order":
			_order(edit)
		"set":
			_set_values(edit)
		"groups":
			_group(edit)
		"editable":
			_mark_editable(edit)
		"connect":
			_connect(edit)
		_:
			problem = "unknown edit '%s'" % edit.get("op", "")


## A node that was there before the first edit.
func _old(key: String) -> Node:
	var node: Node = _known.get(key)
	if node == null and problem == "":
		problem = "there is no node '%s' in the open scene" % key.trim_prefix("was:")
	return node


## A node by its path in the text, whether it was there or has just come.
func _place(path: String) -> Node:
	for top: String in _added:
		if top == "." or path == top or path.begins_with(top + "/"):
			var made: Node = _added[top]
			var inside: String = path if top == "." else path.substr(top.length() + 1)
			var found: Node = made if path == top else made.get_node_or_null(inside)
			if found != null:
				return found
	return _old(path)


func _of_text(path: String) -> Node:
	var node: Node = _models.get(path)
	if node == null and problem == "":
		problem = "there is no node '%s' in the text" % path
	return node


func _remove(edit: Dictionary) -> void:
	var node: Node = _old("was:" + str(edit["was"]))
	if node != null:
		_take_out(node)
		_changes.removed(node)


func _detach(edit: Dictionary) -> void:
	var path: String = edit["path"]
	var node: Node = _old(path)
	if node != null:
		_detached[path] = Ownership.owned(_root, node)
		_take_out(node)


func _take_out(node: Node) -> void:
	var parent: Node = node.get_parent()
	for member: Node in Ownership.owned(_root, node):
		_changes.undo_with(member, &"set_owner", [_root])
	_changes.undo_with(parent, &"move_child", [node, node.get_index()])
	_changes.apply(parent, &"remove_child", [node], &"add_child", [node, true])


func _attach(edit: Dictionary) -> void:
	var path: String = edit["path"]
	var node: Node = _old(path)
	var parent: Node = _place(str(edit["parent"]))
	if node == null or parent == null:
		return
	_changes.apply(node, &"set_name", [path.get_file()], &"set_name", [node.name])
	var owned: Array[Node] = _detached[path]
	_put_in(node, parent, owned)


func _add(edit: Dictionary) -> void:
	var path: String = edit["path"]
	var node: Node = _of_text(path)
	var parent: Node = _place(str(edit["parent"]))
	if node == null or parent == null:
		return
	_set_apart(edit)
	var owned: Array[Node] = Ownership.owned(_model, node)
	for member: Node in owned:
		member.owner = null
	node.get_parent().remove_child(node)
	var shared: Dictionary = edit.get("shared", {})
	_share(shared)
	_added[path] = node
	_changes.made(node)
	_put_in(node, parent, owned)


## Takes out of the text's instance what stands for nodes that are there already.
func _set_apart(edit: Dictionary) -> void:
	for inside: String in edit.get("without", []):
		var moved: Node = _model.get_node_or_null(inside)
		if moved != null:
			moved.get_parent().remove_child(moved)
			_apart[moved] = inside


## The text's own root takes the place of the scene's; all that stays has been taken out of that before.
func _exchange_root(edit: Dictionary) -> void:
	if not Roots.can_exchange():
		problem = "this editor does not let a plugin change the class of a scene's root; change it there by hand"
		return
	_set_apart(edit)
	var shared: Dictionary = edit.get("shared", {})
	_share(shared)
	var old: Node = _root
	_model.scene_file_path = old.scene_file_path
	_changes.made(_model)
	_changes.removed(old)
	Roots.exchange(old, _model, _changes)
	_root = _model
	_added["."] = _root


## New nodes hold the very resources that others of the scene hold, where the text says so.
func _share(shared: Dictionary) -> void:
	for path: String in shared:
		var node: Node = _of_text(path)
		for property: String in shared[path]:
			if node != null:
				node.set(property, _localized(node.get(property)))


func _put_in(node: Node, parent: Node, owned: Array[Node]) -> void:
	_changes.apply(parent, &"add_child", [node, true], &"remove_child", [node])
	for member: Node in owned:
		_changes.redo_with(member, &"set_owner", [_root])


func _rename(edit: Dictionary) -> void:
	var path: String = edit["path"]
	var node: Node = _old(path)
	if node == null:
		return
	var wanted: String = path.get_file() if path != "." else str(_model.name)
	var holder: Node = node.get_parent().get_node_or_null(wanted) if node != _root else null
	if holder != null and holder != node:
		# Two that swap their names: the other gets its own later.
		_changes.apply(holder, &"set_name", ["Renamed%d" % holder.get_instance_id()], &"set_name", [holder.name])
	_changes.apply(node, &"set_name", [wanted], &"set_name", [node.name])


func _order(edit: Dictionary) -> void:
	var parent: Node = _root.get_node_or_null(str(edit["path"]))
	if parent == null:
		problem = "there is no node '%s' in the open scene" % edit["path"]
		return
	var wanted: Array[Node] = []
	var places: Array[int] = []
	for title: String in edit["children"]:
		var child: Node = parent.get_node_or_null(title)
		if child != null:
			wanted.append(child)
			places.append(child.get_index())
	places.sort()
	for index: int in wanted.size():
		var now: int = wanted[index].get_index()
		if now != places[index]:
			_changes.apply(parent, &"move_child", [wanted[index], places[index]], &"move_child", [wanted[index], now])


func _set_values(edit: Dictionary) -> void:
	var path: String = edit["path"]
	var node: Node = _root.get_node_or_null(path)
	var source: Node = _of_text(path)
	if node == null or source == null:
		problem = "there is no node '%s' in the open scene" % path if problem == "" else problem
		return
	for property: String in edit["names"]:
		if property == "script":
			_exchange_script(node, source)
		else:
			_set_one(node, source, property)


## One value; `shape:size` is that of the resource a property holds.
func _set_one(node: Node, source: Node, property: String) -> void:
	var target: Object = node
	var origin: Object = source
	var parts: PackedStringArray = property.split(":")
	for index: int in parts.size() - 1:
		var inner: Variant = target.get(parts[index])
		var outer: Variant = origin.get(parts[index])
		if not (inner is Object and outer is Object):
			break
		target = inner
		origin = outer
	var last: String = parts[parts.size() - 1]
	if parts.size() > 1 and (target == node or not last in target):
		last = parts[0]
		target = node
		origin = source
	var before: Variant = target.get(last)
	_changes.set_property(target, last, _localized(origin.get(last)), null if _is_of_text(before) else before)


## What a script's variables hold goes with the script: it must come back with it, and what the text
## keeps must be given to the new one, such as the same script at another place.
func _exchange_script(node: Node, source: Node) -> void:
	for property: String in Properties.kept_variables(node):
		_changes.undo_with(node, &"set", [property, node.get(property)])
	_set_one(node, source, "script")
	for property: String in Properties.kept_variables(node):
		if property in source:
			_set_one(node, source, property)


## Nodes and resources of the text's instance stand for those of the open scene.
func _localized(value: Variant) -> Variant:
	if value is Resource:
		var resource: Resource = value
		var is_inner: bool = resource.resource_path == "" or resource.resource_path.contains("::")
		return _resources.get(resource.get(&"resource_scene_unique_id"), value) if is_inner else value
	if value is Node:
		var node: Node = value
		return _root if node == _model else _counterpart(node)
	if value is Array:
		var items: Array = value
		if items.any(func(item: Variant) -> bool: return item is Node):
			var made: Array = items.duplicate()
			for index: int in made.size():
				made[index] = _localized(made[index])
			return made
	return value


func _counterpart(node: Node) -> Node:
	if _root.is_ancestor_of(node):
		return node
	for top: Node in _apart:
		if node == top or top.is_ancestor_of(node):
			return _root.get_node_or_null(str(_apart[top]).path_join(str(top.get_path_to(node))))
	return _root.get_node_or_null(_model.get_path_to(node)) if _model.is_ancestor_of(node) else null


## Whether a value is a node of the text, which is gone when the edits are made. One that was taken out
## of the scene is not: it comes back with an undo, and so must what holds it.
func _is_of_text(value: Variant) -> bool:
	if not value is Node:
		return false
	var node: Node = value
	var tops: Array = [_model] + _apart.keys() if _model != _root else _apart.keys()
	return tops.any(func(top: Node) -> bool: return node == top or top.is_ancestor_of(node))


func _group(edit: Dictionary) -> void:
	var node: Node = _root.get_node_or_null(str(edit["path"]))
	if node == null:
		problem = "there is no node '%s' in the open scene" % edit["path"]
		return
	for group: String in edit.get("add", []):
		_changes.apply(node, &"add_to_group", [group, true], &"remove_from_group", [group])
	for group: String in edit.get("remove", []):
		_changes.apply(node, &"remove_from_group", [group], &"add_to_group", [group, true])


func _mark_editable(edit: Dictionary) -> void:
	var node: Node = _root.get_node_or_null(str(edit["path"]))
	var on: bool = edit["on"]
	if node != null:
		_changes.apply(_root, &"set_editable_instance", [node, on], &"set_editable_instance", [node, not on])


func _connect(edit: Dictionary) -> void:
	var sender: Node = _root.get_node_or_null(str(edit["path"]))
	var receiver: Node = _root.get_node_or_null(str(edit["target"]))
	var title: StringName = str(edit["signal"])
	var method: StringName = str(edit["method"])
	if sender == null or receiver == null or not sender.has_signal(title):
		problem = "the signal '%s' of '%s' cannot be connected" % [title, edit["path"]]
		return
	var model: Node = _models.get(edit["path"])
	var target: Node = _models.get(edit["target"])
	var entry: Dictionary = Connections.find(model, title, target, method)
	if entry.is_empty():
		# The sender came with the text and has been connected there already.
		entry = Connections.find(sender, title, target, method)
	var callable: Callable = Connections.alike(Callable(receiver, method), entry)
	var flags: int = entry.get("flags", CONNECT_PERSIST)
	if not sender.is_connected(title, callable):
		_changes.apply(sender, &"connect", [title, callable, flags], &"disconnect", [title, callable])


func _disconnect(edit: Dictionary) -> void:
	var sender: Node = _old("was:" + str(edit["was"]))
	var receiver: Node = _old("was:" + str(edit["target_was"]))
	if sender == null or receiver == null:
		return
	var title: StringName = str(edit["signal"])
	var entry: Dictionary = Connections.find(sender, title, receiver, str(edit["method"]))
	if not entry.is_empty():
		var callable: Callable = entry["callable"]
		_changes.apply(sender, &"disconnect", [title, callable], &"connect", [title, callable, entry["flags"]])
