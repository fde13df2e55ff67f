@tool
extends RefCounted
## The class reference, with descriptions: what the editor shows as its help, from the file in which
## it keeps that between starts. Where there is none, the engine's own register, which has no texts.

const Markup = preload("markup.gd")
const Turns = preload("../rpc/turns.gd")

const _WAIT: int = 30_000

var _turns: Turns
var _classes: Dictionary = {}
var _loading: bool = false


func _init(turns: Turns) -> void:
	_turns = turns


## Name to class, loaded on first use beside the main thread.
func classes() -> Dictionary:
	while _loading:
		await _turns.next
	if _classes.is_empty():
		_loading = true
		await _load()
		_loading = false
	return _classes


static func similar(known: Array, wanted: String) -> Array:
	var scored: Array = []
	for title: String in known:
		scored.append([title.to_lower().similarity(wanted.to_lower()), title])
	scored.sort_custom(func(a: Array, b: Array) -> bool: return a[0] > b[0])
	return scored.slice(0, 5).map(func(entry: Array) -> String: return str(entry[1]))


func _load() -> void:
	var info: Dictionary = Engine.get_version_info()
	var file: String = "editor_doc_cache-%d.%d.res" % [info["major"], info["minor"]]
	var path: String = EditorInterface.get_editor_paths().get_cache_dir().path_join(file)
	var until: int = Time.get_ticks_msec() + _WAIT
	# A fresh editor writes it a few seconds after its start.
	while not FileAccess.file_exists(path) and Time.get_ticks_msec() < until:
		await _turns.next
	var kept: Resource = await _loaded(path)
	var entries: Array = kept.get_meta(&"classes", []) if kept != null else []
	for entry: Dictionary in entries:
		_classes[entry["name"]] = entry
	for title: String in ClassDB.get_class_list():
		if not _classes.has(title):
			_classes[title] = _from_register(title)


func _loaded(path: String) -> Resource:
	if not FileAccess.file_exists(path):
		return null
	if ResourceLoader.load_threaded_request(path, "", false, ResourceLoader.CACHE_MODE_IGNORE) != OK:
		return null
	while ResourceLoader.load_threaded_get_status(path) == ResourceLoader.THREAD_LOAD_IN_PROGRESS:
		await _turns.next
	return ResourceLoader.load_threaded_get(path)


static func _from_register(title: String) -> Dictionary:
	var entry: Dictionary = {"name": title, "inherits": str(ClassDB.get_parent_class(title))}
	entry["methods"] = ClassDB.class_get_method_list(title, true).map(_method)
	entry["properties"] = ClassDB.class_get_property_list(title, true).filter(_is_property).map(_property)
	entry["signals"] = ClassDB.class_get_signal_list(title, true).map(_method)
	return entry


static func _is_property(info: Dictionary) -> bool:
	var usage: int = info["usage"]
	return usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY) == 0


static func _property(info: Dictionary) -> Dictionary:
	var type: int = info["type"]
	return {"name": info["name"], "type": type_string(type)}


static func _method(info: Dictionary) -> Dictionary:
	var arguments: Array = info["args"]
	var returned: Dictionary = info.get("return", {"type": TYPE_NIL})
	var type: int = returned["type"]
	return {
		"name": info["name"],
		"return_type": "void" if type == TYPE_NIL else type_string(type),
		"arguments": arguments.map(_property),
	}
