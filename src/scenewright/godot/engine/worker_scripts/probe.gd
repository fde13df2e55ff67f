extends "module.gd"
## Runs a scene for a number of fixed steps, with inputs and calls at given frames, and tells what came of it.
##
## Where the game goes on to another scene, or begins this one anew, the probe goes with it; where it quits, what there
## was until then is told while the tree still stands.

const MOST_NODES: int = 300
const MOST_KEYS: int = 200
const Acting: GDScript = preload("acting.gd")
const Checking: GDScript = preload("checking.gd")
const Drawing: GDScript = preload("drawing.gd")
const Looking: GDScript = preload("looking.gd")

var _params: Dictionary
var _scene: Node
var _first: int
var _frame: int = 0
var _guard: Node
var _pictures: Array = []
var _returned: Array = []


func run(params: Dictionary) -> Dictionary:
	_params = params
	var packed: PackedScene = ResourceLoader.load(params["scene"] as String) as PackedScene
	_scene = packed.instantiate() if packed != null else null
	if _scene == null:
		return {"loads": false}
	_first = _scene.get_instance_id()
	_worker.root.size = _size(params)
	OS.low_processor_usage_mode = false  # it draws only what has changed, and every step is to be seen
	var drawing: RefCounted = Drawing.new(_worker, _scene, params.get("picture", {}))
	_worker.root.add_child(_scene)
	_worker.current_scene = _scene
	_set_guard()
	var acting: RefCounted = Acting.new(params)
	var steps: int = int(params["steps"] as float)
	for frame: int in steps + 1:
		_frame = frame
		_follow(drawing)
		_returned.append_array(acting.act(_scene, frame))
		if frame == steps:
			break
		await _worker.process_frame
		_follow(drawing)
		if params.has("picture"):
			drawing.prepare(frame + 1)
		if drawing.wants(frame + 1) and _scene != null:
			_pictures.append(await drawing.draw(frame + 1))
	_follow(drawing)
	if drawing.wants(0) and _pictures.is_empty() and _scene != null:
		_pictures.append(await drawing.draw(steps))
	_lift_guard()
	var reply: Dictionary = _reply()
	if _scene != null:
		_scene.free()
	return reply


## The scene that runs now; none while one goes and the next comes, which takes the engine a frame.
func _follow(drawing: RefCounted) -> void:
	var before: Node = _scene if is_instance_valid(_scene) else null
	if _worker.current_scene != null:
		_scene = _worker.current_scene
	elif before == null or not before.is_inside_tree():
		_scene = null
	if _scene != null and _scene != before:
		_set_guard()
	drawing.show(_scene)


## When the game quits, what joined the root last leaves the tree first: the moment to answer, as no later one comes.
func _set_guard() -> void:
	_lift_guard()
	_guard = Node.new()
	_worker.root.add_child(_guard, false, Node.INTERNAL_MODE_BACK)
	_guard.tree_exiting.connect(_on_quit)


func _lift_guard() -> void:
	if is_instance_valid(_guard):
		_guard.tree_exiting.disconnect(_on_quit)
		_guard.free()


func _on_quit() -> void:
	if not is_instance_valid(_scene) or not _scene.is_inside_tree():
		_scene = null
	var reply: Dictionary = _reply()
	reply["quit"] = _frame
	_worker.answer(reply)


func _reply() -> Dictionary:
	var reply: Dictionary = {"loads": true, "alive": _scene != null, "pictures": _pictures, "calls": _returned}
	reply["size"] = [_worker.root.size.x, _worker.root.size.y]
	if RenderingServer.has_method("get_current_rendering_method"):  # since 4.4
		reply["renderer"] = RenderingServer.call("get_current_rendering_method")
	if _scene == null:
		return reply
	if _scene.get_instance_id() != _first:
		reply["scene"] = _scene.scene_file_path
	var looking: RefCounted = Looking.new(_scene)
	reply["nodes"] = looking.nodes(MOST_NODES)
	reply["total"] = looking.total()
	reply["properties"] = looking.properties(_params.get("properties", {}) as Dictionary)
	reply["connections"] = looking.connections()
	reply["animations"] = looking.animations(MOST_KEYS)
	reply["checks"] = Checking.new(_scene, _params.get("singletons", []) as Array).check(_params.get("checks", []) as Array)
	return reply


## The size that was asked for, or that the game's window would have; without a screen the engine makes it tiny.
func _size(params: Dictionary) -> Vector2i:
	if params.has("size"):
		var given: Array = params["size"]
		return Vector2i(int(given[0] as float), int(given[1] as float))
	var size: Vector2i = Vector2i.ZERO
	for side: int in 2:
		var name: String = "display/window/size/window_%s_override" % ["width", "height"][side]
		size[side] = ProjectSettings.get_setting(name, 0)
		if size[side] <= 0:
			size[side] = ProjectSettings.get_setting("display/window/size/viewport_%s" % ["width", "height"][side], 648)
	return size
