extends "module.gd"
## Tests of a scene: each method `test_…` of its root that takes nothing, in a new instance of the scene.

const FIRST_FRAMES: int = 1

var _scene: Node
var _ended: bool = false
var _logger: RefCounted


## The names of a scene's tests, in the order of its script; none where it has none, or cannot be loaded.
func names(params: Dictionary) -> Dictionary:
	var scene: Node = _instance(params)
	if scene == null:
		return {"loads": false, "tests": []}
	var found: Array[String] = []
	for method: Dictionary in scene.get_method_list():
		var name: String = method["name"]
		if name.begins_with("test_") and (method["args"] as Array).is_empty() and not name in found:
			found.append(name)
	scene.free()
	return {"loads": true, "tests": found}


## Runs one test; `ended` is false where it still waited for something when its frames were over.
func run(params: Dictionary) -> Dictionary:
	seed(1)
	_hear_errors()
	_scene = _instance(params)
	if _scene == null:
		return {"loads": false}
	_worker.root.add_child(_scene)
	_worker.current_scene = _scene
	var most: int = int(params["frames"] as float)
	for _each: int in FIRST_FRAMES:
		await _worker.frame_ended
	_ended = false
	_call_all(params["test"] as String)
	var at: int = 0
	while not _ended and at < most and not _has_failed():
		await _worker.frame_ended
		at += 1
	var outcome: Dictionary = {"loads": true, "ended": _ended, "frames": at, "alive": is_instance_valid(_scene)}
	if is_instance_valid(_scene):
		_scene.queue_free()
	_worker.paused = false
	await _worker.frame_ended
	return outcome


func _call_all(test: String) -> void:
	for name: String in ["before_each", test, "after_each"]:
		if is_instance_valid(_scene) and _scene.has_method(name):
			await _scene.call(name)
	_ended = true


func _instance(params: Dictionary) -> Node:
	var packed: PackedScene = ResourceLoader.load(params["scene"] as String) as PackedScene
	return packed.instantiate() if packed != null else null


func _has_failed() -> bool:
	return _logger != null and (_logger.get("failed") as bool)


func _hear_errors() -> void:
	if _logger == null and ClassDB.class_exists("Logger"):
		var own: Script = get_script()
		var script: GDScript = load(own.resource_path.get_base_dir().path_join("erring.gd"))
		_logger = script.new()
		OS.call("add_logger", _logger)
	if _logger != null:
		_logger.set("failed", false)
