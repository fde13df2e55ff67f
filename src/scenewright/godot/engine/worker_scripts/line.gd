extends RefCounted
## What answers for a worker: the connection, the requests that came over it, and the modules that know them.

const MARK: String = "@scenewright"
const SETTLING_FRAMES: int = 20
const WARNINGS: String = "debug/gdscript/warnings/enable"

var _tree: SceneTree
var _ended: Signal
var _peer: StreamPeerTCP = StreamPeerTCP.new()
var _incoming: PackedByteArray = PackedByteArray()
var _waiting: Array[Dictionary] = []
var _current: int = 0
var _greeted: bool = false
var _idle: int = 0
var _modules: Dictionary = {}
var _is_lock_step: bool = OS.get_environment("SCENEWRIGHT_LOCK_STEP") != ""


func _init(tree: SceneTree, port: int) -> void:
	_tree = tree
	_ended = Signal(tree, "frame_ended")
	OS.low_processor_usage_mode = true
	OS.low_processor_usage_mode_sleep_usec = 200
	if _peer.connect_to_host("127.0.0.1", port) != OK:
		_tree.quit(1)


## Serves requests as a frame begins, and sees to it that its end is told.
func pass_frame() -> void:
	if not _is_lock_step and _serve():
		_tree.quit()
	if _is_lock_step or _current != 0:
		var _connected: int = _tree.create_timer(0.0, true, false, true).timeout.connect(_come_last, CONNECT_DEFERRED)


## Timers are the last that a tree does in a frame but for deletions; what is deferred then runs after those.
func _come_last() -> void:
	_end_frame.call_deferred()


func _end_frame() -> void:
	_ended.emit()
	_hold()


## Answers requests while no frame passes, until one asks for frames; what each defers runs before the next.
func _hold() -> void:
	while _is_lock_step and _current == 0 and _waiting.is_empty():
		if _serve_held():
			_tree.quit()
			return
	if _is_lock_step and _current == 0:
		_work()
		_hold.call_deferred()


## Waits at the line, and takes up what came in; whether there is nobody left to ask.
func _serve_held() -> bool:
	var _polled: Error = _peer.poll()
	if _peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_usec(200)
		return false
	if _peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		return true
	_greet()
	_idle = SETTLING_FRAMES
	_sleep()
	_read()
	return false


## Takes up what came in, and works on it; whether there is nobody left to ask.
func _serve() -> bool:
	var _polled: Error = _peer.poll()
	match _peer.get_status():
		StreamPeerTCP.STATUS_CONNECTING:
			return false
		StreamPeerTCP.STATUS_CONNECTED:
			_greet()
			_sleep()
			_read()
			_work()
			return false
	return true  # the server is gone, and with it our reason to be


func _greet() -> void:
	if _greeted:
		return
	_greeted = true
	_peer.set_no_delay(true)
	var version: Dictionary = Engine.get_version_info()
	_send({"jsonrpc": "2.0", "method": "hello", "params": {
		"token": OS.get_environment("SCENEWRIGHT_WORKER_TOKEN"), "version": version["string"], "pid": OS.get_process_id(),
	}})
	OS.unset_environment("SCENEWRIGHT_WORKER_TOKEN")  # so that no script of the project can read it


## Sleeps at the line once there is nothing to do and the engine has settled: whoever asks wakes it at once.
func _sleep() -> void:
	_idle = 0 if _current != 0 or not _waiting.is_empty() or _peer.get_available_bytes() > 0 else _idle + 1
	if _idle < SETTLING_FRAMES:
		return
	_idle = 0
	var received: Array = _peer.get_data(1)
	if received[0] == OK:
		var bytes: PackedByteArray = received[1]
		_incoming.append_array(bytes)


func _read() -> void:
	var available: int = _peer.get_available_bytes()
	if available <= 0:
		return
	var received: Array = _peer.get_data(available)
	var bytes: PackedByteArray = received[1]
	_incoming.append_array(bytes)
	var start: int = 0
	var end: int = _incoming.find(10)
	while end >= 0:
		var request: Variant = JSON.parse_string(_incoming.slice(start, end).get_string_from_utf8())
		if request is Dictionary:
			_waiting.append(request)
		start = end + 1
		end = _incoming.find(10, start)
	_incoming = _incoming.slice(start)


func _work() -> void:
	if _current != 0 or _waiting.is_empty():
		return
	var request: Dictionary = _waiting.pop_front()
	_current = str(request["id"]).to_int()
	var parts: PackedStringArray = str(request["method"]).split(".")
	printerr(MARK, " begin ", _current)
	answer(await Callable(_module(parts[0]), parts[1]).call(request.get("params", {})))


## Ends the request that is under way; a module calls this itself only where it will not live to return.
func answer(result: Variant) -> void:
	printerr(MARK, " end ", _current)
	_send({"jsonrpc": "2.0", "id": _current, "result": result})
	_current = 0


## A module is loaded without the project's warnings, which may be errors there and are no business of ours.
func _module(noun: String) -> Object:
	if not _modules.has(noun):
		var own: Script = get_script()
		var wanted: Variant = ProjectSettings.get_setting(WARNINGS)
		_warn(false)
		var script: GDScript = load(own.resource_path.get_base_dir().path_join(noun + ".gd"))
		_warn(wanted)
		_modules[noun] = script.new(_tree, self)
	return _modules[noun]


func _warn(wanted: Variant) -> void:
	ProjectSettings.set_setting(WARNINGS, wanted)
	ProjectSettings.settings_changed.emit()  # the parser looks only then, and the engine would tell it a frame later


## Tells how far a long request has got.
func tell(done: int, total: int, message: String = "") -> void:
	_send({"jsonrpc": "2.0", "method": "progress", "params": {"done": done, "total": total, "message": message}})


func _send(message: Dictionary) -> void:
	var _sent: Error = _peer.put_data((JSON.stringify(message, "", false) + "\n").to_utf8_buffer())
