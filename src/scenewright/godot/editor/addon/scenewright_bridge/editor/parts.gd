@tool
extends RefCounted
## The files that a scene is made of: scenes inside it, scripts and resources, and what these are made of.

const Scripts = preload("scripts.gd")

const _MOST: int = 1000
const _SCENES: PackedStringArray = ["tscn", "scn"]
const _OTHERS: PackedStringArray = ["tres", "res", "gd", "gdshader", "gdshaderinc"]


static func of(scene: String) -> PackedStringArray:
	var found: Dictionary = {}
	var waiting: Array[String] = [scene]
	while not waiting.is_empty() and found.size() < _MOST:
		var path: String = waiting.pop_back()
		for line: String in ResourceLoader.get_dependencies(path) if FileAccess.file_exists(path) else PackedStringArray():
			var part: String = _path_in(line)
			var kind: String = part.get_extension().to_lower()
			if part != scene and not found.has(part) and (kind in _SCENES or kind in _OTHERS):
				found[part] = true
				waiting.append(part)
	return PackedStringArray(found.keys())


static func is_scene(path: String) -> bool:
	return path.get_extension().to_lower() in _SCENES


## Whether a scene is as its file makes it, but for resources.
static func is_same(root: Node, path: String) -> bool:
	var stored: PackedScene = ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
	var made: Node = stored.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) if stored != null else null
	if made == null:
		return true
	# A file may say what the engine leaves out, such as values that equal the default: both are said by the engine.
	var theirs: PackedScene = PackedScene.new()
	var ours: PackedScene = PackedScene.new()
	var unknown: bool = theirs.pack(made) != OK or ours.pack(root) != OK
	made.free()
	return unknown or _told(theirs.get_state()) == _told(ours.get_state())


## What a scene says of its nodes, but for the resources they hold.
static func _told(state: SceneState) -> Dictionary:
	var found: Dictionary = {}
	for node: int in state.get_node_count():
		var values: Dictionary = {}
		for index: int in state.get_node_property_count(node):
			var value: Variant = state.get_node_property_value(node, index)
			if not value is Object:
				values[state.get_node_property_name(node, index)] = value
		found[state.get_node_path(node)] = values
	return found


## Has the editor take in what a file holds now, where it has loaded the file.
static func refresh(path: String) -> void:
	Scripts.take_in(path)
	if not ResourceLoader.has_cached(path) or not FileAccess.file_exists(path):
		return
	var loaded: Resource = load(path)
	if loaded is Script:
		_refresh_script(loaded as Script, path)
	else:
		var _same: Resource = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_REPLACE)


static func _refresh_script(script: Script, path: String) -> void:
	var text: String = FileAccess.get_file_as_string(path)
	if not path in Scripts.unsaved():
		script.source_code = text
		var _error: Error = script.reload(true)


## A line is `uid://…::type::res://…`, or only a path.
static func _path_in(line: String) -> String:
	var uid: String = line.get_slice("::", 0)
	if uid.begins_with("uid://") and ResourceUID.has_id(ResourceUID.text_to_id(uid)):
		return ResourceUID.get_id_path(ResourceUID.text_to_id(uid))
	return line.get_slice("::", line.get_slice_count("::") - 1)
