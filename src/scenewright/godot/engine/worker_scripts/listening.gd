extends RefCounted
## Signals that are watched: how often each fired, in which frames, and with what.

const Saying: GDScript = preload("saying.gd")
const MOST_TOLD: int = 20

var frame: int = 0
var _listeners: Array[Listener] = []


## Hears one signal of one place in the tree, whichever node is there.
class Listener:
	extends RefCounted

	const NOTHING: String = "@nothing"
	var watched: String
	var times: int = 0
	var fired: Array = []
	var heard: bool = false
	var _home: RefCounted
	var _root: Node

	func _init(home: RefCounted, name: String) -> void:
		_home = home
		watched = name

	func attach(scene: Node) -> void:
		var path: String = watched.get_basename().trim_prefix("$")
		var name: String = watched.get_extension() if "." in watched else watched
		_root = scene
		var node: Node = scene.get_node_or_null(NodePath(path if path != "" and "." in watched else "."))
		if node == null and scene.is_inside_tree():
			node = scene.get_node_or_null(NodePath("/root/" + path))
		if node == null or not node.has_signal(name) or node.is_connected(name, hear):
			return
		heard = true
		var _connected: Error = node.connect(name, hear) as Error

	func detach() -> void:
		for link: Dictionary in get_incoming_connections():
			(link["signal"] as Signal).disconnect(link["callable"] as Callable)

	func hear(
		a: Variant = NOTHING, b: Variant = NOTHING, c: Variant = NOTHING, d: Variant = NOTHING,
		e: Variant = NOTHING, f: Variant = NOTHING, g: Variant = NOTHING, h: Variant = NOTHING
	) -> void:
		times += 1
		if fired.size() >= MOST_TOLD:
			return
		var row: Dictionary = {"frame": _home.get("frame")}
		var given: Array = [a, b, c, d, e, f, g, h].filter(func(each: Variant) -> bool: return not each is String or each != NOTHING)
		if not given.is_empty():
			row["arguments"] = given.map(func(each: Variant) -> String: return Saying.say(each, _root if is_instance_valid(_root) else null))
		fired.append(row)


func _init(watched: Array) -> void:
	for name: String in watched:
		_listeners.append(Listener.new(self, name))


## Goes with what comes into the tree.
func attach(scene: Node) -> void:
	for listener: Listener in _listeners:
		listener.attach(scene)


## Hears no more.
func stop() -> void:
	for listener: Listener in _listeners:
		listener.detach()
	_listeners.clear()


func told() -> Array:
	return _listeners.map(func(each: Listener) -> Dictionary: return {
		"signal": each.watched, "times": each.times, "fired": each.fired, "heard": each.heard,
	})
