@tool
extends RefCounted
## The actions that run, pause and stop the game.

const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Runs = preload("../game/runs.gd")
const Scenes = preload("../editor/scenes.gd")
const System = preload("system.gd")
const Tabs = preload("../editor/tabs.gd")
const Turns = preload("../rpc/turns.gd")

const _CONNECT_TIME: int = 20_000
const _ANSWER_TIME: int = 5000

var _scenes: Scenes
var _runs: Runs
var _turns: Turns


func _init(scenes: Scenes, runs: Runs, turns: Turns) -> void:
	_scenes = scenes
	_runs = runs
	_turns = turns


func run_scene(params: Params) -> Reply:
	var path: String = params.text("scene_path", "")
	if params.problem != null:
		return params.problem
	if path.begins_with("uid://") and ResourceUID.has_id(ResourceUID.text_to_id(path)):
		path = ResourceUID.get_id_path(ResourceUID.text_to_id(path))
	if path == "":
		var root: Node = _scenes.root()
		if root == null:
			return _scenes.problem
		if root.scene_file_path == "":
			return Replies.bad_path("", "the scene has no file yet", "Save it once in the editor, under a name")
		return await _play(params, root.scene_file_path, EditorInterface.play_current_scene)
	if not Scenes.is_file(path, "PackedScene"):
		return Replies.bad_path(path, "there is no such scene", "Use the res:// path of a scene file")
	return await _play(params, path, EditorInterface.play_custom_scene.bind(path))


func run_main_scene(params: Params) -> Reply:
	var path: String = System.main_scene()
	if path == "" or not Scenes.is_file(path, "PackedScene"):
		return Replies.bad_path(path, "the project has no main scene", "Set application/run/main_scene, or use run_scene")
	return await _play(params, path, EditorInterface.play_main_scene)


func stop_scene(_params: Params) -> Reply:
	if not _runs.is_running():
		return Replies.no_game()
	_runs.stop()
	return Replies.ok({"message": "Scene stopped"})


func pause_scene(params: Params) -> Reply:
	return await _pause(params, true, "pause")


func resume_scene(params: Params) -> Reply:
	return await _pause(params, false, "resume")


func _play(params: Params, path: String, play: Callable) -> Reply:
	var save: bool = params.flag("save", false)
	if params.problem != null:
		return params.problem
	await _turns.settled()
	var unsaved: Array = [] if save else Tabs.unsaved()
	if not _runs.start(play, save):
		return Replies.broken("the editor did not start the game", "See get_editor_log for the reason")
	var result: Dictionary = {"scene_path": path, "message": "Scene started successfully"}
	if not unsaved.is_empty():
		result["unsaved_scenes"] = unsaved
		result["note"] = "Unsaved changes are not in this run; save_scene first, or pass \"save\": true"
	return Replies.ok(result)


func _pause(params: Params, yes: bool, verb: String) -> Reply:
	var patience: int = params.integer("timeout_ms", _ANSWER_TIME, 100, 120_000)
	if params.problem != null:
		return params.problem
	var until: int = Time.get_ticks_msec() + _CONNECT_TIME
	while _runs.is_running() and not _runs.can_be_told():
		if Time.get_ticks_msec() > until:
			return Replies.too_late("The game's start", _CONNECT_TIME, "See get_errors for what it says")
		await _turns.next
	if not _runs.is_running():
		return Replies.no_game()
	if not _runs.pause(yes):
		return Replies.broken("the game cannot be reached", "Stop it and run it again")
	if not _runs.has_helper:
		var asked: String = "The game was asked to %s; it was not joined by the bridge and cannot confirm it" % verb
		return Replies.ok({"message": asked, "paused": yes, "confirmed": false})
	return await _confirmed(yes, verb, patience)


## The game takes what it is told in order: once it answers, it has done it.
func _confirmed(yes: bool, verb: String, patience: int) -> Reply:
	var id: int = _runs.ask_for_state()
	var until: int = Time.get_ticks_msec() + patience
	while _runs.is_running() and not _runs.states.erase(id):
		if Time.get_ticks_msec() > until:
			var suggestion: String = "The game does not answer; it may %s later. stop_scene ends it" % verb
			return Replies.too_late("The game was asked to %s, which" % verb, patience, suggestion)
		await _turns.next
	if not _runs.is_running():
		return Replies.no_game()
	return Replies.ok({"message": "Scene %sd" % verb, "paused": yes, "confirmed": true})
