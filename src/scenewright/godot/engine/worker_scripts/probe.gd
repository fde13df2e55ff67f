extends "module.gd"
## Runs a scene for a number of fixed steps, with inputs and calls at given frames, and tells what came of it.

const MOST_NODES: int = 300
const MOST_KEYS: int = 200
const Looking: GDScript = preload("looking.gd")
const Drawing: GDScript = preload("drawing.gd")


func run(params: Dictionary) -> Dictionary:
	var packed: PackedScene = ResourceLoader.load(params["scene"] as String) as PackedScene
	if packed == null:
		return {"loads": false}
	var scene: Node = packed.instantiate()
	if scene == null:
		return {"loads": false}
	_worker.root.size = _size(params)
	OS.low_processor_usage_mode = false  # it draws only what has changed, and every step is to be seen
	var drawing: RefCounted = Drawing.new(_worker, scene, params.get("picture", {}))
	_worker.root.add_child(scene)
	_worker.current_scene = scene
	var pictures: Array = []
	var returned: Array = []
	var steps: int = int(params["steps"] as float)
	for frame: int in steps + 1:
		if not is_instance_valid(scene):
			break
		returned.append_array(_act(scene, params, frame))
		if frame == steps:
			break
		await _worker.process_frame
		if drawing.wants(frame + 1):
			pictures.append(await drawing.draw(frame + 1))
	if drawing.wants(0) and pictures.is_empty():
		pictures.append(await drawing.draw(steps))
	var reply: Dictionary = {"loads": true, "alive": is_instance_valid(scene), "pictures": pictures, "calls": returned}
	reply["size"] = [_worker.root.size.x, _worker.root.size.y]
	if RenderingServer.has_method("get_current_rendering_method"):  # since 4.4
		reply["renderer"] = RenderingServer.call("get_current_rendering_method")
	if is_instance_valid(scene):
		var looking: RefCounted = Looking.new(scene)
		reply["nodes"] = looking.nodes(MOST_NODES)
		reply["total"] = looking.total()
		reply["properties"] = looking.properties(params.get("properties", {}) as Dictionary)
		reply["connections"] = looking.connections()
		reply["animations"] = looking.animations(MOST_KEYS)
		reply["checks"] = _check(scene, params.get("checks", []) as Array)
		scene.free()
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


## Sends what is due at a frame; gives back what the called methods returned.
func _act(scene: Node, params: Dictionary, frame: int) -> Array:
	for input: Dictionary in params.get("inputs", []):
		if int(input["frame"] as float) == frame:
			Input.parse_input_event(_event(input))
			Input.flush_buffered_events()
	var returned: Array = []
	for call: Dictionary in params.get("calls", []):
		if int(call["frame"] as float) == frame:
			returned.append(_call(scene, call))
	return returned


func _event(input: Dictionary) -> InputEvent:
	if input.has("action"):
		var action: InputEventAction = InputEventAction.new()
		action.action = StringName(input["action"] as String)
		action.pressed = input["pressed"]
		action.strength = 1.0 if action.pressed else 0.0
		return action
	var event: InputEvent = str_to_var(input["event"] as String)
	if "pressed" in event:
		event.set("pressed", input["pressed"])
	elif not (input["pressed"] as bool):
		event.set("axis_value", 0.0)
	if input.has("position"):
		var position: Array = input["position"]
		event.set("position", Vector2(position[0] as float, position[1] as float))
		event.set("global_position", Vector2(position[0] as float, position[1] as float))
	return event


func _call(scene: Node, call: Dictionary) -> Dictionary:
	var node: Node = scene.get_node_or_null(NodePath(call["node"] as String))
	if node == null:
		return {"method": call["method"], "error": "There is no node '%s'." % call["node"]}
	if not node.has_method(call["method"] as String):
		return {"method": call["method"], "error": "'%s' has no method '%s'." % [call["node"], call["method"]]}
	var arguments: Array = []
	for text: String in call.get("arguments", []):
		arguments.append(str_to_var(text))
	return {"method": call["method"], "value": var_to_str(node.callv(call["method"] as String, arguments))}


## Expressions that must hold, with the scene's root as `self` and nodes by `get_node`.
func _check(scene: Node, checks: Array) -> Array:
	var results: Array = []
	for text: String in checks:
		var expression: Expression = Expression.new()
		if expression.parse(text) != OK:
			results.append({"expression": text, "holds": false, "error": expression.get_error_text()})
			continue
		var value: Variant = expression.execute([], scene, false)
		if expression.has_execute_failed():
			results.append({"expression": text, "holds": false, "error": expression.get_error_text()})
		else:
			results.append({"expression": text, "holds": true if value else false, "value": var_to_str(value)})
	return results
