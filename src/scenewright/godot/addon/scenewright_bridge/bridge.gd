@tool
extends RefCounted
## The bridge: ties socket, handshake, methods and events together. One per editor.

signal changed
signal called(client: int, method: String, code: int, usec: int)

const Dispatcher = preload("rpc/dispatcher.gd")
const Inspection = preload("methods/inspection.gd")
const Pace = preload("editor/pace.gd")
const Records = preload("editor/records.gd")
const Scenes = preload("editor/scenes.gd")
const Server = preload("net/server.gd")
const Sessions = preload("rpc/sessions.gd")
const Settings = preload("editor/settings.gd")
const System = preload("methods/system.gd")
const Version = preload("version.gd")

var settings: Settings
var sessions: Sessions

var _server: Server = Server.new()
var _dispatcher: Dispatcher = Dispatcher.new()
var _pace: Pace = Pace.new()
var _scenes: Scenes = Scenes.new()
var _groups: Array[RefCounted] = []


func _init(with: Settings) -> void:
	settings = with
	sessions = Sessions.new(settings, _greeting)
	var system: System = System.new(_scenes)
	_dispatcher.offer("ping", system.ping, true)
	_offer(system, system.methods())
	var inspection: Inspection = Inspection.new(_scenes)
	_offer(inspection, inspection.methods())
	var _wired: Array[int] = [
		_server.opened.connect(sessions.open),
		_server.heard.connect(_hear),
		_server.closed.connect(_forget),
		sessions.said.connect(_server.send),
		sessions.dismissed.connect(_server.close),
		sessions.admitted.connect(_dispatcher.take),
		sessions.changed.connect(changed.emit),
		_dispatcher.answered.connect(_server.send),
		_dispatcher.called.connect(called.emit),
	]


func start() -> Error:
	var error: Error = _server.listen(settings.port())
	if error == OK:
		var token: String = Records.token()
		if settings.checks_token() and settings.token() == "" and token == "":
			push_error("Scenewright: the token cannot be written to %s, so nobody can connect." % Records.token_file())
		var _published: bool = Records.publish(_facts())
	changed.emit()
	return error


func stop() -> void:
	_server.stop()
	_pace.release()
	Records.withdraw()
	changed.emit()


func port() -> int:
	return _server.port


func poll() -> void:
	if _server.port == 0:
		return
	_server.poll()
	_dispatcher.work(Time.get_ticks_usec() + settings.integer(Settings.BUDGET) * 1000)
	_pace.follow(_dispatcher.is_busy() or _server.is_busy())


func _offer(group: RefCounted, methods: Dictionary) -> void:
	_groups.append(group)
	for method: String in methods:
		var answer: Callable = methods[method]
		_dispatcher.offer(method, answer)


func _hear(client: int, text: String) -> void:
	_pace.touch()
	sessions.hear(client, text)


func _forget(client: int) -> void:
	_dispatcher.forget(client)
	sessions.close(client)


func _greeting() -> Dictionary:
	return {
		"godot_version": Version.engine_number(),
		"plugin_version": Version.PLUGIN,
		"capabilities": Version.CAPABILITIES,
		"protocol_version": Version.PROTOCOL,
		"min_supported_version": Version.OLDEST_PROTOCOL,
		"auth": "token" if settings.checks_token() else "off",
	}


func _facts() -> Dictionary:
	return {
		"host": Server.HOST,
		"port": _server.port,
		"url": "ws://%s:%d/" % [Server.HOST, _server.port],
		"pid": OS.get_process_id(),
		"project": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"project_name": str(ProjectSettings.get_setting("application/config/name", "")),
		"protocol_version": Version.PROTOCOL,
		"min_supported_version": Version.OLDEST_PROTOCOL,
		"plugin_version": Version.PLUGIN,
		"godot_version": Version.engine_number(),
		"auth": "token" if settings.checks_token() else "off",
		"token_file": Records.token_file(),
		"headless": DisplayServer.get_name() == "headless",
		"started": Time.get_unix_time_from_system(),
	}
