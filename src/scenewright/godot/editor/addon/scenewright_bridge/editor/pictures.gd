@tool
extends RefCounted
## Pictures of the editor's viewports, and making them small enough to send.

const Turns = preload("../rpc/turns.gd")

const _WAIT: int = 5000

## Why `of_viewport` came back with nothing.
var problem: String = ""

var _turns: Turns
var _main_screen: String = ""


func _init(turns: Turns) -> void:
	_turns = turns


## The editor's main screen changed; whoever looks elsewhere for a picture goes back to it.
func note_main_screen(screen: String) -> void:
	_main_screen = screen


## The picture of the 2D or 3D viewport after a frame was drawn. A viewport that is not on the
## screen is brought there for the moment: the editor draws no others.
func of_viewport(kind: String) -> Image:
	problem = ""
	if DisplayServer.get_name() == "headless":
		problem = "the editor runs without a screen"
		return null
	var viewport: SubViewport = _viewport(kind)
	var back: String = _main_screen
	var shown: Control = viewport.get_parent() as Control
	var hidden: bool = shown != null and not shown.is_visible_in_tree()
	if hidden:
		EditorInterface.set_main_screen_editor(kind.to_upper())
	var drawn: bool = true
	for _frame: int in 3 if hidden else 1:
		drawn = drawn and await _drawn()
	var image: Image = viewport.get_texture().get_image() if drawn else null
	if hidden and back != "":
		EditorInterface.set_main_screen_editor(back)
	if image == null or image.is_empty():
		problem = "the viewport was not drawn" if not drawn else "the viewport has no picture"
		return null
	return image


## The viewport that the person looks at; under another main screen, the one for the scene that is edited.
static func in_front() -> String:
	for kind: String in ["2d", "3d"]:
		var shown: Control = _viewport(kind).get_parent() as Control
		if shown != null and shown.is_visible_in_tree():
			return kind
	return "3d" if EditorInterface.get_edited_scene_root() is Node3D else "2d"


static func _viewport(kind: String) -> SubViewport:
	if kind == "3d":
		return EditorInterface.get_editor_viewport_3d(0)
	return EditorInterface.get_editor_viewport_2d()


## {image, width, height} as the protocol has it; encoded beside the main thread.
func encoded(image: Image, width: int, height: int, format: String, quality: float) -> Dictionary:
	var made: Dictionary = {}
	var task: int = WorkerThreadPool.add_task(_encode.bind(image, Vector2i(width, height), format, quality, made))
	while not WorkerThreadPool.is_task_completed(task):
		await _turns.next
	var _waited: Error = WorkerThreadPool.wait_for_task_completion(task)
	return made


static func data_uri(bytes: PackedByteArray, format: String) -> String:
	return "data:image/%s;base64,%s" % ["jpeg" if format == "jpg" else "png", Marshalls.raw_to_base64(bytes)]


static func _encode(image: Image, limit: Vector2i, format: String, quality: float, made: Dictionary) -> void:
	var size: Vector2i = image.get_size()
	var scale: float = minf(1.0, minf(float(limit.x) / size.x, float(limit.y) / size.y))
	if scale < 1.0:
		image.resize(maxi(1, roundi(size.x * scale)), maxi(1, roundi(size.y * scale)), Image.INTERPOLATE_LANCZOS)
	if format == "jpg":
		image.convert(Image.FORMAT_RGB8)
	var bytes: PackedByteArray = image.save_jpg_to_buffer(quality) if format == "jpg" else image.save_png_to_buffer()
	made["image"] = data_uri(bytes, format)
	made["width"] = image.get_width()
	made["height"] = image.get_height()


## Waits for the end of a drawn frame. The editor draws only what changed, so a change is made.
func _drawn() -> bool:
	var seen: Array[bool] = [false]
	var note: Callable = func() -> void: seen[0] = true
	var _wired: int = RenderingServer.frame_post_draw.connect(note, CONNECT_ONE_SHOT)
	var until: int = Time.get_ticks_msec() + _WAIT
	while not seen[0] and Time.get_ticks_msec() < until:
		EditorInterface.get_base_control().queue_redraw()
		await _turns.next
	if not seen[0]:
		RenderingServer.force_draw()
	if RenderingServer.frame_post_draw.is_connected(note):
		RenderingServer.frame_post_draw.disconnect(note)
	return seen[0]
