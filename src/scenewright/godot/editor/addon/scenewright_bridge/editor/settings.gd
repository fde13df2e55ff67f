@tool
extends RefCounted
## The bridge's settings: Editor Settings > Scenewright > Bridge, which the environment goes before.

const PORT: String = "scenewright/bridge/port"
const START: String = "scenewright/bridge/start_with_editor"
const CHECK_TOKEN: String = "scenewright/bridge/check_token"
const ACTIONS: String = "scenewright/bridge/allow_actions"
const DANGEROUS: String = "scenewright/bridge/allow_dangerous_actions"
const JOIN_GAMES: String = "scenewright/bridge/join_running_games"
const BUDGET: String = "scenewright/bridge/frame_budget_msec"
const CAPTURE: String = "scenewright/bridge/max_capture_size"

const PORT_VARIABLE: String = "SCENEWRIGHT_BRIDGE_PORT"
const TOKEN_VARIABLE: String = "SCENEWRIGHT_BRIDGE_TOKEN"

const _DEFAULTS: Dictionary = {
	PORT: 6550,
	START: true,
	CHECK_TOKEN: true,
	ACTIONS: true,
	DANGEROUS: false,
	JOIN_GAMES: true,
	BUDGET: 8,
	CAPTURE: 2048,
}
const _RANGES: Dictionary = {PORT: "1024,65535", BUDGET: "1,100", CAPTURE: "64,8192"}

var _stored: EditorSettings = EditorInterface.get_editor_settings()


func _init() -> void:
	for key: String in _DEFAULTS:
		if not _stored.has_setting(key):
			_stored.set_setting(key, _DEFAULTS[key])
		_stored.set_initial_value(key, _DEFAULTS[key], false)
		var described: Dictionary = {"name": key, "type": typeof(_DEFAULTS[key])}
		if _RANGES.has(key):
			described["hint"] = PROPERTY_HINT_RANGE
			described["hint_string"] = _RANGES[key]
		_stored.add_property_info(described)


func port() -> int:
	var given: String = OS.get_environment(PORT_VARIABLE)
	return given.to_int() if given.is_valid_int() else integer(PORT)


## The token of the environment: "" where it names none, "off" where there shall be no check.
func token() -> String:
	return OS.get_environment(TOKEN_VARIABLE).strip_edges()


func checks_token() -> bool:
	return token() != "off" and (token() != "" or flag(CHECK_TOKEN))


func flag(key: String) -> bool:
	var value: bool = _stored.get_setting(key) == true
	return value


func integer(key: String) -> int:
	var value: int = _stored.get_setting(key)
	return value


func change(key: String, value: Variant) -> void:
	_stored.set_setting(key, value)
