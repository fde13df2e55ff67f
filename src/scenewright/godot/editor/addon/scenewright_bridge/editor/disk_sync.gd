@tool
extends RefCounted
## Keeps open scenes in step with their files, which other programs change, too.
##
## A scene without unsaved changes is loaded anew. One with changes on both sides is left alone and told of; no call
## edits it until one side gives way.

## {scene_path, outcome: "reloaded" | "conflict" | "deleted" | "unreadable" | "overwritten", message, kept_at?}
signal told(news: Dictionary)

const Files = preload("files.gd")
const Parts = preload("parts.gd")
const Records = preload("records.gd")
const Reloading = preload("reloading.gd")
const Replies = preload("../rpc/replies.gd")
const Reply = preload("../rpc/reply.gd")
const Tabs = preload("tabs.gd")
const Turns = preload("../rpc/turns.gd")

## Milliseconds between two looks when nobody calls, and between two looks at what scenes are made of.
const _EVERY: int = 250
const _PARTS_EVERY: int = 100
const _HOW: Dictionary = {
	"conflict": "%s was changed on disk and has unsaved changes here. Save it under another name, or reload it.",
	"deleted": "The file of %s is gone. Save the scene to write it again, or close it.",
	"unreadable": "%s was changed on disk and can no longer be loaded. Save the scene to write it again.",
	"reloaded": "%s was changed on disk and is reloaded.",
	"overwritten": "%s was saved over what another program had written to it meanwhile. That is kept in %s.",
}

## Files are being taken in through the bridge, which sees to open scenes afterwards.
var waits: bool = false

var _files: Files
var _turns: Turns
var _reloading: Reloading
var _open: PackedStringArray = PackedStringArray()
## By open scene: the files it is made of.
var _parts: Dictionary = {}
## By open scene: {outcome, md5} of those that differ from their files and stay so.
var _clashes: Dictionary = {}
## Scenes that may be older than what is known of their files; and those that are about to be loaded.
var _doubted: Dictionary = {}
var _ahead: Dictionary = {}
## By open scene: the id of its root. And those that had unsaved changes when last looked at.
var _roots: Dictionary = {}
var _unsaved: Array = []
## By scene: what its file held right before the editor writes it, where that was not from here.
var _endangered: Dictionary = {}
var _busy: bool = false
var _next_look: int = 0
var _next_parts: int = 0
var _seen: String = ""


func _init(files: Files, turns: Turns) -> void:
	_files = files
	_turns = turns
	_reloading = Reloading.new(turns)


## Once per frame: notes what is opened, and looks at the disk now and then.
func poll() -> void:
	follow()
	var now: int = Time.get_ticks_msec()
	if now < _next_look or _busy or waits or Input.get_mouse_button_mask() != 0:
		return
	_next_look = now + _EVERY
	# A program may be in the midst of writing: what differs must do so twice in the same way.
	var found: String = _differences()
	if found != "" and found == _seen:
		_settle.call(false, true)
	_seen = found


func look_soon() -> void:
	_next_look = 0
	_next_parts = 0


## Notes scenes from when they are opened until they are closed. A file that was written right before may have been
## written after the scene was loaded.
func follow() -> void:
	_follow_root(EditorInterface.get_edited_scene_root())
	_unsaved = Tabs.unsaved()
	var open: PackedStringArray = EditorInterface.get_open_scenes()
	if open == _open:
		return
	for path: String in open:
		if path != "" and not path in _open:
			if not _ahead.has(path):
				_files.note(path)
				_doubted[path] = _files.is_fresh(path)
			take_parts(path)
	_ahead.clear()
	for path: String in _open:
		if not path in open:
			_forget(path)
	_open = open


