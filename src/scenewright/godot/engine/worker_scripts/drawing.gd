extends RefCounted
## Takes pictures of the window: whole or around a node, enlarged, with what is invisible drawn over it.

const FRAME: float = 1.0 / 60.0
## Drawn before a picture, for what takes some frames to settle, and at the start, for what waits for a frame.
const SETTLING: int = 4
const MOST_NODES: int = 5000
## Between the pictures of a strip, and above each, where its number is.
const GAP: int = 4
const BAND: int = 18
const Framing: GDScript = preload("framing.gd")
const Marking: GDScript = preload("marking.gd")
const Viewing: GDScript = preload("viewing.gd")

var _worker: SceneTree
var _scene: Node
var _wanted: Dictionary
var _viewing: RefCounted
var _factor: float = 0.0
var _draws_all: bool = false
var _has_notifiers: bool = false
var _left_out: int = 0


func _init(worker: SceneTree, scene: Node, wanted: Dictionary) -> void:
	_worker = worker
	_scene = scene
	_wanted = wanted
	var overlays: Array = wanted.get("overlays", [])
	if overlays.has("shapes"):
		worker.debug_collisions_hint = true
		worker.debug_navigation_hint = true
	if overlays.has("paths"):
		worker.debug_paths_hint = true
	worker.node_added.connect(_notice)


## Draws other pictures from now on than those that were asked for at first.
func want(wanted: Dictionary) -> void:
	_wanted = wanted
	_factor = 0.0
	_viewing = null


## Draws the coming frame only if somebody is to see it: without a graphics card a frame takes long.
func prepare(frame: int) -> void:
	var drawn: bool = _draws_all or frame <= SETTLING
	for shown: float in _wanted.get("frames", []):
		drawn = drawn or (frame <= shown and frame > shown - SETTLING)
	drawn = drawn and not _is_film()
	RenderingServer.render_loop_enabled = drawn
	_left_out += 0 if drawn else 1


## These go on, or tell something to the game, only as they are drawn.
func _notice(node: Node) -> void:
	var moves: bool = node is GPUParticles2D or node is GPUParticles3D or node is SubViewport
	_has_notifiers = _has_notifiers or node is VisibleOnScreenNotifier2D
	var tells: bool = _has_notifiers or node is VisibleOnScreenNotifier3D
	_draws_all = _draws_all or moves or tells or _gathers(node)


## Light that is worked out over many frames.
func _gathers(node: Node) -> bool:
	var environment: Environment = (node as WorldEnvironment).environment if node is WorldEnvironment else null
	return environment != null and environment.sdfgi_enabled


## Draws another scene from now on.
func show(scene: Node) -> void:
	if scene != _scene:
		_viewing = null
	_scene = scene


## Whether a frame is to be drawn.
func wants(frame: int) -> bool:
	return _is_film() or (_wanted.get("frames", []) as Array).has(float(frame))


## A film has each frame; it is drawn when its picture is taken, and not before.
func _is_film() -> bool:
	return _wanted.get("film", false)


## Draws the window as it is, from each side that was asked for. No frame passes.
func draw(frame: int) -> Array:
	return _sides().map(func(side: String) -> Dictionary: return _draw(frame, side))


func _sides() -> Array:
	return _wanted.get("sides", [""])


