extends RefCounted
## Which part of the window a picture shows: all of it, or a node whole, for which the 2D view is moved where needed.
##
## The view is moved only in the renderer and only while a picture is drawn, so that the game never meets it.

const MOST: float = 1_000_000.0

## In pixels of the window, and beyond it where the view was moved.
var part: Rect2i
## What became of the node that was asked for: "", "moved", "cut", "hidden", "elsewhere", "empty" or "missing".
var state: String = ""

var _root: Window
var _scene: Node
var _wanted: Dictionary
var _shown: Rect2i


func _init(root: Window, scene: Node, wanted: Dictionary) -> void:
	_root = root
	_scene = scene
	_wanted = wanted


## From the game's coordinates to pixels of the picture, which differ where the window is stretched.
static func to_window(root: Window) -> Transform2D:
	return _stretching(root) * root.global_canvas_transform


static func _stretching(root: Window) -> Transform2D:
	if root.has_method("get_stretch_transform"):  # since 4.5
		return root.call("get_stretch_transform")
	if root.content_scale_mode == Window.CONTENT_SCALE_MODE_VIEWPORT:
		return Transform2D.IDENTITY  # it is drawn small and enlarged as a whole
	return Transform2D.IDENTITY.scaled(Vector2(root.size) / root.get_visible_rect().size)


func begin(may_move: bool) -> void:
	var window: Rect2 = _stretching(_root) * _root.get_visible_rect()
	var whole: Rect2i = Rect2i(Vector2i.ZERO, Vector2i(window.size.round()))
	part = whole
	_shown = whole
	if not _wanted.has("node"):
		return
	var node: Node = _scene.get_node_or_null(NodePath(_wanted["node"] as String))
	if node == null or node is Node3D:
		state = "missing" if node == null else ""
		return
	var bounds: Rect2 = _bounds(node)
	state = _state(node, bounds)
	if not state.is_empty():
		return
	var wanted: Rect2i = _enclosing(bounds.grow(_wanted.get("margin", 16.0) as float))
	if whole.grow(1).encloses(_enclosing(bounds)) or not may_move:
		state = "" if may_move else "cut"
		part = wanted.intersection(whole) if wanted.intersects(whole) else whole
		_shown = part
	else:
		state = "moved"
		_move(wanted, whole)


## The drawn part of the window; the view is back where it was.
func end(image: Image) -> Image:
	if state == "moved":
		RenderingServer.viewport_set_global_canvas_transform(_root.get_viewport_rid(), to_window(_root))
	return image if _shown.size == image.get_size() else image.get_region(_shown)


## Shows a place beyond the window; made smaller where it is larger than that.
func _move(wanted: Rect2i, whole: Rect2i) -> void:
	var room: Vector2 = Vector2(whole.size) / Vector2(wanted.size)
	var scale: float = minf(minf(room.x, room.y), 1.0)
	var moved: Transform2D = Transform2D(0.0, Vector2(scale, scale), 0.0, -Vector2(wanted.position) * scale)
	RenderingServer.viewport_set_global_canvas_transform(_root.get_viewport_rid(), moved * to_window(_root))
	part = wanted
	_shown = Rect2i(Vector2i.ZERO, (Vector2i((Vector2(wanted.size) * scale).floor())).clamp(Vector2i.ONE, whole.size))


func _state(node: Node, bounds: Rect2) -> String:
	if node.get_viewport() != _root:
		return "elsewhere"
	if node is CanvasItem and not (node as CanvasItem).is_visible_in_tree():
		return "hidden"
	var fits: bool = bounds.is_finite() and maxf(bounds.size.x, bounds.size.y) < MOST
	return "" if bounds.has_area() and fits else "empty"


func _enclosing(rect: Rect2) -> Rect2i:
	var start: Vector2i = Vector2i((rect.position + Vector2.ONE * 0.001).floor())
	return Rect2i(start, Vector2i((rect.end - Vector2.ONE * 0.001).ceil()) - start)


## A node and what is below it, in pixels of the window; where nothing is drawn, the places where they are.
func _bounds(node: Node) -> Rect2:
	var found: Rect2 = _merged(node, drawn_rect)
	return found if found.has_area() else _merged(node, _dot)


## Layers below a canvas item are no part of it: they are drawn elsewhere, such as a player's buttons.
func _merged(node: Node, measure: Callable) -> Rect2:
	var item: CanvasItem = node as CanvasItem
	var found: Rect2 = Rect2()
	if item != null:
		found = to_window(_root) * item.get_global_transform_with_canvas() * (measure.call(item) as Rect2)
	for child: Node in node.get_children():
		if child is Viewport or (item != null and child is CanvasLayer) or (child is CanvasItem and not (child as CanvasItem).visible):
			continue
		var below: Rect2 = _merged(child, measure)
		if below.has_area():
			found = found.merge(below) if found.has_area() else below
	return found


static func own_rect(item: CanvasItem) -> Rect2:
	var drawn: Rect2 = drawn_rect(item)
	return drawn if drawn.has_area() else _dot(item)


static func drawn_rect(item: CanvasItem) -> Rect2:
	if item is Control:
		return Rect2(Vector2.ZERO, (item as Control).size)
	if item is Sprite2D:
		return (item as Sprite2D).get_rect()
	if item is CollisionShape2D:
		var shape: Shape2D = (item as CollisionShape2D).shape
		return Rect2() if shape == null or shape is WorldBoundaryShape2D else shape.get_rect()
	if item.is_class("TileMapLayer"):
		return _tiles_rect(item)
	var drawn: Rect2 = Rect2()
	if RenderingServer.has_method("debug_canvas_item_get_rect"):  # in editors only
		drawn = RenderingServer.call("debug_canvas_item_get_rect", item.get_canvas_item())
	return drawn


## What draws nothing counts as a dot where it stands alone.
static func _dot(item: CanvasItem) -> Rect2:
	return Rect2(Vector2.ZERO, Vector2.ONE) if item.get_child_count() == 0 else Rect2()


static func _tiles_rect(layer: CanvasItem) -> Rect2:
	var tiles: TileSet = layer.get("tile_set")
	var used: Rect2i = layer.call("get_used_rect")
	if tiles == null or not used.has_area():
		return Rect2()
	var half: Vector2 = Vector2(tiles.tile_size) / 2.0
	var found: Rect2 = Rect2(layer.call("map_to_local", used.position) as Vector2 - half, half * 2.0)
	for corner: Vector2i in [Vector2i(used.end.x - 1, used.position.y), Vector2i(used.position.x, used.end.y - 1), used.end - Vector2i.ONE]:
		found = found.merge(Rect2(layer.call("map_to_local", corner) as Vector2 - half, half * 2.0))
	return found
