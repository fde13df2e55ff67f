@tool
extends RefCounted
## The edits: each call, and each batch of calls, is one step of the edited scene's history.

const Changes = preload("../edit/changes.gd")
const DiskSync = preload("../editor/disk_sync.gd")
const Moving = preload("../edit/moving.gd")
const Params = preload("../rpc/params.gd")
const Placing = preload("../edit/placing.gd")
const Previews = preload("../editor/previews.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Revisions = preload("../editor/revisions.gd")
const Scenes = preload("../editor/scenes.gd")
const Setting = preload("../edit/setting.gd")
const Wiring = preload("../edit/wiring.gd")

const _MOST_CALLS: int = 20_000

var _scenes: Scenes
var _revisions: Revisions
var _sync: DiskSync
var _may_remove: Callable
var _groups: Array[RefCounted] = []
var _edits: Dictionary = {}


func _init(scenes: Scenes, revisions: Revisions, sync: DiskSync, may_remove: Callable) -> void:
	_scenes = scenes
	_revisions = revisions
	_sync = sync
	_may_remove = may_remove
	var setting: Setting = Setting.new(scenes)
	var placing: Placing = Placing.new(scenes, setting)
	var moving: Moving = Moving.new(scenes)
	var wiring: Wiring = Wiring.new(scenes)
	_groups = [setting, placing, moving, wiring]
	_edits = {
		"add_node": placing.add_node,
		"instance_scene": placing.instance_scene,
		"remove_node": placing.remove_node,
		"duplicate_node": placing.duplicate_node,
		"rename_node": moving.rename_node,
		"move_node": moving.move_node,
		"reorder_node": moving.reorder_node,
		"set_properties": setting.set_properties,
		"set_property": setting.set_property,
		"reset_properties": setting.reset_properties,
		"set_groups": setting.set_groups,
		"set_unique_name": setting.set_unique_name,
		"connect_signal": wiring.connect_signal,
		"disconnect_signal": wiring.disconnect_signal,
		"attach_script": wiring.attach_script,
		"detach_script": wiring.detach_script,
		"create_node": placing.add_node,
		"delete_node": placing.remove_node,
	}


func methods() -> Dictionary:
	var found: Dictionary = {"scenewright.batch": batch}
	for edit: String in _edits:
		if not edit in ["create_node", "delete_node"]:
			found["scenewright." + edit] = run.bind(edit)
	return found


## One edit as one step.
func run(params: Params, edit: String) -> Reply:
	return _in_one_step(params, edit, func(changes: Changes) -> Reply: return _apply(edit, params, changes))


func batch(params: Params) -> Reply:
	var calls: Array = params.list("calls")
	var title: String = params.text("name", "batch of %d" % calls.size())
	if params.problem != null:
		return params.problem
	if calls.is_empty() or calls.size() > _MOST_CALLS:
		return Replies.invalid("calls", "a list of 1 to %d calls" % _MOST_CALLS)
	return _in_one_step(params, title, func(changes: Changes) -> Reply: return _apply_all(calls, params, changes))


func _in_one_step(params: Params, title: String, work: Callable) -> Reply:
	var root: Node = _scenes.choose(params)
	if root == null:
		return _scenes.problem
	if _sync.refusal_of(root.scene_file_path) != null:
		return _sync.refusal_of(root.scene_file_path)
	Previews.end_all()
	var changes: Changes = Changes.new()
	var outcome: Variant = work.call(changes)
	var reply: Reply = outcome if outcome is Reply else Replies.broken("the edit failed", "See the editor's Output panel")
	if reply.is_error():
		changes.roll_back()
		return reply
	if not changes.is_empty():
		changes.commit(_title(title, reply), root)
	reply.result["revision"] = _revisions.of(root)
	return reply


func _apply(edit: String, params: Params, changes: Changes) -> Reply:
	if edit in ["remove_node", "delete_node"] and not _may_remove.call(params.client, edit):
		return Replies.not_enabled(edit)
	var work: Callable = _edits[edit]
	return work.call(params, changes)


func _apply_all(calls: Array, params: Params, changes: Changes) -> Reply:
	var results: Array = []
	for index: int in calls.size():
		var item: Dictionary = calls[index] if calls[index] is Dictionary else {}
		var edit: String = str(item.get("method", "")).trim_prefix("scenewright.")
		var values: Dictionary = item["params"] if item.get("params") is Dictionary else {}
		var inner: Params = Params.new(values)
		inner.client = params.client
		var reply: Reply = _apply(edit, inner, changes) if _edits.has(edit) else _no_edit(edit)
		if reply == null:
			reply = Replies.broken("the edit failed", "See the editor's Output panel")
		if reply.is_error():
			reply.data["failed_index"] = index
			reply.data["failed_method"] = edit
			reply.data["rolled_back"] = true
			return reply
		results.append(reply.result)
	return Replies.ok({"results": results})


func _no_edit(edit: String) -> Reply:
	var expected: String = "one of " + ", ".join(PackedStringArray(_edits.keys()))
	return Replies.invalid("calls.method", expected, edit)


func _title(edit: String, reply: Reply) -> String:
	var path: String = str(reply.result.get("node_path", ""))
	return edit if path == "" else "%s: %s" % [edit, path.get_file()]
