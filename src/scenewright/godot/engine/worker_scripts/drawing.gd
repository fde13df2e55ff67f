extends RefCounted
## Takes pictures of the window: whole or around a node, enlarged, with what is invisible drawn over it.

const MARK: Color = Color(1, 0.2, 0.6)
const FRAME: float = 1.0 / 60.0
## Drawn before a picture, for what takes some frames to settle, and at the start, for what waits for a frame.
const SETTLING: int = 4
const Viewing: GDScript = preload("viewing.gd")

var _worker: SceneTree
var _scene: Node
var _wanted: Dictionary
var _overlay: Node2D
var _viewing: RefCounted
var _draws_all: bool = false
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


## Draws the coming frame only if somebody is to see it: without a graphics card a frame takes long.
func prepare(frame: int) -> void:
	var drawn: bool = _draws_all or frame <= SETTLING
	for shown: float in _wanted.get("frames", []):
		drawn = drawn or (frame <= shown and frame > shown - SETTLING)
	RenderingServer.render_loop_enabled = drawn
	_left_out += 0 if drawn else 1


## These go on, or tell something to the game, only as they are drawn.
func _notice(node: Node) -> void:
	var moves: bool = node is GPUParticles2D or node is GPUParticles3D or node is SubViewport
	var tells: bool = node is VisibleOnScreenNotifier2D or node is VisibleOnScreenNotifier3D
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


## Whether a frame is to be drawn; 0 asks whether the last is.
func wants(frame: int) -> bool:
	var frames: Array = _wanted.get("frames", [])
	return not _wanted.is_empty() and (frames.is_empty() if frame == 0 else frames.has(float(frame)))


## Draws the window as it is and saves it; where, how large, and which part of the window it is.
func draw(frame: int) -> Dictionary:
	RenderingServer.render_loop_enabled = true
	_cover()
	await RenderingServer.frame_post_draw
	if _viewing == null:
		_viewing = Viewing.new(_worker, _scene, _wanted)
	var view: Dictionary = _viewing.begin()
	# Once more, as the overlay joined in the first; a frame would be a step of the game. Shaders get the time that was
	# left out.
	RenderingServer.force_draw(false, _left_out * FRAME)
	_left_out = 0
	_viewing.end()
	var image: Image = _worker.root.get_texture().get_image()
	var part: Rect2i = _part(image)
	if part.size != image.get_size():
		image = image.get_region(part)
	var zoom: float = _wanted.get("zoom", 1.0)
	var most: int = int(_wanted.get("most", 900.0) as float)
	var factor: float = minf(zoom, float(most) / maxf(image.get_width(), image.get_height()))
	if not is_equal_approx(factor, 1.0):
		var kind: Image.Interpolation = Image.INTERPOLATE_NEAREST if factor > 1.0 else Image.INTERPOLATE_LANCZOS
		image.resize(maxi(1, roundi(image.get_width() * factor)), maxi(1, roundi(image.get_height() * factor)), kind)
	var path: String = (_wanted["folder"] as String).path_join("%d.%s" % [frame, _wanted["format"]])
	if _wanted["format"] == "jpg":
		image.convert(Image.FORMAT_RGB8)
		image.save_jpg(path, 0.85)
	else:
		image.save_png(path)
	return {
		"frame": frame, "path": path, "width": image.get_width(), "height": image.get_height(),
		"part": [part.position.x, part.position.y, part.size.x, part.size.y], "view": view,
	}


func _part(image: Image) -> Rect2i:
	var whole: Rect2i = Rect2i(Vector2i.ZERO, image.get_size())
	var around: CanvasItem = null
	if _wanted.has("node"):
		around = _scene.get_node_or_null(NodePath(_wanted["node"] as String)) as CanvasItem
	if around == null:
		return whole
	var bounds: Rect2 = _bounds(around).grow(float(_wanted.get("margin", 16.0) as float))
	var part: Rect2i = Rect2i(bounds).intersection(whole)
	return part if part.has_area() else whole


## A canvas item and what is below it, in pixels of the window.
func _bounds(item: CanvasItem) -> Rect2:
	var own: Rect2 = _own_rect(item)
	var found: Rect2 = _to_window() * item.get_global_transform_with_canvas() * own
	for child: Node in item.get_children():
		if child is CanvasItem and (child as CanvasItem).visible:
			found = found.merge(_bounds(child as CanvasItem))
	return found


## From the game's coordinates to pixels of the picture, which differ where the window is stretched.
func _to_window() -> Transform2D:
	var root: Window = _worker.root
	if root.content_scale_mode == Window.CONTENT_SCALE_MODE_VIEWPORT:
		return Transform2D.IDENTITY  # it is drawn small and enlarged as a whole
	return Transform2D.IDENTITY.scaled(Vector2(root.size) / root.get_visible_rect().size)


func _own_rect(item: CanvasItem) -> Rect2:
	if item is Control:
		return Rect2(Vector2.ZERO, (item as Control).size)
	if item is Sprite2D:
		return (item as Sprite2D).get_rect()
	if item is AnimatedSprite2D:
		return _frame_rect(item as AnimatedSprite2D)
	if item is CollisionShape2D and (item as CollisionShape2D).shape != null:
		return (item as CollisionShape2D).shape.get_rect()
	return Rect2(Vector2.ZERO, Vector2.ONE)


func _frame_rect(sprite: AnimatedSprite2D) -> Rect2:
	var picture: Texture2D = null
	if sprite.sprite_frames != null and sprite.sprite_frames.has_animation(sprite.animation):
		picture = sprite.sprite_frames.get_frame_texture(sprite.animation, sprite.frame)
	var size: Vector2 = Vector2.ONE if picture == null else picture.get_size()
	return Rect2(sprite.offset - (size / 2.0 if sprite.centered else Vector2.ZERO), size)


func _cover() -> void:
	if is_instance_valid(_overlay):
		_overlay.queue_redraw()
		return
	var overlays: Array = _wanted.get("overlays", [])
	if not (overlays.has("rects") or overlays.has("names") or overlays.has("markers")):
		return
	var layer: CanvasLayer = CanvasLayer.new()
	layer.layer = 128
	layer.transform = _to_window().affine_inverse()  # lines and letters are drawn in the picture's own pixels
	_overlay = Node2D.new()
	_overlay.draw.connect(func() -> void: _mark(_scene))
	layer.add_child(_overlay)
	_worker.root.add_child(layer)


func _mark(node: Node) -> void:
	var overlays: Array = _wanted.get("overlays", [])
	var item: CanvasItem = node as CanvasItem
	if item != null and item.is_visible_in_tree():
		var place: Transform2D = _to_window() * item.get_global_transform_with_canvas()
		var rect: Rect2 = place * _own_rect(item)
		if overlays.has("rects") and (item is Control or item is Sprite2D or item is AnimatedSprite2D):
			_overlay.draw_rect(rect, MARK, false, 1.0)
		if overlays.has("markers") and item is Node2D:
			_overlay.draw_line(place.origin - Vector2(6, 0), place.origin + Vector2(6, 0), MARK, 1.0)
			_overlay.draw_line(place.origin - Vector2(0, 6), place.origin + Vector2(0, 6), MARK, 1.0)
		if overlays.has("names"):
			_overlay.draw_string(ThemeDB.fallback_font, rect.position + Vector2(2, 12), item.name, HORIZONTAL_ALIGNMENT_LEFT, -1, 12, MARK)
	for child: Node in node.get_children():
		_mark(child)
