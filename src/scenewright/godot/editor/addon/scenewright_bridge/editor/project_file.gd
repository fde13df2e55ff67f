@tool
extends RefCounted
## Takes in the settings of a project.godot that changed on disk. The editor itself reads the file only when
## it starts, and writes its own settings over it as soon as the person changes one.
##
## Only what is new in the file is taken, so that a change which the person has just made stays.

const PATH: String = "res://project.godot"

var _seen: Dictionary = _settings_in(PATH)


func take_in() -> void:
	var found: Dictionary = _settings_in(PATH)
	if found.is_empty():
		return
	for setting: String in _seen:
		if not found.has(setting):
			# What it is without the file; null for what only the file has, which removes it.
			ProjectSettings.set_setting(setting, ProjectSettings.property_get_revert(setting))
	for setting: String in found:
		if not _seen.has(setting) or var_to_str(_seen[setting]) != var_to_str(found[setting]):
			ProjectSettings.set_setting(setting, found[setting])
	_seen = found
	_settle()


## Where the editor would write the very same file it does, and then knows it. Otherwise it asks the person,
## whenever they come back to its window, whether to load the file that is newer.
static func _settle() -> void:
	var scratch: String = EditorInterface.get_editor_paths().get_cache_dir().path_join(
		"scenewright-%d.godot" % OS.get_process_id()
	)
	if ProjectSettings.save_custom(scratch) != OK:
		return
	var agrees: bool = FileAccess.get_md5(scratch) == FileAccess.get_md5(PATH)
	var _removed: Error = DirAccess.remove_absolute(scratch)
	if agrees:
		var _saved: Error = ProjectSettings.save()


static func _settings_in(path: String) -> Dictionary:
	var file: ConfigFile = ConfigFile.new()
	var found: Dictionary = {}
	if file.load(path) != OK:
		return found
	for section: String in file.get_sections():
		for key: String in file.get_section_keys(section):
			if section != "":
				found["%s/%s" % [section, key]] = file.get_value(section, key)
	return found
