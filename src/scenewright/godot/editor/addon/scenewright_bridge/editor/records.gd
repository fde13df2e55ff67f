@tool
extends RefCounted
## The user's own folder: the token, and the file by which clients find this editor. It lies outside
## every project, so that nothing in it can have come with one. The server finds it in the same way.

const HOME_VARIABLE: String = "SCENEWRIGHT_HOME"

const _OWNER: int = FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER
const _OWNER_FOLDER: int = _OWNER | FileAccess.UNIX_EXECUTE_OWNER


static func folder() -> String:
	var given: String = OS.get_environment(HOME_VARIABLE).strip_edges()
	if given.begins_with("~/"):
		return OS.get_environment("HOME").path_join(given.substr(2))
	if given != "":
		return given
	match OS.get_name():
		"Windows":
			var local: String = OS.get_environment("LOCALAPPDATA")
			if local == "":
				local = OS.get_environment("USERPROFILE").path_join("AppData/Local")
			return local.replace("\\", "/").path_join("scenewright")
		"macOS":
			return OS.get_environment("HOME").path_join("Library/Application Support/scenewright")
	var state: String = OS.get_environment("XDG_STATE_HOME")
	if not state.is_absolute_path():
		state = OS.get_environment("HOME").path_join(".local/state")
	return state.path_join("scenewright")


static func bridges() -> String:
	return folder().path_join("bridge")


static func token_file() -> String:
	return folder().path_join("token")


static func discovery_file() -> String:
	return bridges().path_join("%d.json" % OS.get_process_id())


## The user's token, made on first use. It is read anew each time: it may have been replaced.
static func token() -> String:
	var known: String = _read(token_file())
	if known != "" or not make_folders():
		return known
	var made: String = Marshalls.raw_to_base64(Crypto.new().generate_random_bytes(32))
	made = made.replace("+", "-").replace("/", "_").trim_suffix("=")
	var written: bool = _write(token_file(), made + "\n")
	# Another process may have made one in the same moment; whichever stands there now is the token.
	return _read(token_file()) if written else ""


static func publish(facts: Dictionary) -> bool:
	if not make_folders():
		return false
	_remove_dead()
	return _write(discovery_file(), JSON.stringify(facts, "  ", false) + "\n")


static func make_folders() -> bool:
	return _make_folder(folder()) and _make_folder(bridges())


## Keeps what a file held before the editor wrote it; where that is kept, or "".
static func keep(path: String, content: PackedByteArray) -> String:
	var place: String = folder().path_join("overwritten")
	var kept: String = place.path_join("%d-%s" % [floori(Time.get_unix_time_from_system()), path.get_file()])
	var file: FileAccess = null
	if _make_folder(folder()) and _make_folder(place):
		file = FileAccess.open(kept, FileAccess.WRITE)
	if file == null:
		return ""
	var _stored: Variant = file.call(&"store_buffer", content)
	file.close()
	var _error: Error = FileAccess.set_unix_permissions(kept, _OWNER)
	return kept


static func withdraw() -> void:
	var _error: Error = DirAccess.remove_absolute(discovery_file())


static func _read(path: String) -> String:
	if not FileAccess.file_exists(path):
		return ""
	if FileAccess.get_unix_permissions(path) & ~_OWNER & 0x1ff != 0:
		var _error: Error = FileAccess.set_unix_permissions(path, _OWNER)
	return FileAccess.get_file_as_string(path).strip_edges()


## Writes in the folder and renames, so that nobody reads half a file. The editor replaces
## a file it writes by a new one, so the permissions can be set only afterwards.
static func _write(path: String, text: String) -> bool:
	var temporary: String = bridges().path_join("%d.new" % OS.get_process_id())
	var file: FileAccess = FileAccess.open(temporary, FileAccess.WRITE) if make_folders() else null
	if file == null:
		return false
	store(file, text)
	file.close()
	var _error: Error = FileAccess.set_unix_permissions(temporary, _OWNER)
	return DirAccess.rename_absolute(temporary, path) == OK


## Replaces a file that lies elsewhere in this folder.
static func replace(path: String, text: String) -> bool:
	return path.get_base_dir().begins_with(folder()) and _write(path, text)


## Called by name: `store_string` returns nothing in Godot 4.3 and something later.
static func store(file: FileAccess, text: String) -> void:
	var _stored: Variant = file.call(&"store_string", text)


static func _make_folder(path: String) -> bool:
	if DirAccess.dir_exists_absolute(path):
		return true
	if DirAccess.make_dir_recursive_absolute(path) != OK:
		return DirAccess.dir_exists_absolute(path)
	var _error: Error = FileAccess.set_unix_permissions(path, _OWNER_FOLDER)
	return true


## Files of editors that were killed. Only where the system shows which processes there are.
static func _remove_dead() -> void:
	if not DirAccess.dir_exists_absolute("/proc/self"):
		return
	for file: String in DirAccess.get_files_at(bridges()):
		var pid: String = file.get_basename()
		if file.get_extension() == "json" and pid.is_valid_int() and not DirAccess.dir_exists_absolute("/proc/" + pid):
			var _error: Error = DirAccess.remove_absolute(bridges().path_join(file))