## Saves a picture; where, how large, and which part of the window it is.
func _draw(frame: int, side: String) -> Dictionary:
	if _viewing == null:
		_viewing = Viewing.new(_worker, _scene, _wanted)
	var view: Dictionary = _viewing.begin(side)
	var framing: RefCounted = Framing.new(_worker.root, _scene, _wanted)
	framing.begin(not _has_notifiers or _is_last(frame))
	# Once more, as the view may have moved. Shaders get the time that was left out.
	RenderingServer.force_draw(false, _left_out * FRAME)
	_left_out = 0
	_viewing.end()
	var image: Image = framing.end(_worker.root.get_texture().get_image())
	image.convert(Image.FORMAT_RGBA8)
	var part: Rect2i = framing.part
	_enlarge(image)
	var overlays: Array = _wanted.get("overlays", [])
	var around: Node = _scene.get_node_or_null(NodePath(_wanted["node"] as String)) if _wanted.has("node") else null
	image = Marking.new(_worker.root, overlays, around).draw(_scene, image, part)
	image.convert(Image.FORMAT_RGB8)
	var path: String = (_wanted["folder"] as String).path_join("%d%s.%s" % [frame, side, "jpg" if _is_film() else "rgb"])
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	var bytes: PackedByteArray = image.save_jpg_to_buffer(0.9) if _is_film() else image.get_data()
	var _stored: Variant = file.store_buffer(bytes)  # since 4.3 it says whether it could
	file.close()
	return {
		"frame": frame, "side": side, "path": path, "width": image.get_width(), "height": image.get_height(),
		"part": [part.position.x, part.position.y, part.size.x, part.size.y], "view": view,
		"node": framing.state, "enlarged": image.get_width() > part.size.x, "crisp": _is_crisp(),
	}


func _is_last(frame: int) -> bool:
	var frames: Array = _wanted.get("frames", [])
	return frames.is_empty() or frame >= int(frames.max() as float)


## Makes a picture as large as was asked for; all of a strip by the same factor.
func _enlarge(image: Image) -> void:
	if _factor == 0.0:
		_factor = minf(_wanted.get("zoom", 1.0) as float, _most_factor(Vector2(image.get_size())))
	if is_equal_approx(_factor, 1.0):
		return
	var size: Vector2i = Vector2i((Vector2(image.get_size()) * _factor).round())
	image.resize(maxi(size.x, 1), maxi(size.y, 1), Image.INTERPOLATE_NEAREST if _factor > 1.0 else Image.INTERPOLATE_LANCZOS)


## The largest factor by which all frames fit into one picture, in as many rows as suit them best.
func _most_factor(size: Vector2) -> float:
	var most: float = _wanted.get("most", 900.0)
	var count: int = maxi((_wanted.get("frames", []) as Array).size(), 1) * _sides().size()
	var best: float = most / maxf(size.x, size.y) if count == 1 else 0.0
	for columns: int in range(1, count + 1 if count > 1 else 1):
		var rows: int = ceili(float(count) / columns)
		var across: float = (most - GAP * (columns - 1)) / (columns * size.x)
		var down: float = (most - GAP * (rows - 1) - BAND * rows) / (rows * size.y)
		best = maxf(best, minf(across, down))
	return maxf(best, 0.001)


## Whether lines or single pixels matter in what is shown: controls, and textures that are not smoothed.
func _is_crisp() -> bool:
	if _worker.root.canvas_item_default_texture_filter == Viewport.DEFAULT_CANVAS_ITEM_TEXTURE_FILTER_NEAREST:
		return _has_any(_is_drawn)
	return _has_any(_is_sharp)


func _has_any(judge: Callable) -> bool:
	var waiting: Array[Node] = [_scene]
	var seen: int = 0
	while not waiting.is_empty() and seen < MOST_NODES:
		var node: Node = waiting.pop_back()
		seen += 1
		if node is CanvasItem and (node as CanvasItem).is_visible_in_tree() and judge.call(node):
			return true
		waiting.append_array(node.get_children())
	return false


func _is_drawn(item: CanvasItem) -> bool:
	return item is Control or item is Sprite2D or item is AnimatedSprite2D or item.is_class("TileMapLayer") or item is TileMap


func _is_sharp(item: CanvasItem) -> bool:
	if item is TextureRect or not item is Control:
		var filter: CanvasItem.TextureFilter = item.texture_filter
		return filter == CanvasItem.TEXTURE_FILTER_NEAREST or filter == CanvasItem.TEXTURE_FILTER_NEAREST_WITH_MIPMAPS
	return not (item.get_class() == "Control" or item is Container and not item is PanelContainer or item is ColorRect)
