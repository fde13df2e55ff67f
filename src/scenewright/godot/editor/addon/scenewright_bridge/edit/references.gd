@tool
extends RefCounted
## What points at nodes by path, in properties and animations: noted before nodes are renamed or
## moved, and put right after, as the editor's own scene dock does.

const Changes = preload("changes.gd")

var _root: Node
var _properties: Array[Array] = []
var _tracks: Array[Array] = []
var _known: Dictionary = {}


func _init(root: Node) -> void:
	_root = root
	var queue: Array[Node] = [root]
	while not queue.is_empty():
		var node: Node = queue.pop_back()
		queue.append_array(node.get_children())
		_note_properties(node)
		if node is AnimationMixer:
			var mixer: AnimationMixer = node
			_note_tracks(mixer)


## Writes the paths anew that no longer lead where they did. Returns how many.
func mend(changes: Changes) -> int:
	var mended: int = 0
	for entry: Array in _properties:
		var node: Node = entry[0]
		var property: StringName = entry[1]
		var target: Node = entry[2]
		var old: NodePath = entry[3]
		var new: NodePath = _path(node, target, old)
		if new != old:
			changes.set_property(node, property, new, old)
			mended += 1
	for entry: Array in _tracks:
		var animation: Animation = entry[0]
		var track: int = entry[1]
		var base: Node = entry[2]
		var target: Node = entry[3]
		var old: NodePath = entry[4]
		var new: NodePath = _path(base, target, old)
		if new != old:
			changes.apply(animation, &"track_set_path", [track, new], &"track_set_path", [track, old])
			mended += 1
	return mended


func _note_properties(node: Node) -> void:
	if not (node.owner == _root or node == _root):
		return
	for property: String in _path_properties(node):
		var value: NodePath = node.get(property)
		if value.is_empty() or value.is_absolute() or value.get_name_count() == 0:
			continue
		var target: Node = node.get_node_or_null(NodePath(value.get_concatenated_names()))
		if target != null:
			_properties.append([node, property, target, value])


## Per class and script, since asking each node is slow in a big scene.
func _path_properties(node: Node) -> PackedStringArray:
	var script: Script = node.get_script()
	var key: Array = [node.get_class(), script]
	if not _known.has(key):
		var names: PackedStringArray = PackedStringArray()
		for declaration: Dictionary in node.get_property_list():
			var usage: int = declaration["usage"]
			if declaration["type"] == TYPE_NODE_PATH and usage & PROPERTY_USAGE_STORAGE != 0:
				var _added: bool = names.append(str(declaration["name"]))
		_known[key] = names
	return _known[key]


func _note_tracks(mixer: AnimationMixer) -> void:
	var base: Node = mixer.get_node_or_null(mixer.root_node)
	if base == null:
		return
	for title: StringName in mixer.get_animation_list():
		var animation: Animation = mixer.get_animation(title)
		for track: int in animation.get_track_count():
			var path: NodePath = animation.track_get_path(track)
			var names: String = path.get_concatenated_names()
			var target: Node = base.get_node_or_null(NodePath(names)) if names != "" else null
			if target != null:
				_tracks.append([animation, track, base, target, path])


static func _path(from: Node, target: Node, old: NodePath) -> NodePath:
	if from.get_node_or_null(NodePath(old.get_concatenated_names())) == target:
		return old
	var names: String = str(from.get_path_to(target))
	var rest: String = old.get_concatenated_subnames()
	return NodePath(names if rest == "" else "%s:%s" % [names, rest])
