@tool
extends RefCounted
## The open scenes, and which of them have changes that are not saved.

const _MARK: String = "(*)"

static var _found: TabBar = null


## [{path, name, current, unsaved}] in the order of the tabs.
static func scenes() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var root: Node = EditorInterface.get_edited_scene_root()
	var current: String = root.scene_file_path if root != null else ""
	var paths: PackedStringArray = EditorInterface.get_open_scenes()
	var bar: TabBar = _bar()
	for index: int in paths.size():
		var path: String = paths[index]
		var marked: bool = _is_marked(bar, path, index, paths.size())
		found.append({"path": path, "name": path.get_file(), "current": path == current, "unsaved": marked})
	if root != null and current == "":
		found.append({"path": "", "name": str(root.name), "current": true, "unsaved": true})
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


## The editor tells nobody which scenes are unsaved but the person who looks at the tabs.
static func _is_marked(bar: TabBar, path: String, index: int, count: int) -> bool:
	if bar == null:
		return false
	if bar.tab_count == count:
		return bar.get_tab_title(index).contains(_MARK)
	for tab: int in bar.tab_count:
		var title: String = bar.get_tab_title(tab)
		if title.contains(_MARK) and title.contains(path.get_file().get_basename()):
			return true
	return false


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
