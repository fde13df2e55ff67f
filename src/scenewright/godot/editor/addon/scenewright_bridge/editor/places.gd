@tool
extends RefCounted
## Open scenes and scripts whose files are gone or went elsewhere. Left alone they would be saved again where
## they were: the editor takes a scene without a file for an unsaved one.

const Tabs = preload("tabs.gd")
const Turns = preload("../rpc/turns.gd")

var _turns: Turns
var _front: String = ""


func _init(turns: Turns) -> void:
	_turns = turns


## Closes the scenes among these whose files are gone; those with unsaved changes stay. Returns the closed ones.
func leave(paths: PackedStringArray) -> PackedStringArray:
	var closed: PackedStringArray = PackedStringArray()
	_front = _scene_in_front()
	for path: String in paths:
		if path in EditorInterface.get_open_scenes() and not FileAccess.file_exists(path) and Tabs.is_surely_saved(path):
			EditorInterface.open_scene_from_path(path)
			await _turns.settled()
			if _scene_in_front() == path:
				Tabs.close_front()
				await _turns.settled()
				var _added: bool = closed.append(path)
	return closed


## Opens closed scenes where they went; what was in front is there again.
func enter(closed: PackedStringArray, moved: Dictionary) -> void:
	for path: String in closed:
		if moved.has(path):
			EditorInterface.open_scene_from_path(str(moved[path]))
			await _turns.settled()
	var front: String = str(moved.get(_front, _front))
	if not closed.is_empty() and front in EditorInterface.get_open_scenes() and front != _scene_in_front():
		EditorInterface.open_scene_from_path(front)
		await _turns.settled()


## Scripts that are open go on at their new place, as they do when they are moved in the editor itself.
static func take_over(moved: Dictionary) -> void:
	for script: Script in EditorInterface.get_script_editor().get_open_scripts():
		var path: String = script.resource_path
		if moved.has(path) and FileAccess.file_exists(str(moved[path])):
			script.take_over_path(str(moved[path]))


static func _scene_in_front() -> String:
	var root: Node = EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""
