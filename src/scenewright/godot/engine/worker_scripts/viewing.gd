extends RefCounted
## A camera of our own for a picture in 3D: where the scene has none, or where another view was asked for.
##
## It is there only while a picture is drawn, so that the game never meets it.

const FIELD: float = 50.0
const ASIDE: Vector3 = Vector3(0.6, 0.5, 1.0)
const MOST_NODES: int = 5000
const SIDES: Dictionary = {
	"front": Vector3.BACK, "back": Vector3.FORWARD, "right": Vector3.RIGHT, "left": Vector3.LEFT, "top": Vector3.UP, "bottom": Vector3.DOWN,
}

var _worker: SceneTree
var _scene: Node
var _from: Array
var _at: Node3D
var _replaced: Camera3D
var _camera: Camera3D
var _lamp: DirectionalLight3D


func _init(worker: SceneTree, scene: Node, wanted: Dictionary) -> void:
	_worker = worker
	_scene = scene
	_from = wanted.get("look_from", [])
	_at = scene.get_node_or_null(NodePath(wanted.get("node", "") as String)) as Node3D if wanted.has("node") else null


## Puts the camera up where one is needed, and a lamp where all would be dark; what the picture then differs by.
## With a side, as the editor names its views, that is where it stands.
func begin(side: String) -> Dictionary:
	var own: Camera3D = _worker.root.get_camera_3d()
	if own != null and _at == null and _from.is_empty() and side.is_empty():
		return {}
	var seen: AABB = _seen(_at if _at != null else _scene)
	if not seen.has_surface():
		return {}
	_camera = Camera3D.new()
	_camera.fov = FIELD
	var size: Vector2 = _worker.root.get_visible_rect().size
	_camera.keep_aspect = Camera3D.KEEP_WIDTH if size.x < size.y else Camera3D.KEEP_HEIGHT
	_worker.root.add_child(_camera)
	_place(seen, SIDES.get(side, ASIDE) as Vector3)
	var lit: bool = own != null or _is_lit(_scene)
	if not lit:
		_light()
	_replaced = own
	_camera.make_current()
	var place: Vector3 = _camera.global_position
	return {"missing": own == null, "lit": lit, "whole": _sees(seen), "from": [place.x, place.y, place.z]}


func end() -> void:
	if _camera == null:
		return
	_camera.free()
	if is_instance_valid(_replaced):
		_replaced.make_current()
	if _lamp != null:
		_lamp.free()
	_lamp = null
	_camera = null


func _place(seen: AABB, direction: Vector3) -> void:
	var middle: Vector3 = seen.get_center()
	var radius: float = maxf(seen.size.length() / 2.0, 0.01)
	var away: float = radius / sin(deg_to_rad(FIELD / 2.0))
	var place: Vector3 = middle + direction.normalized() * away
	if not _from.is_empty():
		place = Vector3(_from[0] as float, _from[1] as float, _from[2] as float)
	if place.is_equal_approx(middle):
		place += Vector3.BACK * away
	var line: Vector3 = (middle - place).normalized()
	var up: Vector3 = Vector3.FORWARD if absf(line.y) > 0.999 else Vector3.UP
	_camera.look_at_from_position(place, middle, up)
	away = place.distance_to(middle)
	_camera.near = clampf(away / 1000.0, 0.001, 0.05)
	_camera.far = maxf(away + radius * 2.0, 4000.0)
	_camera.force_update_transform()  # else the engine is told at the end of the frame


## Whether all of a box is in view.
func _sees(box: AABB) -> bool:
	return range(8).all(func(corner: int) -> bool: return _camera.is_position_in_frustum(box.get_endpoint(corner)))


func _light() -> void:
	var surroundings: Environment = Environment.new()
	surroundings.background_mode = Environment.BG_COLOR
	surroundings.background_color = Color(0.25, 0.27, 0.3)
	surroundings.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	surroundings.ambient_light_color = Color.WHITE
	surroundings.ambient_light_energy = 0.4
	_camera.environment = surroundings
	_lamp = DirectionalLight3D.new()
	_lamp.rotation_degrees = Vector3(-50.0, -30.0, 0.0)
	_worker.root.add_child(_lamp)
	_lamp.force_update_transform()


func _is_lit(node: Node) -> bool:
	if node is WorldEnvironment or node is Light3D:
		return true
	return node.get_children().any(_is_lit)


## The box around what can be seen of a node and of what is below it; around their places where nothing can.
func _seen(top: Node) -> AABB:
	var found: Array[AABB] = []
	var places: Array[AABB] = []
	var waiting: Array[Node] = [top]
	while not waiting.is_empty() and places.size() < MOST_NODES:
		var node: Node = waiting.pop_back()
		waiting.append_array(node.get_children())
		var here: Node3D = node as Node3D
		if here != null and here.is_visible_in_tree():
			places.append(AABB(here.global_position - Vector3.ONE / 2.0, Vector3.ONE))
			found.append_array(_boxes(here))
	return _around(places if found.is_empty() else found)


func _boxes(node: Node3D) -> Array[AABB]:
	var found: Array[AABB] = []
	if node is GeometryInstance3D and (node as GeometryInstance3D).get_aabb().has_surface():
		found.append(node.global_transform * (node as GeometryInstance3D).get_aabb())
	if node is GridMap:
		var meshes: Array = (node as GridMap).get_meshes()
		for at: int in range(0, meshes.size(), 2):
			var place: Transform3D = meshes[at]
			found.append(node.global_transform * place * (meshes[at + 1] as Mesh).get_aabb())
	return found


func _around(boxes: Array[AABB]) -> AABB:
	var whole: AABB = AABB() if boxes.is_empty() else boxes[0]
	for box: AABB in boxes:
		whole = whole.merge(box)
	return whole
