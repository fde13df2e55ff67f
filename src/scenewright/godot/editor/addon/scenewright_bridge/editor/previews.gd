@tool
extends RefCounted
## Animations that are shown inside the editor. They change values of the scene in memory, so those are
## kept and put back: when the preview is stopped, and before the scene is edited, undone or written.

const Properties = preload("properties.gd")

## Stands for the path where a player is played by another one's animation.
const _PLAYED: String = "."

## Id of a player to what it may change: each {object, path, value}, by both.
static var _kept: Dictionary = {}


## Keeps what the player's animations may change, once.
static func begin(player: AnimationPlayer) -> void:
	if _kept.has(player.get_instance_id()):
		return
	var values: Dictionary = {}
	_kept[player.get_instance_id()] = values
	for name: StringName in player.get_animation_list():
		var animation: Animation = player.get_animation(name)
		for track: int in animation.get_track_count():
			_keep_track(player, animation, track, values)


## Stops the player, and those that its animations play, and puts back what they changed.
static func end(player: AnimationPlayer) -> void:
	player.stop(true)
	var values: Dictionary = _kept.get(player.get_instance_id(), {})
	_put_back(player.get_instance_id())
	for entry: Dictionary in values.values():
		var object: int = entry["object"]
		if entry["path"] == _PLAYED and is_instance_id_valid(object):
			end(instance_from_id(object) as AnimationPlayer)


static func end_all() -> void:
	for id: int in _kept.keys():
		if is_instance_id_valid(id):
			end(instance_from_id(id) as AnimationPlayer)
		else:
			_put_back(id)


## Ends those whose scene is no longer the one in front.
static func end_hidden() -> void:
	for id: int in _kept.keys():
		var player: AnimationPlayer = instance_from_id(id) as AnimationPlayer if is_instance_id_valid(id) else null
		if player == null or not player.is_inside_tree():
			end_all()
			return


static func _keep_track(player: AnimationPlayer, animation: Animation, track: int, values: Dictionary) -> void:
	var start: Node = player.get_node_or_null(player.root_node)
	var path: NodePath = animation.track_get_path(track)
	var node: Node = start.get_node_or_null(path) if start != null else null
	var kind: Animation.TrackType = animation.track_get_type(track)
	# The editor calls no methods of an animation.
	if node == null or kind == Animation.TYPE_METHOD:
		return
	if kind == Animation.TYPE_ANIMATION and node is AnimationPlayer:
		values["%d:%s" % [node.get_instance_id(), _PLAYED]] = {"object": node.get_instance_id(), "path": _PLAYED}
		begin(node as AnimationPlayer)
		return
	var plain: bool = kind == Animation.TYPE_VALUE or kind == Animation.TYPE_BEZIER
	var property: String = str(path.get_subname(0)) if plain and path.get_subname_count() > 0 else ""
	if property != "" and node.get(property) is Object:
		_keep(node, str(path.get_concatenated_subnames()), values)
	if property != "" and _is_stored(Properties.declaration(node, property)):
		_keep(node, property, values)
		return
	# Made of others, as a 3D node's rotation is of its transform: any of them may change.
	for declared: Dictionary in node.get_property_list():
		if _is_stored(declared):
			_keep(node, str(declared["name"]), values)


static func _keep(node: Node, path: String, values: Dictionary) -> void:
	var key: String = "%d:%s" % [node.get_instance_id(), path]
	for others: Dictionary in _kept.values():
		if others.has(key):
			values[key] = others[key]
			return
	values[key] = {"object": node.get_instance_id(), "path": path, "value": _copy(node.get_indexed(path))}


static func _put_back(id: int) -> void:
	var values: Dictionary = _kept.get(id, {})
	var _known: bool = _kept.erase(id)
	for entry: Dictionary in values.values():
		var object: int = entry["object"]
		var path: String = entry["path"]
		var node: Node = instance_from_id(object) as Node if is_instance_id_valid(object) else null
		if node != null and path != _PLAYED and not Properties.is_same_value(node.get_indexed(path), entry["value"]):
			node.set_indexed(path, entry["value"])


static func _copy(value: Variant) -> Variant:
	if value is Array:
		var list: Array = value
		return list.duplicate()
	if value is Dictionary:
		var table: Dictionary = value
		return table.duplicate()
	return value


static func _is_stored(declared: Dictionary) -> bool:
	var usage: int = declared.get("usage", 0)
	return usage & PROPERTY_USAGE_STORAGE != 0 and declared.get("name", "") != "script"
