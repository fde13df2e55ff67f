@tool
extends RefCounted
## What scene files held when they were opened or saved here, so that nobody's changes are
## overwritten; and telling the editor that files changed.

const Tabs = preload("tabs.gd")

var _known: Dictionary = {}


## Call for a scene that was just opened, switched to or saved.
func note(path: String, anew: bool) -> void:
	if path != "" and (anew or not _known.has(path)):
		_known[path] = FileAccess.get_md5(path)


func forget(path: String) -> void:
	var _there: bool = _known.erase(path)


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
