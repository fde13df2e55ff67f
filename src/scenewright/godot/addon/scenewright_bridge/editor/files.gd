@tool
extends RefCounted
## What scene files held when they were opened or saved here, so that nobody's changes are
## overwritten; and telling the editor that files changed.

const Tabs = preload("tabs.gd")

var _known: Dictionary = {}
var _roots: Dictionary = {}

static var _exchanged: Dictionary = {}


## Once per frame: a root that was not there before has just been loaded from its file.
func see(root: Node) -> void:
	if root == null or root.scene_file_path == "":
		return
	var id: int = root.get_instance_id()
	if _roots.get(root.scene_file_path, 0) != id:
		_roots[root.scene_file_path] = id
		if not _exchanged.has(id):
			note(root.scene_file_path)


## Two roots of one open scene: to see the other in its place does not mean that a file was loaded.
static func note_exchange(old: Node, new: Node) -> void:
	_exchanged[old.get_instance_id()] = true
	_exchanged[new.get_instance_id()] = true


## The file holds what is open here: it was just loaded or saved.
func note(path: String) -> void:
	_known[path] = FileAccess.get_md5(path)


## Whether the file held this when it was opened or saved here.
func is_known(path: String, md5: String) -> bool:
	return _known.get(path, "") == md5


## Whether the file is no longer what was opened or saved here.
func has_changed(path: String) -> bool:
	return FileAccess.file_exists(path) and _known.has(path) and _known[path] != FileAccess.get_md5(path)


## Open scenes whose files changed: [without unsaved changes here, with them].
func changed_scenes() -> Array[PackedStringArray]:
	var clean: PackedStringArray = PackedStringArray()
	var dirty: PackedStringArray = PackedStringArray()
	for scene: Dictionary in Tabs.scenes():
		var path: String = scene["path"]
		if has_changed(path):
			var _added: bool = dirty.append(path) if scene["unsaved"] else clean.append(path)
	return [clean, dirty]
