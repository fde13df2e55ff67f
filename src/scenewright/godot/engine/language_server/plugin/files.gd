@tool
extends EditorPlugin
## Tells an editor that nobody sees which files of its project changed, as soon as they did.
##
## Requests are lines of JSON: {"id": 1, "changed": ["res://a.gd"], "scripts": ["res://a.gd"]}.

const BUSY_USEC: int = 300
const IDLE_USEC: int = 8000
const BUSY_MSEC: int = 3000
const GUESSES: String = "network/language_server/enable_smart_resolve"

var _peer: StreamPeerTCP = StreamPeerTCP.new()
var _incoming: PackedByteArray = PackedByteArray()
var _greeted: bool = false
var _busy_until: int = 0
var _waiting: Dictionary = {}  # a request about folders that the editor is reading


func _enter_tree() -> void:
	var port: int = OS.get_environment("SCENEWRIGHT_WORKER_PORT").to_int()
	# Of a name that it cannot resolve it would tell whichever of that name it has read so far, as if it knew.
	EditorInterface.get_editor_settings().set_setting(GUESSES, false)
	var _error: int = _peer.connect_to_host("127.0.0.1", port)
	_peer.set_no_delay(true)


func _process(_delta: float) -> void:
	OS.low_processor_usage_mode_sleep_usec = BUSY_USEC if Time.get_ticks_msec() < _busy_until else IDLE_USEC
	var _polled: int = _peer.poll()
	if _peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		return
	if not _greeted:
		_greet()
		return
	if not _waiting.is_empty() and not EditorInterface.get_resource_filesystem().is_scanning():
		var request: Dictionary = _waiting
		_waiting = {}
		_take(request)
	var available: int = _peer.get_available_bytes()
	if available > 0:
		var got: Array = _peer.get_partial_data(available)
		var part: PackedByteArray = got[1]
		_incoming.append_array(part)
		_serve()


func _greet() -> void:
	if EditorInterface.get_resource_filesystem().is_scanning():
		return
	_greeted = true
	_say({"method": "hello", "params": {"token": OS.get_environment("SCENEWRIGHT_WORKER_TOKEN")}})


func _serve() -> void:
	_busy_until = Time.get_ticks_msec() + BUSY_MSEC
	var end: int = _incoming.find(10)
	while end >= 0:
		var line: String = _incoming.slice(0, end).get_string_from_utf8()
		_incoming = _incoming.slice(end + 1)
		var request: Variant = JSON.parse_string(line)
		if request is Dictionary:
			var message: Dictionary = request
			_answer(message)
		end = _incoming.find(10)


func _answer(request: Dictionary) -> void:
	if not request.has("id"):
		return  # only to be awake for what follows
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	var changed: Array = request.get("changed", [])
	if changed.any(_is_in_new_folder.bind(files)):
		files.scan()  # it takes single files only in folders that it knows
		_waiting = request
		return
	_take(request)


func _is_in_new_folder(path: String, files: EditorFileSystem) -> bool:
	return FileAccess.file_exists(path) and files.get_filesystem_path(path.get_base_dir()) == null


func _take(request: Dictionary) -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	var changed: Array = request.get("changed", [])
	for path: String in changed:
		files.update_file(path)
	var scripts: Array = request.get("scripts", [])
	for path: String in scripts:
		_reload(path)
	_say({"id": request.get("id")})


## The engine keeps what it compiled; a script that is loaded is given its new text.
func _reload(path: String) -> void:
	if not FileAccess.file_exists(path):
		return
	var script: GDScript = ResourceLoader.load(path) as GDScript
	if script == null:
		return
	script.source_code = FileAccess.get_file_as_string(path)
	var _error: int = script.reload(true)


func _say(message: Dictionary) -> void:
	var _sent: int = _peer.put_data((JSON.stringify(message) + "\n").to_utf8_buffer())
