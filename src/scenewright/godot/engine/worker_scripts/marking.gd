extends RefCounted
## Draws over a picture what is invisible in it, once it is as large as it will be: lines stay thin and names legible.
##
## It is drawn beside the game, by the renderer alone, so that the game never meets it.

const MARK: Color = Color(1, 0.2, 0.6)
const SHAPE: Color = Color(0, 0.8, 1)
const PATH: Color = Color(1, 0.8, 0)
const LETTERS: int = 12
const Framing: GDScript = preload("framing.gd")
const Outlines: GDScript = preload("outlines.gd")

var _root: Window
var _overlays: Array
var _around: Node
var _item: RID
var _place: Transform2D
var _picture: Rect2
var _named: Array[Rect2] = []


## Names, frames and places are those of `around` and what is below it; shapes and paths are of all.
func _init(root: Window, overlays: Array, around: Node = null) -> void:
	_root = root
	_overlays = overlays
	_around = around


## A part of the window, as a picture of some size, with the marks over it.
func draw(scene: Node, image: Image, part: Rect2i) -> Image:
	if _overlays.is_empty():
		return image
	_picture = Rect2(Vector2.ZERO, image.get_size())
	var factor: Vector2 = _picture.size / Vector2(part.size)
	_place = Transform2D(0.0, factor, 0.0, -Vector2(part.position) * factor) * Framing.to_window(_root)
	var viewport: RID = RenderingServer.viewport_create()
	RenderingServer.viewport_set_size(viewport, image.get_width(), image.get_height())
	RenderingServer.viewport_set_active(viewport, true)
	RenderingServer.viewport_set_update_mode(viewport, RenderingServer.VIEWPORT_UPDATE_ALWAYS)
	var canvas: RID = RenderingServer.canvas_create()
	RenderingServer.viewport_attach_canvas(viewport, canvas)
	_item = RenderingServer.canvas_item_create()
	RenderingServer.canvas_item_set_parent(_item, canvas)
	RenderingServer.canvas_item_set_default_texture_filter(_item, RenderingServer.CANVAS_ITEM_TEXTURE_FILTER_NEAREST)
	var texture: RID = RenderingServer.texture_2d_create(image)
	RenderingServer.canvas_item_add_texture_rect(_item, _picture, texture)
	_mark(scene, _around == null)
	RenderingServer.force_draw(false, 0.0)
	var drawn: Image = RenderingServer.texture_2d_get(RenderingServer.viewport_get_texture(viewport))
	for made: RID in [_item, canvas, viewport, texture]:
		RenderingServer.free_rid(made)
	return drawn


func _mark(node: Node, within: bool) -> void:
	var item: CanvasItem = node as CanvasItem
	var asked: bool = within or node == _around
	if item != null and item.is_visible_in_tree() and item.get_viewport() == _root:
		var place: Transform2D = _place * item.get_global_transform_with_canvas()
		if _overlays.has("shapes"):
			_draw_lines(Outlines.of_shape(item), place, SHAPE)
		if _overlays.has("paths") and item is Path2D and (item as Path2D).curve != null:
			_draw_lines([(item as Path2D).curve.get_baked_points()], place, PATH)
		if asked and _overlays.has("rects") and (item is Control or item is Sprite2D or item is AnimatedSprite2D):
			_draw_frame(place, Framing.own_rect(item))
		if asked and _overlays.has("markers") and item is Node2D:
			_draw_line(place.origin - Vector2(6, 0), place.origin + Vector2(7, 0), MARK)
			_draw_line(place.origin - Vector2(0, 6), place.origin + Vector2(0, 7), MARK)
		if asked and _overlays.has("names"):
			_draw_name(place * Framing.own_rect(item), item.name)
	for child: Node in node.get_children():
		_mark(child, asked)


func _draw_line(start: Vector2, end: Vector2, color: Color) -> void:
	var half: Vector2 = Vector2(0.5, 0.5)  # the middle of a pixel
	RenderingServer.canvas_item_add_line(_item, start.floor() + half, end.floor() + half, color, 1.0)


func _draw_lines(lines: Array, place: Transform2D, color: Color) -> void:
	for line: PackedVector2Array in lines:
		for at: int in range(1, line.size()):
			_draw_line(place * line[at - 1], place * line[at], color)


## Along the inner side of a rectangle, so that it is seen where the picture ends with it.
func _draw_frame(place: Transform2D, rect: Rect2) -> void:
	var corners: Array[Vector2] = [rect.position, Vector2(rect.end.x, rect.position.y), rect.end, Vector2(rect.position.x, rect.end.y)]
	var middle: Vector2 = place * rect.get_center()
	for number: int in 4:
		var start: Vector2 = place * corners[number]
		var end: Vector2 = place * corners[(number + 1) % 4]
		_draw_line(_inside(start, middle), _inside(end, middle), MARK)


func _inside(corner: Vector2, middle: Vector2) -> Vector2:
	return corner - (corner - middle).sign().clamp(Vector2.ZERO, Vector2.ONE)


## In the corner of what it names, or below the name that is there already.
func _draw_name(rect: Rect2, name: String) -> void:
	if not rect.grow(1.0).intersects(_picture):
		return
	var font: Font = ThemeDB.fallback_font
	var size: Vector2 = font.get_string_size(name, HORIZONTAL_ALIGNMENT_LEFT, -1, LETTERS)
	var room: Vector2 = (_picture.size - size).clamp(Vector2.ZERO, _picture.size)
	var box: Rect2 = Rect2((rect.position + Vector2(2, 1)).clamp(Vector2.ZERO, room), size)
	for _try: int in 20:
		if not _named.any(box.intersects):
			break
		box.position.y += LETTERS + 2
	_named.append(box)
	var base: Vector2 = (box.position + Vector2(0, font.get_ascent(LETTERS))).round()
	font.draw_string_outline(_item, base, name, HORIZONTAL_ALIGNMENT_LEFT, -1, LETTERS, 3, Color.BLACK)
	font.draw_string(_item, base, name, HORIZONTAL_ALIGNMENT_LEFT, -1, LETTERS, MARK)
