@tool
extends RefCounted
## Scenes as documents: which are open, their text, their history, saving and loading.

const DiskSync = preload("../editor/disk_sync.gd")
const Files = preload("../editor/files.gd")
const History = preload("../editor/history.gd")
const Params = preload("../rpc/params.gd")
const Places = preload("../editor/places.gd")
const ProjectFile = preload("../editor/project_file.gd")
const Properties = preload("../editor/properties.gd")
const Reloading = preload("../editor/reloading.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Revisions = preload("../editor/revisions.gd")
const Saving = preload("../editor/saving.gd")
const Scenes = preload("../editor/scenes.gd")
const Scripts = preload("../editor/scripts.gd")
const Settings = preload("../editor/settings.gd")
const Tabs = preload("../editor/tabs.gd")
const Texts = preload("../editor/texts.gd")
const Turns = preload("../rpc/turns.gd")
const Values = preload("../editor/values.gd")

const _SCAN_TIME: int = 60_000

var _scenes: Scenes
var _revisions: Revisions
var _files: Files
var _sync: DiskSync
var _settings: Settings
var _turns: Turns
var _texts: Texts
var _reloading: Reloading
var _places: Places
var _project_file: ProjectFile = ProjectFile.new()


func _init(
	scenes: Scenes, revisions: Revisions, files: Files, sync: DiskSync, settings: Settings, turns: Turns
) -> void:
	_scenes = scenes
	_revisions = revisions
	_files = files
	_sync = sync
	_settings = settings
	_turns = turns
	_texts = Texts.new(turns)
	_reloading = Reloading.new(turns)
	_places = Places.new(turns)


func methods() -> Dictionary:
	return {
		"scenewright.get_state": get_state,
		"scenewright.get_properties": get_properties,
		"scenewright.node_values": node_values,
		"scenewright.scene_text": scene_text,
		"scenewright.get_history": get_history,
		"scenewright.undo": undo,
		"scenewright.redo": redo,
		"scenewright.open_scene": open_scene,
		"scenewright.save_scene": save_scene,
		"scenewright.save_all": save_all,
		"scenewright.reload_scene": reload_scene,
		"scenewright.reload_files": reload_files,
	}


func get_state(_params: Params) -> Reply:
	await _turns.settled()
	var scenes: Array[Dictionary] = Tabs.scenes()
	var root: Node = EditorInterface.get_edited_scene_root()
	for scene: Dictionary in scenes:
		var clash: String = _sync.clash_of(str(scene["path"]))
		if clash != "":
			scene["clash"] = clash
			scene["advice"] = DiskSync.advice(clash, str(scene["path"]))
		if scene["current"] and root != null:
			scene["root"] = str(root.name)
			scene["revision"] = _revisions.of(root)
	var importing: bool = is_importing()
	return Replies.ok(
		{
			"state": "importing" if importing else "ready",
			"is_importing": importing,
			"is_game_running": EditorInterface.is_playing_scene(),
			"playing_scene": EditorInterface.get_playing_scene(),
			"current_scene": _scenes.scene_path(),
			"scenes": scenes,
			"unsaved_scripts": Scripts.unsaved(),
		}
	)


func get_properties(params: Params) -> Reply:
	var paths: PackedStringArray = params.texts("node_paths")
	var names: PackedStringArray = params.texts("properties")
	if not params.has("node_paths"):
		var _added: bool = paths.append(params.required_text("node_path", "the path of a node"))
	if params.problem != null:
		return params.problem
	var root: Node = _scenes.choose(params)
	if root == null:
		return _scenes.problem
	var rows: Array = []
	for path: String in paths:
		var node: Node = _scenes.find(path)
		if node == null:
			return _scenes.problem
		var row: Dictionary = {"path": _scenes.path_of(node), "type": node.get_class(), "properties": {}}
		var reply: Reply = _read(node, names, row)
		if reply != null:
			return reply
		rows.append(row)
	return Replies.ok({"nodes": rows, "revision": _revisions.of(root)})


## What nodes of an open scene say of themselves, in whichever tab it is: {path: {property: literal}}. A node that is
## not in front is out of the tree and can tell only what is stored; what it cannot tell is left out.
func node_values(params: Params) -> Reply:
	var wanted: Dictionary = params.table("nodes")
	var root: Node = _scenes.behind(params)
	if root == null:
		root = _scenes.choose(params)
	if root == null or params.problem != null:
		return params.problem if params.problem != null else _scenes.problem
	var found: Dictionary = {}
	for path: String in wanted:
		var node: Node = root.get_node_or_null(path)
		var names: Array = wanted[path] if wanted[path] is Array else []
		var values: Dictionary = {}
		for property: String in names if node != null else []:
			var declared: Dictionary = Properties.declaration(node, property.get_slice(":", 0))
			var usage: int = declared.get("usage", 0)
			if not declared.is_empty() and (node.is_inside_tree() or usage & PROPERTY_USAGE_STORAGE != 0):
				values[property] = Values.told(node, node.get_indexed(property))
		found[path] = values
	return Replies.ok({"values": found, "revision": _revisions.of(root)})


func scene_text(params: Params) -> Reply:
	var since: int = params.integer("since", -1, -1, 1 << 52)
	var file: String = params.text("file_md5", "")
	var root: Node = _scenes.behind(params) if params.flag("in_place", false) else null
	var is_behind: bool = root != null
	if not is_behind:
		root = _scenes.choose(params)
	if root != null and file != "" and not is_behind:
		await _turns.settled()
		root = _scenes.choose(params)
	if root == null:
		return _scenes.problem
	var path: String = root.scene_file_path
	var revision: int = _revisions.of(root)
	if since == revision:
		return Replies.ok({"scene_path": path, "revision": revision, "unchanged": true})
	if file != "" and _files.is_known(path, file) and Tabs.is_surely_saved(path):
		return Replies.ok({"scene_path": path, "revision": revision, "as_file": true})
	var text: String = await _texts.of(root)
	if text == "":
		return Replies.broken("the scene cannot be written as text", "See the editor's Output panel")
	var head: String = JSON.stringify({"scene_path": path, "revision": revision}, "", false).substr(1)
	return Replies.written('{"success":true,"text":%s,%s' % [await _turns.quoted(text), head])


func get_history(params: Params) -> Reply:
	var root: Node = _scenes.choose(params)
	if root == null:
		return _scenes.problem
	var history: UndoRedo = History.of(root)
	return Replies.ok(
		{
			"can_undo": history.has_undo(),
			"can_redo": history.has_redo(),
			"current_action": history.get_current_action_name(),
			"steps": History.steps(root),
			"version": History.version_of(root),
			"revision": _revisions.of(root),
		}
	)


func undo(params: Params) -> Reply:
	return _step(params, func(root: Node) -> String: return History.undo(root))


func redo(params: Params) -> Reply:
	return _step(params, func(root: Node) -> String: return History.redo(root))


func open_scene(params: Params) -> Reply:
	var path: String = params.required_text("scene_path", "the path of a scene")
	if params.problem != null:
		return params.problem
	if path.begins_with("uid://") and ResourceUID.has_id(ResourceUID.text_to_id(path)):
		path = ResourceUID.get_id_path(ResourceUID.text_to_id(path))
	if not Scenes.is_file(path, "PackedScene"):
		return Replies.bad_path(path, "there is no such scene", "Use the res:// path of a scene file")
	if not path in EditorInterface.get_open_scenes():
		_sync.note_ahead(path)
	EditorInterface.open_scene_from_path(path)
	await _turns.settled()
	var root: Node = EditorInterface.get_edited_scene_root()
	if root == null or root.scene_file_path != path:
		return Replies.broken("the editor did not open %s" % path, "See the editor's Output panel")
	_sync.follow()
	return Replies.ok({"scene_path": path, "root": str(root.name), "revision": _revisions.of(root)})


func save_scene(params: Params) -> Reply:
	var overwrite: bool = params.flag("overwrite", false)
	var root: Node = _scenes.choose(params) if params.problem == null else null
	if root == null:
		return params.problem if params.problem != null else _scenes.problem
	var path: String = root.scene_file_path
	if path == "":
		var suggestion: String = "Save it once in the editor, under a name"
		return Replies.error(Replies.INVALID_PATH, "The scene has no file yet", {"suggestion": suggestion})
	if _files.differs(path) and not overwrite:
		var how: String = "Reload it with reload_scene, or pass \"overwrite\": true"
		return Replies.refused("save_scene", "%s changed on disk since it was opened here" % path, how)
	if not DirAccess.dir_exists_absolute(ProjectSettings.globalize_path(path.get_base_dir())):
		return Replies.broken("the folder of %s is gone" % path, "Create the folder again and save once more")
	var saved: PackedStringArray = Saving.save(path)
	await _turns.settled()
	if Tabs.is_unsaved(path):
		return Replies.broken("%s could not be saved" % path, "See the editor's Output panel")
	_sync.note_saved(path)
	var told: Dictionary = {"scene_path": path, "saved": saved, "message": "Scene saved"}
	told["revision"] = _revisions.of(EditorInterface.get_edited_scene_root())
	return Replies.ok(told)


## Saves every open scene that has unsaved changes; one that cannot be saved stays as it is and is told.
func save_all(params: Params) -> Reply:
	var overwrite: bool = params.flag("overwrite", false)
	if params.problem != null:
		return params.problem
	await _turns.settled()
	var front: String = _scenes.scene_path()
	var saved: Array = []
	var also: Array = []
	var failed: Array = []
	for path: String in Tabs.unsaved():
		var one: Params = Params.new({"scene": path, "overwrite": overwrite})
		var reply: Reply = await save_scene(one) if path != "" else Replies.broken("it has no file yet", "")
		if reply.is_error():
			failed.append({"scene_path": path, "message": reply.message})
		else:
			saved.append(path)
			var written: PackedStringArray = reply.result["saved"]
			also.append_array(Array(written.slice(1)))
	if front != "" and front != _scenes.scene_path():
		EditorInterface.open_scene_from_path(front)
	return Replies.ok({"saved": saved, "also_saved": also, "failed": failed})


func reload_scene(params: Params) -> Reply:
	var discard: bool = params.flag("discard_unsaved", false)
	var root: Node = _scenes.choose(params) if params.problem == null else null
	if root == null:
		return params.problem if params.problem != null else _scenes.problem
	await _turns.settled()
	var path: String = root.scene_file_path
	if Tabs.is_unsaved(path) and not (discard and _settings.flag(Settings.DANGEROUS)):
		var how: String = "Save the scene first, or allow dangerous actions and pass \"discard_unsaved\": true"
		return Replies.refused("reload_scene", "%s has unsaved changes" % path, how)
	if not FileAccess.file_exists(path):
		return Replies.bad_path(path, "there is no such file", "Save the scene first")
	var _loaded: PackedStringArray = await _reloading.load_anew(PackedStringArray([path]), _files.note, true)
	_sync.take_parts(path)
	var after: Node = EditorInterface.get_edited_scene_root()
	return Replies.ok({"scene_path": path, "revision": _revisions.of(after), "message": "Scene reloaded"})


func reload_files(params: Params) -> Reply:
	var paths: PackedStringArray = params.texts("paths")
	var moved: Dictionary = params.table("moved")
	if params.problem != null:
		return params.problem
	_sync.waits = true
	var reply: Reply = await _take_in_files(paths, moved)
	_sync.waits = false
	return reply


func _take_in_files(paths: PackedStringArray, moved: Dictionary) -> Reply:
	# Before the editor sees that the files are gone, and takes the scenes for unsaved.
	var closed: PackedStringArray = await _places.leave(paths)
	Places.take_over(moved)
	var disk: EditorFileSystem = EditorInterface.get_resource_filesystem()
	for path: String in paths:
		if FileAccess.file_exists(path):
			disk.update_file(path)
			Scripts.take_in(path)
	if ProjectFile.PATH in paths:
		_project_file.take_in()
	disk.scan()
	var until: int = Time.get_ticks_msec() + _SCAN_TIME
	await _turns.settled()
	while is_importing():
		if Time.get_ticks_msec() > until:
			return Replies.too_late("The scan", _SCAN_TIME, "Ask scenewright.get_state until it is ready")
		await _turns.next
	var found: Array[PackedStringArray] = await _sync.settle_written()
	await _places.enter(closed, moved)
	return Replies.ok({"reloaded_scenes": found[0], "kept_scenes": found[1], "closed_scenes": closed})


static func is_importing() -> bool:
	var disk: EditorFileSystem = EditorInterface.get_resource_filesystem()
	if disk.is_scanning():
		return true
	return disk.has_method(&"is_importing") and disk.call(&"is_importing") == true


func _step(params: Params, work: Callable) -> Reply:
	var count: int = params.integer("count", 1, 1, 1000)
	var root: Node = _scenes.choose(params) if params.problem == null else null
	if root == null:
		return params.problem if params.problem != null else _scenes.problem
	var done: Array[String] = []
	for _index: int in count:
		var title: String = work.call(root)
		if title == "":
			break
		done.append(title)
		root = EditorInterface.get_edited_scene_root()
	return Replies.ok({"done": done, "revision": _revisions.of(root)})


static func _read(node: Node, names: PackedStringArray, row: Dictionary) -> Reply:
	var table: Dictionary = row["properties"]
	for property: String in names:
		var value: Variant = node.get_indexed(property)
		if value == null and Properties.declaration(node, property.get_slice(":", 0)).is_empty():
			var reply: Reply = Replies.invalid("properties", "properties of %s" % node.get_class())
			reply.data["property"] = property
			reply.data["similar"] = Properties.similar(node, property)
			return reply
		table[property] = Values.literal(value)
	if names.is_empty():
		for declaration: Dictionary in node.get_property_list():
			var usage: int = declaration["usage"]
			var property: String = declaration["name"]
			if usage & PROPERTY_USAGE_STORAGE != 0:
				var value: Variant = node.get(property)
				if not Properties.is_same_value(value, Properties.default_of(node, property)):
					table[property] = Values.literal(value)
	return null
