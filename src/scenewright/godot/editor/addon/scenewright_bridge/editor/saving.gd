@tool
extends RefCounted
## Saves one scene, and tells all that was saved with it.
##
## With any scene the editor saves all that is typed into scripts and shaders. Nobody asked for that, so what is not
## saved there is undone for the moment of saving, and made again. Resources in files of their own that were edited go
## with the scene.

const Parts = preload("parts.gd")
const Scripts = preload("scripts.gd")


## Writes an open scene; the files that were written, the scene's first.
static func save(path: String) -> PackedStringArray:
	var typed: Array = Scripts.unsaved()
	var before: Dictionary = _contents(path, typed)
	var held: Array[Dictionary] = []
	for script: String in typed:
		held.append(_hold(Scripts.field_of(script)))
	# Without a preview: making one fails in an editor that has no screen.
	EditorInterface.save_scene_as(path, DisplayServer.get_name() != "headless")
	for text: Dictionary in held:
		_release(text)
	var saved: PackedStringArray = PackedStringArray([path])
	for file: String in before:
		if before[file] != FileAccess.get_md5(file):
			var _added: bool = saved.append(file)
	return saved


## What the files hold that could be written with a scene.
static func _contents(scene: String, typed: Array) -> Dictionary:
	var found: Dictionary = {}
	for path: String in Array(Parts.of(scene)) + typed:
		if path != scene and FileAccess.file_exists(path):
			found[path] = FileAccess.get_md5(path)
	return found


## Takes a text back to what is saved of it.
static func _hold(field: CodeEdit) -> Dictionary:
	if field == null:
		return {}
	var held: Dictionary = {
		"field": field,
		"line": field.get_caret_line(),
		"column": field.get_caret_column(),
		"scroll": field.scroll_vertical,
		"breakpoints": field.get_breakpointed_lines(),
		"bookmarks": field.get_bookmarked_lines(),
	}
	if field.has_selection():
		held["selection"] = [
			field.get_selection_from_line(),
			field.get_selection_from_column(),
			field.get_selection_to_line(),
			field.get_selection_to_column(),
		]
	held["steps"] = _steps_to_saved(field)
	return held


## Undoes until the saved version stands there, or redoes; how many steps lead back. None where it is out of reach.
static func _steps_to_saved(field: CodeEdit) -> int:
	var steps: int = 0
	while Scripts.is_unsaved(field) and field.has_undo():
		field.undo()
		steps += 1
	while Scripts.is_unsaved(field) and field.has_redo():
		field.redo()
		steps -= 1
	if Scripts.is_unsaved(field):
		_go(field, steps)
		return 0
	return steps


static func _release(held: Dictionary) -> void:
	if held.is_empty():
		return
	var field: CodeEdit = held["field"]
	var steps: int = held["steps"]
	_go(field, steps)
	var breakpoints: PackedInt32Array = held["breakpoints"]
	var bookmarks: PackedInt32Array = held["bookmarks"]
	for at: int in breakpoints:
		field.set_line_as_breakpoint(at, true)
	for at: int in bookmarks:
		field.set_line_as_bookmarked(at, true)
	var line: int = held["line"]
	var column: int = held["column"]
	var selection: Array = held.get("selection", [])
	if selection.is_empty():
		field.set_caret_line(line)
		field.set_caret_column(column)
	else:
		var _selected: Variant = field.callv(&"select", selection)
	field.scroll_vertical = held["scroll"]


static func _go(field: CodeEdit, steps: int) -> void:
	for _step: int in absi(steps):
		if steps > 0:
			field.redo()
		else:
			field.undo()
