extends RefCounted
## What a running scene holds: nodes with their places, properties, connections, animation keys.

const Saying: GDScript = preload("saying.gd")

var _root: Node
var _from: Node
var _all: Array[Node] = []


## Nodes are named from the root, and only those below `from` are told, if it is given.
func _init(root: Node, from: Node = null) -> void:
	_root = root
	_from = from if from != null else root
	_collect(_from)


func total() -> int:
	return _all.size()


## The first nodes, of so many levels where that is asked for.
func nodes(most: int, depth: int = -1) -> Array:
	var rows: Array = []
	for node: Node in _all:
		if rows.size() < most and (depth < 0 or _level(node) <= depth):
			rows.append(_row(node))
	return rows


## The wanted properties of nodes, as the engine writes them; what is not there says so.
func properties(wanted: Dictionary) -> Dictionary:
	var found: Dictionary = {}
	for path: String in wanted:
		var node: Node = _root.get_node_or_null(NodePath(path))
		if node == null:
			found[path] = null
			continue
		var values: Dictionary = {}
		for name: String in wanted[path]:
			values[name] = Saying.say(node.get_indexed(NodePath(name)), _root) if _has(node, name) else null
		found[path] = values
	return found


func connections() -> Array:
	var rows: Array = []
	for node: Node in _all:
		for signal_info: Dictionary in node.get_signal_list():
			for link: Dictionary in node.get_signal_connection_list(signal_info["name"] as StringName):
				var target: Object = (link["callable"] as Callable).get_object()
				var own: bool = (link["callable"] as Callable).get_method().contains("::")  # the engine's, within
				if target is Node and not own and _all.has(target as Node) and rows.size() < 300:
					rows.append({
						"from": _path(node), "signal": signal_info["name"], "to": _path(target as Node),
						"method": (link["callable"] as Callable).get_method(),
					})
	return rows


func animations(most: int) -> Array:
	var rows: Array = []
	var keys: int = 0
	for node: Node in _all:
		var player: AnimationPlayer = node as AnimationPlayer
		if player == null:
			continue
		for name: StringName in player.get_animation_list():
			var animation: Animation = player.get_animation(name)
			var tracks: Array = []
			for track: int in animation.get_track_count():
				var times: Array = []
				for key: int in animation.track_get_key_count(track):
					if keys < most:
						keys += 1
						times.append([animation.track_get_key_time(track, key), var_to_str(animation.track_get_key_value(track, key))])
				tracks.append({"path": str(animation.track_get_path(track)), "keys": times})
			rows.append({"player": _path(node), "name": name, "length": animation.length, "tracks": tracks})
	return rows


func _collect(node: Node) -> void:
	_all.append(node)
	for child: Node in node.get_children():
		_collect(child)


func _level(node: Node) -> int:
	return 0 if node == _from else _from.get_path_to(node).get_name_count()


func _row(node: Node) -> Dictionary:
	var row: Dictionary = {"path": _path(node), "type": node.get_class()}
	var script: Script = node.get_script()
	if script != null:
		row["script"] = script.resource_path
	var groups: Array = node.get_groups().filter(func(name: StringName) -> bool: return not str(name).begins_with("_"))
	if not groups.is_empty():
		row["groups"] = groups
	if node is Control:
		var rect: Rect2 = (node as Control).get_global_rect()
		row["rect"] = [rect.position.x, rect.position.y, rect.size.x, rect.size.y]
	elif node is Node2D:
		row["at"] = [(node as Node2D).global_position.x, (node as Node2D).global_position.y]
	elif node is Node3D:
		var at: Vector3 = (node as Node3D).global_position
		row["at"] = [at.x, at.y, at.z]
	if node is CanvasItem and not (node as CanvasItem).is_visible_in_tree():
		row["hidden"] = true
	elif node is Node3D and not (node as Node3D).is_visible_in_tree():
		row["hidden"] = true
	return row


func _path(node: Node) -> String:
	return str(_root.get_path_to(node))


func _has(node: Node, name: String) -> bool:
	var first: String = name.get_slice(":", 0)
	for property: Dictionary in node.get_property_list():
		if property["name"] == first:
			return true
	return false
