@tool
extends RefCounted
## What files held when they were opened or saved here, so that nobody's changes are overwritten.
##
## A file's time is looked at first, its content only where that tells nothing. It counts in seconds: what was
## written in the second of the last look may differ with the same time.

const _COARSE: float = 2.0

## Path to {md5, time, size, at}: its content, its time, its length, and when that was looked up.
var _known: Dictionary = {}


## The file holds what is open here: it was just loaded or saved.
func note(path: String) -> void:
	_known[path] = _look(path)


func forget(path: String) -> void:
	var _was_known: bool = _known.erase(path)


func knows(path: String) -> bool:
	return _known.has(path)


## Whether the file held this when it was opened or saved here.
func is_known(path: String, md5: String) -> bool:
	return _known.has(path) and _known[path]["md5"] == md5


## Whether the file is no longer what was opened or saved here. `closely` looks at its length, too.
func has_changed(path: String, closely: bool = false) -> bool:
	if not _known.has(path):
		return false
	var known: Dictionary = _known[path]
	var time: int = FileAccess.get_modified_time(path)
	var at: float = known["at"]
	if time == known["time"] and time + _COARSE < at and not (closely and _length(path) != known["size"]):
		return false
	var found: Dictionary = _look(path)
	if found["md5"] == known["md5"]:
		_known[path] = found
		return false
	return found["md5"] != ""


## The same by its content alone, as a program may have given the file its old time. For what happens seldom.
func differs(path: String) -> bool:
	var md5: String = FileAccess.get_md5(path) if _known.has(path) else ""
	return md5 != "" and md5 != _known[path]["md5"]


## Whether the file was written right before it was looked at.
func is_fresh(path: String) -> bool:
	return _known.has(path) and _known[path]["time"] + _COARSE >= _known[path]["at"]


## Whether there was a file and is none any more.
func is_gone(path: String) -> bool:
	return _known.has(path) and _known[path]["md5"] != "" and not FileAccess.file_exists(path)


static func _look(path: String) -> Dictionary:
	var at: float = Time.get_unix_time_from_system()
	var time: int = FileAccess.get_modified_time(path)
	return {"md5": FileAccess.get_md5(path), "time": time, "size": _length(path), "at": at}


static func _length(path: String) -> int:
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	return file.get_length() if file != null else -1