## The editor itself makes a scene anew, too: for a scene inside it that changed, after a scan, as the person wishes.
## What it makes may be older than the file. And where it keeps unsaved changes it forgets (in 4.6) that there are some.
func _follow_root(root: Node) -> void:
	if root == null or root.scene_file_path == "":
		return
	var path: String = root.scene_file_path
	var id: int = root.get_instance_id()
	if _roots.get(path, id) != id:
		var as_file: bool = Parts.is_same(root, path)
		if path in _unsaved and not as_file:
			EditorInterface.mark_scene_as_unsaved()
		elif not as_file or _files.has_changed(path):
			_doubted[path] = true
	_roots[path] = id


## Right before a scene is loaded: what its file holds.
func note_ahead(path: String) -> void:
	_files.note(path)
	_ahead[path] = true


## An open scene was loaded or saved.
func take_parts(path: String) -> void:
	_parts[path] = Parts.of(path)
	var _clashed: bool = _clashes.erase(path)
	var root: Node = EditorInterface.get_edited_scene_root()
	if root != null and root.scene_file_path == path:
		_roots[path] = root.get_instance_id()
	for part: String in _parts[path]:
		if not _files.knows(part):
			_files.note(part)


## Why an open scene must not be edited: "" if it may.
func clash_of(path: String) -> String:
	return str(_clashes[path]["outcome"]) if _clashes.has(path) else ""


## The same as an answer to who wants to edit it; null if it may be.
func refusal_of(path: String) -> Reply:
	if not _clashes.has(path):
		return null
	var outcome: String = clash_of(path)
	var data: Dictionary = {"conflict": true, "clash": outcome, "suggestion": "Ask the person at the editor to decide"}
	return Replies.error(Replies.NOT_ALLOWED, advice(outcome, path).trim_suffix("."), data)


static func advice(outcome: String, path: String) -> String:
	return str(_HOW[outcome]) % path


## Before a call: open scenes are as their files, or it is known that they cannot be.
func settle() -> void:
	follow()
	if _is_settled():
		return
	await _settle()


## The same after files were written through the bridge, where nobody needs to be told: [loaded anew, left alone].
func settle_written() -> Array[PackedStringArray]:
	return await _settle(true)


## The editor is about to write a scene, or leaves it.
func note_before_save() -> void:
	for path: String in _open:
		if path != "" and _files.differs(path):
			_endangered[path] = FileAccess.get_file_as_bytes(path)


## The editor has written a scene.
func note_saved(path: String) -> void:
	var lost: PackedByteArray = _endangered.get(path, PackedByteArray())
	var _was: bool = _endangered.erase(path)
	if not lost.is_empty() and lost != FileAccess.get_file_as_bytes(path):
		var kept: String = Records.keep(path, lost)
		_tell(path, "overwritten", [path, kept], kept)
	_files.note(path)
	if path in _open:
		take_parts(path)


func _is_settled() -> bool:
	if not _clashes.is_empty():
		return false
	for path: String in _open:
		if _files.has_changed(path, true) or _files.is_gone(path) or _doubted.get(path, false):
			return false
	var now: int = Time.get_ticks_msec()
	if now < _next_parts:
		return true
	_next_parts = now + _PARTS_EVERY
	return _changed_parts().is_empty()


func _changed_parts() -> PackedStringArray:
	var found: Dictionary = {}
	for path: String in _parts:
		for part: String in _parts[path]:
			if not found.has(part) and not part in _open and _files.has_changed(part):
				found[part] = true
	return PackedStringArray(found.keys())


## What is different now, as a text: the same twice means that nobody is writing.
func _differences() -> String:
	var found: PackedStringArray = PackedStringArray()
	var front: String = _in_front()
	for path: String in _open:
		if path != front:
			continue
		if _files.has_changed(path, true) or _files.is_gone(path):
			var md5: String = FileAccess.get_md5(path) if FileAccess.file_exists(path) else ""
			if not (_clashes.has(path) and _clashes[path]["md5"] == md5):
				var _added: bool = found.append(path + md5)
		elif _clashes.has(path) or _doubted.get(path, false):
			var _added: bool = found.append(path)
	for part: String in _changed_parts():
		var _added: bool = found.append(part + FileAccess.get_md5(part))
	return "\n".join(found)


