@tool
extends RefCounted
## Signals and scripts of nodes.

const Changes = preload("changes.gd")
const Ownership = preload("ownership.gd")
const Params = preload("../rpc/params.gd")
const Properties = preload("../editor/properties.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")

var _scenes: Scenes


func _init(scenes: Scenes) -> void:
	_scenes = scenes


func connect_signal(params: Params, changes: Changes) -> Reply:
	var flags: int = params.integer("flags", 0, 0, 15) | Object.CONNECT_PERSIST
	var wire: Dictionary = _wire(params, "connect_signal")
	if wire.has("problem"):
		return wire["problem"]
	var source: Node = wire["source"]
	var title: String = wire["signal"]
	var callable: Callable = wire["callable"]
	if not _existing(source, title, callable).is_empty():
		return Replies.refused("connect_signal", "the connection exists already", "Disconnect it first")
	changes.apply(source, &"connect", [title, callable, flags], &"disconnect", [title, callable])
	var result: Dictionary = wire["shown"]
	result["flags"] = flags
	result["method_exists"] = callable.get_object().has_method(callable.get_method())
	return Replies.ok(result)


func disconnect_signal(params: Params, changes: Changes) -> Reply:
	var wire: Dictionary = _wire(params, "disconnect_signal")
	if wire.has("problem"):
		return wire["problem"]
	var source: Node = wire["source"]
	var title: String = wire["signal"]
	var callable: Callable = wire["callable"]
	var existing: Dictionary = _existing(source, title, callable)
	if existing.is_empty():
		var there: Array = source.get_signal_connection_list(title).map(_described)
		var reply: Reply = Replies.invalid("method", "a connection that exists")
		reply.data["similar"] = there
		return reply
	changes.apply(
		source,
		&"disconnect",
		[title, existing["callable"]],
		&"connect",
		[title, existing["callable"], existing["flags"]]
	)
	var result: Dictionary = wire["shown"]
	return Replies.ok(result)


func attach_script(params: Params, changes: Changes) -> Reply:
	var path: String = params.required_text("script_path", "the path of a script")
	var node: Node = _node(params, "attach_script")
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	if not Scenes.is_file(path, "Script"):
		return Replies.bad_path(path, "there is no such script", "Write the script first; use its res:// path")
	var script: Script = load(path)
	if script == null:
		return Replies.broken("the script %s cannot be loaded" % path, "Fix its errors first; see get_errors")
	var base: String = str(script.get_instance_base_type())
	if not node.is_class(base):
		var expected: String = "a script that extends a class of %s, and this one extends %s" % [node.get_class(), base]
		return Replies.invalid("script_path", expected)
	_set_script(node, script, changes)
	return Replies.ok({"node_path": _scenes.path_of(node), "script": script.resource_path})


func detach_script(params: Params, changes: Changes) -> Reply:
	var node: Node = _node(params, "detach_script")
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	if node.get_script() != null:
		_set_script(node, null, changes)
	return Replies.ok({"node_path": _scenes.path_of(node), "script": null})


func _node(params: Params, action: String) -> Node:
	var path: String = params.required_text("node_path", "the path of a node")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return null
	_scenes.problem = Ownership.refuse_change(_scenes, _scenes.root(), node, action)
	return node if _scenes.problem == null else null


## A script takes the values of its variables with it; the way back sets them again.
func _set_script(node: Node, script: Script, changes: Changes) -> void:
	var old: Script = node.get_script()
	for variable: String in Properties.kept_variables(node):
		changes.undo_with(node, &"set", [variable, node.get(variable)])
	changes.apply(node, &"set_script", [script], &"set_script", [old])


func _wire(params: Params, action: String) -> Dictionary:
	var title: String = params.required_text("signal", "the name of a signal")
	var place: String = params.required_text("target_path", "the path of a node")
	var method: String = params.required_text("method", "the name of a method")
	var binds: Array = params.list("binds")
	var unbinds: int = params.integer("unbinds", 0, 0, 32)
	var source: Node = _node(params, action)
	var target: Node = _scenes.find(place) if source != null else null
	if target == null:
		return {"problem": params.problem if params.problem != null else _scenes.problem}
	if not source.has_signal(title):
		var reply: Reply = Replies.invalid("signal", "a signal of %s" % source.get_class())
		reply.data["similar"] = _similar_signals(source, title)
		return {"problem": reply}
	var callable: Callable = Callable(target, method)
	if unbinds > 0:
		callable = callable.unbind(unbinds)
	if not binds.is_empty():
		callable = callable.bindv(binds)
	var shown: Dictionary = {
		"node_path": _scenes.path_of(source),
		"signal": title,
		"target_path": _scenes.path_of(target),
		"method": method,
	}
	return {"source": source, "signal": title, "callable": callable, "shown": shown}


## The connection as it stands, whatever it binds.
static func _existing(source: Node, title: String, callable: Callable) -> Dictionary:
	for connection: Dictionary in source.get_signal_connection_list(title):
		var other: Callable = connection["callable"]
		if other.get_object() == callable.get_object() and other.get_method() == callable.get_method():
			return connection
	return {}


static func _described(connection: Dictionary) -> String:
	var callable: Callable = connection["callable"]
	var target: Object = callable.get_object()
	var title: String = str((target as Node).name) if target is Node else str(target)
	return "%s.%s" % [title, callable.get_method()]


static func _similar_signals(source: Node, title: String) -> Array:
	var scored: Array = []
	for known: Dictionary in source.get_signal_list():
		scored.append([str(known["name"]).similarity(title), known["name"]])
	scored.sort_custom(func(a: Array, b: Array) -> bool: return a[0] > b[0])
	return scored.slice(0, 5).map(func(entry: Array) -> String: return str(entry[1]))
