@tool
extends RefCounted
## The open scenes, and which of them have changes that are not saved.

const _MARK: String = "(*)"

static var _found: TabBar = null


## [{path, name, current, unsaved}] in the order of the tabs. One that never was saved has no path.
static func scenes() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var root: Node = EditorInterface.get_edited_scene_root()
	var current: String = root.scene_file_path if root != null else ""
	var paths: PackedStringArray = EditorInterface.get_open_scenes()
	var titles: PackedStringArray = _titles(paths)
	for index: int in paths.size():
		var path: String = paths[index]
		var is_front: bool = path == current and root != null
		var name: String = path.get_file() if path != "" else str(root.name) if is_front else ""
		found.append({"path": path, "name": name, "current": is_front, "unsaved": titles[index].contains(_MARK)})
	return found


static func is_unsaved(path: String) -> bool:
	for scene: Dictionary in scenes():
		if scene["path"] == path:
			return scene["unsaved"]
	return false


## Whether an open scene has no unsaved changes; false as well where that cannot be told.
static func is_surely_saved(path: String) -> bool:
	return _bar() != null and path in EditorInterface.get_open_scenes() and not is_unsaved(path)


static func unsaved() -> Array:
	return scenes().filter(func(scene: Dictionary) -> bool: return scene["unsaved"]).map(
		func(scene: Dictionary) -> String: return str(scene["path"])
	)


## Closes the scene in front as the cross on its tab does: with unsaved changes the editor would ask.
static func close_front() -> void:
	var bar: TabBar = _bar()
	if bar != null:
		bar.tab_close_pressed.emit(bar.current_tab)


## The editor tells nobody which scenes are unsaved but the person who looks at the tabs. A tab without a
## scene is not among the open ones.
static func _titles(paths: PackedStringArray) -> PackedStringArray:
	var found: PackedStringArray = []
	var bar: TabBar = _bar()
	var tabs: int = bar.tab_count if bar != null else 0
	for tab: int in tabs:
		var title: String = bar.get_tab_title(tab)
		var is_spare: bool = tabs - tab > paths.size() - found.size()
		if found.size() < paths.size() and (not is_spare or _is_title_of(title, paths[found.size()])):
			var _added: bool = found.append(title)
	var _error: Error = found.resize(paths.size()) as Error
	return found


static func _is_title_of(title: String, path: String) -> bool:
	var shown: String = title.replace(_MARK, "").strip_edges().get_file()
	if path == "":
		return title.contains(_MARK)
	return shown == path.get_file() or shown == path.get_file().get_basename()


static func _bar() -> TabBar:
	# Looking through the whole editor takes as long as thirty calls.
	if not is_instance_valid(_found):
		_found = _find_bar()
	return _found


static func _find_bar() -> TabBar:
	for holder: Node in EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false):
		for bar: Node in holder.find_children("*", "TabBar", true, false):
			return bar
	return null
