@tool
extends RefCounted
## Edits given as a new text of an open scene, and taking exactly one such step back or forth.

const Changes = preload("../edit/changes.gd")
const DiskSync = preload("../editor/disk_sync.gd")
const History = preload("../editor/history.gd")
const Matching = preload("../edit/matching.gd")
const Params = preload("../rpc/params.gd")
const Previews = preload("../editor/previews.gd")
const Records = preload("../editor/records.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Revisions = preload("../editor/revisions.gd")
const Scenes = preload("../editor/scenes.gd")

var _scenes: Scenes
var _revisions: Revisions
var _sync: DiskSync
var _may_remove: Callable


func _init(scenes: Scenes, revisions: Revisions, sync: DiskSync, may_remove: Callable) -> void:
	_scenes = scenes
	_revisions = revisions
	_sync = sync
	_may_remove = may_remove


func methods() -> Dictionary:
	return {"scenewright.apply_text": apply_text, "scenewright.step": step}


func apply_text(params: Params) -> Reply:
	var text: String = params.required_text("text", "the text of a scene")
	var title: String = params.text("name", "Edit scene")
	var revision: int = params.integer("revision", -1, -1, 1 << 52)
	var edits: Array = params.list("edits")
	var was: Dictionary = params.table("was")
	var resources: Dictionary = params.table("resources")
	var root: Node = _scenes.choose(params) if params.problem == null else null
	if root == null:
		return params.problem if params.problem != null else _scenes.problem
	if _removes(edits) and not _may_remove.call(params.client, "remove_node"):
		return Replies.not_enabled("remove_node")
	if _sync.refusal_of(root.scene_file_path) != null:
		return _sync.refusal_of(root.scene_file_path)
	if revision >= 0 and revision != _revisions.of(root):
		return _conflict("%s was edited since it was read" % root.scene_file_path)
	var model: Node = _instance(text)
	if model == null:
		return Replies.broken("the text is not a scene that can be loaded", "See the editor's Output panel")
	Previews.end_all()
	var changes: Changes = Changes.new()
	var matching: Matching = Matching.new(root, model, was, resources, changes)
	matching.follow(edits)
	matching.finish()
	if matching.problem != "":
		changes.roll_back()
		return Replies.broken(matching.problem, "Read the scene again and repeat the change")
	if not changes.is_empty():
		changes.commit(title, matching.scene_root())
	return _stand(matching.scene_root(), title)


## Undoes a step that `apply_text` made, or redoes it; only if it is the one that is next.
func step(params: Params) -> Reply:
	var title: String = params.required_text("name", "the name of the step")
	var revision: int = params.integer("revision", -1, -1, 1 << 52)
	var version: int = params.integer("version", -1, -1, 1 << 52)
	var redo: bool = params.flag("redo", false)
	var root: Node = _scenes.choose(params) if params.problem == null else null
	if root == null:
		return params.problem if params.problem != null else _scenes.problem
	var untouched: bool = revision == _revisions.of(root)
	var on_top: bool = version == History.version_of(root)
	if not (untouched or on_top) or title != History.next_title(root, redo):
		return _conflict("%s was edited after '%s'" % [root.scene_file_path, title])
	var done: String = History.redo(root) if redo else History.undo(root)
	if done != title:
		return _conflict("the editor's next step was '%s', not '%s'" % [done, title])
	return _stand(EditorInterface.get_edited_scene_root(), title)


func _stand(root: Node, title: String) -> Reply:
	return Replies.ok({"revision": _revisions.of(root), "version": History.version_of(root), "name": title})


static func _removes(edits: Array) -> bool:
	for item: Variant in edits:
		if item is Dictionary:
			var edit: Dictionary = item
			if edit.get("op", "") == "remove":
				return true
	return false


static func _conflict(message: String) -> Reply:
	return Replies.error(Replies.NOT_ALLOWED, message, {"conflict": true, "suggestion": "Read the scene again"})


## An instance of a text, outside the tree. The text lies in the editor's own cache meanwhile.
static func _instance(text: String) -> Node:
	var path: String = EditorInterface.get_editor_paths().get_cache_dir().path_join(
		"scenewright-model-%d.tscn" % OS.get_process_id()
	)
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return null
	Records.store(file, text)
	file.close()
	var packed: PackedScene = ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
	var _removed: Error = DirAccess.remove_absolute(path)
	return packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) if packed != null else null