static func _in_front() -> String:
	var root: Node = EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""


## Scenes in other tabs must come to the front to be loaded. Where nobody calls they are left until they do.
func _settle(quietly: bool = false, only_in_front: bool = false) -> Array[PackedStringArray]:
	while _busy:
		await _turns.next
	_busy = true
	# The editor marks a scene as unsaved a frame after the change.
	await _turns.settled()
	follow()
	var stale: Dictionary = _take_in_parts()
	var clean: PackedStringArray = PackedStringArray()
	var kept: PackedStringArray = PackedStringArray()
	var changed: PackedStringArray = PackedStringArray()
	var scenes: Array[Dictionary] = Tabs.scenes()
	# What is in others first: these come after it.
	scenes.sort_custom(func(a: Dictionary, b: Dictionary) -> bool: return _size(a) < _size(b))
	for scene: Dictionary in scenes:
		var path: String = scene["path"]
		if only_in_front and path != _in_front():
			continue
		var unsaved: bool = scene["unsaved"]
		var outcome: String = _outcome(path, unsaved)
		if outcome == "reloaded":
			var _news: bool = changed.append(path)
			if not _holders(path).is_empty():
				Parts.refresh(path)
				stale.merge(_holders(path))
		var is_doubted: bool = _doubted.get(path, false)
		var _known_now: bool = _doubted.erase(path)
		if outcome == "reloaded" or outcome == "" and (stale.has(path) or is_doubted) and not unsaved:
			var _added: bool = clean.append(path)
		elif outcome != "":
			var _added: bool = kept.append(path)
			_clash(path, outcome)
		else:
			var _clashed: bool = _clashes.erase(path)
	var loaded: PackedStringArray = await _reloading.load_anew(clean, _files.note)
	for path: String in loaded:
		take_parts(path)
		if path in changed and not quietly:
			_tell(path, "reloaded", [path])
	_busy = false
	return [loaded, kept]


## Takes in what scenes are made of; the open scenes that have one of the changed scenes in them.
func _take_in_parts() -> Dictionary:
	var stale: Dictionary = {}
	for part: String in _changed_parts():
		Parts.refresh(part)
		_files.note(part)
		if Parts.is_scene(part):
			stale.merge(_holders(part))
	return stale


## The open scenes that a file is a part of.
func _holders(part: String) -> Dictionary:
	var found: Dictionary = {}
	for path: String in _parts:
		var parts: PackedStringArray = _parts[path]
		if part in parts:
			found[path] = true
	return found


func _size(scene: Dictionary) -> int:
	var parts: PackedStringArray = _parts.get(scene["path"], PackedStringArray())
	return parts.size()


## What is to become of an open scene: "" where it is as its file.
func _outcome(path: String, unsaved: bool) -> String:
	if _files.is_gone(path):
		return "deleted"
	if not _files.has_changed(path, true):
		return ""
	if unsaved:
		return "conflict"
	var packed: Resource = ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE)
	return "reloaded" if packed is PackedScene else "unreadable"


func _clash(path: String, outcome: String) -> void:
	var md5: String = FileAccess.get_md5(path) if FileAccess.file_exists(path) else ""
	var known: Dictionary = _clashes.get(path, {})
	_clashes[path] = {"outcome": outcome, "md5": md5}
	if known.get("outcome") != outcome or known.get("md5") != md5:
		_tell(path, outcome, [path])


func _forget(path: String) -> void:
	_files.forget(path)
	for table: Dictionary in [_parts, _clashes, _endangered, _doubted, _roots]:
		var _known: bool = table.erase(path)


func _tell(path: String, outcome: String, said: Array, kept: String = "") -> void:
	var news: Dictionary = {"scene_path": path, "outcome": outcome, "message": str(_HOW[outcome]) % said}
	if kept != "":
		news["kept_at"] = kept
	told.emit(news)
