@tool
extends RefCounted
## An open scene as the text that the editor would save now, without saving it.
##
## It is saved to a scratch file outside the project. There the saver gives external resources new
## ids and leaves the scene's uid out, so both are put back as they are in the scene's own file.

const Previews = preload("previews.gd")
const Turns = preload("../rpc/turns.gd")

var _turns: Turns
var _ids: RegEx = RegEx.create_from_string('^\\[ext_resource [^\\n]*?path="([^"]*)"[^\\n]*? id="([^"]*)"')


func _init(turns: Turns) -> void:
	_turns = turns


## The text, or "" where the scene cannot be packed. Packing is one call of the engine and must be: in
## the next frame the scene may be another. What follows waits for a frame with time for it.
func of(root: Node) -> String:
	var path: String = root.scene_file_path
	Previews.end_all()
	root.propagate_notification(Node.NOTIFICATION_EDITOR_PRE_SAVE)
	var packed: PackedScene = PackedScene.new()
	var error: Error = packed.pack(root)
	root.propagate_notification(Node.NOTIFICATION_EDITOR_POST_SAVE)
	await _turns.with_time()
	var scratch: String = _scratch()
	if error != OK or ResourceSaver.save(packed, scratch) != OK:
		return ""
	var text: String = FileAccess.get_file_as_string(scratch)
	var _removed: Error = DirAccess.remove_absolute(scratch)
	await _turns.with_time()
	return text if path == "" else _with_uid(_with_ids(text, path), path)


static func _scratch() -> String:
	var folder: String = EditorInterface.get_editor_paths().get_cache_dir()
	return folder.path_join("scenewright-%d.tscn" % OS.get_process_id())


static func _with_uid(text: String, path: String) -> String:
	var end: int = text.find("\n")
	var id: int = ResourceLoader.get_resource_uid(path)
	if id == ResourceUID.INVALID_ID or text.left(end).contains(' uid="'):
		return text
	return '%s uid="%s"]%s' % [text.left(end - 1), ResourceUID.id_to_text(id), text.substr(end)]


func _with_ids(text: String, path: String) -> String:
	var known: Dictionary = _ids_in(FileAccess.get_file_as_string(path)) if FileAccess.file_exists(path) else {}
	var given: Dictionary = _ids_in(text)
	var lines: PackedStringArray = PackedStringArray()
	for resource: String in given:
		if known.has(resource) and known[resource] != given[resource]:
			# In two steps: an old id may be another resource's new one.
			text = text.replace('ExtResource("%s")' % given[resource], 'ExtResource("\u0001%s")' % known[resource])
			text = text.replace(' id="%s"]' % given[resource], ' id="\u0001%s"]' % known[resource])
			var _added: bool = lines.append(resource)
	if lines.is_empty():
		return text
	return _sorted(text.replace("\u0001", ""))


func _ids_in(text: String) -> Dictionary:
	var found: Dictionary = {}
	for line: String in _head(text).split("\n"):
		var hit: RegExMatch = _ids.search(line)
		if hit != null:
			found[hit.get_string(1)] = hit.get_string(2)
	return found


## The lines of external resources stand together after the first line, ordered by id.
func _sorted(text: String) -> String:
	var first: int = text.find("\n[ext_resource ") + 1
	var head: String = _head(text)
	var lines: Array = Array(head.substr(first).strip_edges().split("\n"))
	lines.sort_custom(
		func(a: String, b: String) -> bool:
			return _ids.search(a).get_string(2).naturalnocasecmp_to(_ids.search(b).get_string(2)) < 0
	)
	return text.left(first) + "\n".join(PackedStringArray(lines)) + "\n" + text.substr(head.length())


static func _head(text: String) -> String:
	var at: int = text.rfind("\n[ext_resource ")
	if at < 0:
		return ""
	return text.left(text.find("\n", at + 1) + 1)
