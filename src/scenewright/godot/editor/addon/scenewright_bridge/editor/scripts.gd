@tool
extends RefCounted
## The script editor: which files it has open; and which of them, and of shaders, hold text that is not saved.

const Shaders = preload("shaders.gd")

const _PATH: StringName = &"_edit_res_path"


## [{path, current, unsaved}] in the order of its list.
static func listed() -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var front: ScriptEditorBase = EditorInterface.get_script_editor().get_current_editor()
	for page: ScriptEditorBase in EditorInterface.get_script_editor().get_open_script_editors():
		found.append({"path": _path_of(page), "current": page == front, "unsaved": is_unsaved(page.get_base_editor() as TextEdit)})
	return found


## Scripts, other texts and shaders.
static func unsaved() -> Array:
	var found: Array = listed().filter(func(script: Dictionary) -> bool: return script["unsaved"]).map(
		func(script: Dictionary) -> String: return str(script["path"])
	)
	var shaders: Dictionary = Shaders.fields()
	for path: String in shaders:
		var field: CodeEdit = shaders[path]
		if is_unsaved(field):
			found.append(path)
	return found


## The text field of an open file, a shader or not, or null.
static func field_of(path: String) -> CodeEdit:
	for page: ScriptEditorBase in EditorInterface.get_script_editor().get_open_script_editors():
		if _path_of(page) == path:
			return page.get_base_editor() as CodeEdit
	var shader: CodeEdit = Shaders.fields().get(path)
	return shader


## Puts the caret of an open file at a line and column, from 1. (Before 4.5 the editor itself leaves the column out,
## and the first line.)
static func place_caret(path: String, line: int, column: int) -> void:
	var field: CodeEdit = field_of(path)
	if field != null and line > 0:
		field.set_caret_line(mini(line, field.get_line_count()) - 1)
		field.set_caret_column(maxi(column - 1, 0))


## Shows what a file holds now, unless the person has written something into it.
static func take_in(path: String) -> void:
	var field: CodeEdit = field_of(path)
	if field == null or is_unsaved(field) or not FileAccess.file_exists(path):
		return
	var text: String = FileAccess.get_file_as_string(path)
	if field.text == text:
		return
	var line: int = field.get_caret_line()
	field.text = text
	field.set_caret_line(mini(line, field.get_line_count() - 1))
	field.tag_saved_version()
	var loaded: Resource = load(path) if ResourceLoader.exists(path) else null
	if loaded is Script:
		(loaded as Script).source_code = text
	elif loaded is Shader:
		(loaded as Shader).code = text


static func is_unsaved(field: TextEdit) -> bool:
	return field != null and field.get_version() != field.get_saved_version()


## The editor notes a file's path at its page. Where it does not, scripts and pages stand in one order.
static func _path_of(page: ScriptEditorBase) -> String:
	if page.has_meta(_PATH):
		return str(page.get_meta(_PATH))
	var pages: Array[ScriptEditorBase] = EditorInterface.get_script_editor().get_open_script_editors()
	var scripts: Array[Script] = EditorInterface.get_script_editor().get_open_scripts()
	var at: int = pages.find(page)
	return scripts[at].resource_path if pages.size() == scripts.size() and at >= 0 else ""
