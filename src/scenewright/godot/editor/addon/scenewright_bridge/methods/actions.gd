@tool
extends RefCounted
## execute_action: everything of the protocol's table.

const Documents = preload("documents.gd")
const Editing = preload("editing.gd")
const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Running = preload("running.gd")
const Scenes = preload("../editor/scenes.gd")
const Selecting = preload("selecting.gd")
const Settings = preload("../editor/settings.gd")

var _settings: Settings
var _actions: Dictionary = {}
var _groups: Array[RefCounted] = []


func _init(settings: Settings, editing: Editing, documents: Documents, running: Running, selecting: Selecting) -> void:
	_settings = settings
	_groups = [editing, documents, running, selecting]
	_actions = {
		"run_scene": running.run_scene,
		"run_main_scene": running.run_main_scene,
		"stop_scene": running.stop_scene,
		"pause_scene": running.pause_scene,
		"resume_scene": running.resume_scene,
		"select_node": selecting.select_node,
		"select_nodes": selecting.select_nodes,
		"focus_node": selecting.focus_node,
		"set_property": editing.run.bind("set_property"),
		"create_node": editing.run.bind("create_node"),
		"delete_node": editing.run.bind("delete_node"),
		"save_scene": documents.save_scene,
		"reload_scene": documents.reload_scene,
	}


func methods() -> Dictionary:
	return {"execute_action": execute_action}


func execute_action(params: Params) -> Reply:
	var action: String = params.required_text("action", "the name of an action")
	var arguments: Dictionary = params.table(params.alias(["args", "params"]))
	if params.problem != null:
		return params.problem
	if not _actions.has(action):
		return _unknown(action)
	if not _settings.flag(Settings.ACTIONS):
		var how: String = "Turn on Editor Settings > Scenewright > Bridge > Allow Actions"
		return Replies.refused(action, "actions are turned off in this editor", how)
	var inner: Params = Params.new(_with_loose(params.everything(), arguments))
	inner.client = params.client
	var work: Callable = _actions[action]
	var outcome: Variant = await work.call(inner)
	if not outcome is Reply:
		return Replies.broken("the action '%s' failed in the editor" % action, "See the editor's Output panel")
	var reply: Reply = outcome
	if not reply.is_error():
		_add_older_form(action, reply)
	return reply


## Arguments that stand beside `action`, where older clients put them.
static func _with_loose(everything: Dictionary, arguments: Dictionary) -> Dictionary:
	var merged: Dictionary = arguments.duplicate()
	for key: String in everything:
		if not key in ["action", "args", "params", "idempotency_key"] and not merged.has(key):
			merged[key] = everything[key]
	return merged


static func _add_older_form(action: String, reply: Reply) -> void:
	var result: Dictionary = reply.result
	var ordered: Dictionary = {"success": true, "action": action}
	ordered.merge(result)
	if not ordered.has("message"):
		ordered["message"] = "%s done" % action
	if ordered.has("node_path"):
		ordered["data"] = {"path": ordered["node_path"]}
	reply.result = ordered


func _unknown(action: String) -> Reply:
	var reply: Reply = Replies.invalid("action", "one of " + ", ".join(PackedStringArray(_actions.keys())), action)
	reply.data["action"] = action
	reply.data["available_actions"] = _actions.keys()
	return reply
