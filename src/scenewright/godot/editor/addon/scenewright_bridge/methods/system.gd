@tool
extends RefCounted
## ping and get_editor_info.

const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")
const Version = preload("../version.gd")

var _scenes: Scenes


func _init(scenes: Scenes) -> void:
	_scenes = scenes


func methods() -> Dictionary:
	return {"get_editor_info": get_editor_info}


func ping(_params: Params) -> Reply:
	var reply: Reply = Reply.new()
	reply.result = {"pong": true, "timestamp": Time.get_unix_time_from_system()}
	return reply


func get_editor_info(_params: Params) -> Reply:
	return Replies.ok(
		{
			"godot_version": Version.engine(),
			"plugin_version": Version.PLUGIN,
			"protocol_version": Version.PROTOCOL,
			"pid": OS.get_process_id(),
			"project":
			{
				"name": str(ProjectSettings.get_setting("application/config/name", "")),
				"path": ProjectSettings.globalize_path("res://").trim_suffix("/"),
				"main_scene": main_scene(),
			},
			"editor_state":
			{
				"current_scene": _scenes.scene_path(),
				"is_game_running": EditorInterface.is_playing_scene(),
				"selected_nodes": selected_paths(_scenes),
			},
		}
	)


static func selected_paths(scenes: Scenes) -> Array:
	var paths: Array = []
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		paths.append(scenes.path_of(node))
	return paths


static func main_scene() -> String:
	var path: String = str(ProjectSettings.get_setting("application/run/main_scene", ""))
	if path.begins_with("uid://"):
		var id: int = ResourceUID.text_to_id(path)
		return ResourceUID.get_id_path(id) if ResourceUID.has_id(id) else path
	return path
