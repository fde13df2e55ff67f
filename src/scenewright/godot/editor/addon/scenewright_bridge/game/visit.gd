@tool
extends RefCounted
## What makes the helper join a run: an `override.cfg` beside the project's settings, which the
## game reads at its start. It is there for a moment only, and never where the project has its own.

const Records = preload("../editor/records.gd")

const _FILE: String = "res://override.cfg"
const _MARK: String = "; Written by Scenewright for one run. It can be deleted."
## A game of an editor without a screen has none either.
const _UNSEEN: PackedStringArray = [
	"[display]",
	'display_server/driver="headless"',
	'display_server/driver.linuxbsd="headless"',
	'display_server/driver.macos="headless"',
	'display_server/driver.windows="headless"',
	"[audio]",
	'driver/driver="Dummy"',
	"",
]
const _HELPER: String = "res://addons/scenewright_bridge/game/helper.gd"


## Where the game of this editor writes its log.
static func log_file() -> String:
	return Records.bridges().path_join("%d.log" % OS.get_process_id())


## Whether the next game that starts will be joined.
static func prepare() -> bool:
	clean_up()
	if FileAccess.file_exists(_FILE) or not Records.make_folders():
		return false
	var file: FileAccess = FileAccess.open(_FILE, FileAccess.WRITE)
	if file == null:
		return false
	var lines: PackedStringArray = [
		_MARK,
		"[autoload]",
		'ScenewrightGame="*%s"' % _HELPER,
		"[debug]",
		"file_logging/enable_file_logging=true",
		"file_logging/max_log_files=1",
		'file_logging/log_path="%s"' % log_file().c_escape(),
		"",
	]
	if DisplayServer.get_name() == "headless":
		lines.append_array(_UNSEEN)
	Records.store(file, "\n".join(lines))
	return true


## Removes what is ours, also from a run that was cut short.
static func clean_up() -> void:
	if FileAccess.file_exists(_FILE) and FileAccess.get_file_as_string(_FILE).begins_with(_MARK):
		var _error: Error = DirAccess.remove_absolute(ProjectSettings.globalize_path(_FILE))


static func remove_log() -> void:
	if FileAccess.file_exists(log_file()):
		var _error: Error = DirAccess.remove_absolute(log_file())
