extends Node
## Joins a running game for one run and answers the editor's bridge over the debugger's channel.
## It is an autoload of that run only; the project does not know it. No caller may name what begins as some methods do.

const Inputs = preload("inputs.gd")

const PREFIX: String = "scenewright"

const _PART: int = 1 << 20
const _FAREWELL: int = 50

var _inputs: Inputs = Inputs.new()


func _ready() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	if not EngineDebugger.is_active():
		return
	EngineDebugger.register_message_capture(PREFIX, _scenewright_on_message)
	EngineDebugger.send_message(PREFIX + ":hello", [OS.get_process_id()])
	var _heard: Error = get_tree().root.window_input.connect(_inputs.take) as Error


func _process(delta: float) -> void:
	_inputs.pass_time(delta, get_tree().current_scene)


func _exit_tree() -> void:
	if EngineDebugger.is_active():
		EngineDebugger.send_message(PREFIX + ":bye", [])
		EngineDebugger.unregister_message_capture(PREFIX)
		# Another thread sends it, and what it has not sent when the engine ends is lost.
		OS.delay_msec(_FAREWELL)


func _scenewright_on_message(message: String, data: Array) -> bool:
	match message:
		"capture":
			_capture.call(data)
		"join":
			_scenewright_let_in(str(data[0]))
		"pause":
			get_tree().paused = data[0]
		"inputs":
			var size: Vector2i = get_tree().root.size
			var facts: Array = [_inputs.scene_path, _inputs.seconds, size.x, size.y, _inputs.left_out]
			EngineDebugger.send_message(PREFIX + ":inputs", [data[0], facts, _inputs.told()])
		"state":
			EngineDebugger.send_message(PREFIX + ":state", [data[0], Engine.get_process_frames(), get_tree().paused])
		_:
			return false
	return true


## The guest answers for the game from then on; the bridge brings along where its script is.
func _scenewright_let_in(folder: String) -> void:
	var script: GDScript = load(folder.path_join("guest.gd"))
	if script == null:
		return
	var guest: Node = script.call("new")
	add_child(guest)
	var _joined: Variant = guest.call("_scenewright_join", folder)


func _capture(request: Array) -> void:
	var forced: bool = request[5]
	if DisplayServer.get_name() == "headless":
		EngineDebugger.send_message(PREFIX + ":no_picture", [request[0], "the game runs without a screen"])
		return
	if forced:
		RenderingServer.force_draw()
	else:
		await RenderingServer.frame_post_draw
	var image: Image = get_tree().root.get_texture().get_image()
	if image == null or image.is_empty():
		EngineDebugger.send_message(PREFIX + ":no_picture", [request[0], "the game's window has no picture"])
		return
	_send(request, image)


func _send(request: Array, image: Image) -> void:
	var width: int = request[1]
	var height: int = request[2]
	var quality: float = request[4]
	var scale: float = minf(1.0, minf(float(width) / image.get_width(), float(height) / image.get_height()))
	if scale < 1.0:
		var wide: int = maxi(1, roundi(image.get_width() * scale))
		image.resize(wide, maxi(1, roundi(image.get_height() * scale)), Image.INTERPOLATE_LANCZOS)
	var bytes: PackedByteArray = image.save_jpg_to_buffer(quality) if request[3] == "jpg" else image.save_png_to_buffer()
	var scene: Node = get_tree().current_scene
	var path: String = scene.scene_file_path if scene != null else ""
	var at: int = 0
	while at < bytes.size():
		var part: PackedByteArray = bytes.slice(at, at + _PART)
		at += part.size()
		var facts: Array = [request[0], part, bytes.size(), image.get_width(), image.get_height(), path]
		EngineDebugger.send_message(PREFIX + ":picture", facts)
