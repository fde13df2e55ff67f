extends RefCounted
## What is done to a running scene: inputs that are sent, and methods that are called, each at its frame.

const Saying: GDScript = preload("saying.gd")
const Typing: GDScript = preload("typing.gd")
const _UNFIT: String = "Argument %d, '%s', is to be %s, not %s."

var _inputs: Array
var _calls: Array
var _mouse: Vector2 = Vector2.ZERO
var _held: int = 0


func _init(params: Dictionary) -> void:
	_inputs = params.get("inputs", [])
	_calls = params.get("calls", [])


## Sends what is due at a frame; gives back what the called methods returned.
func act(scene: Node, frame: int) -> Array:
	for input: Dictionary in _inputs:
		if int(input["frame"] as float) == frame:
			Input.parse_input_event(_event(input))
			Input.flush_buffered_events()
	var returned: Array = []
	for call: Dictionary in _calls:
		if int(call["frame"] as float) == frame:
			returned.append(_called(scene, call))
	return returned


func _event(input: Dictionary) -> InputEvent:
	if input.has("action"):
		var action: InputEventAction = InputEventAction.new()
		action.action = StringName(input["action"] as String)
		action.pressed = input["pressed"]
		action.strength = 1.0 if action.pressed else 0.0
		return action
	if not input.has("event"):
		return _motion(_place(input))
	var event: InputEvent = str_to_var(input["event"] as String)
	if "pressed" in event:
		event.set("pressed", input["pressed"])
	elif not (input["pressed"] as bool):
		event.set("axis_value", 0.0)
	if event is InputEventMouseButton:
		_click(event as InputEventMouseButton, _place(input) if input.has("position") else _mouse)
	return event


## The mouse goes to a place, dragging what the buttons hold that were pressed and not let go.
func _motion(place: Vector2) -> InputEventMouseMotion:
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = place
	motion.global_position = place
	motion.relative = place - _mouse
	motion.button_mask = _held
	_point(place)
	return motion


func _click(event: InputEventMouseButton, place: Vector2) -> void:
	var bit: int = 1 << (event.button_index - 1)
	_held = _held | bit if event.pressed else _held & ~bit
	event.button_mask = _held
	event.position = place
	event.global_position = place
	_point(place)


## Where there is a screen the engine asks that where the mouse is, and not the events.
func _point(place: Vector2) -> void:
	_mouse = place
	if OS.get_environment("SCENEWRIGHT_OWN_SCREEN") != "" and Input.mouse_mode == Input.MOUSE_MODE_VISIBLE:
		Input.warp_mouse(place)


func _place(input: Dictionary) -> Vector2:
	var position: Array = input["position"]
	return Vector2(position[0] as float, position[1] as float)


func _called(scene: Node, call: Dictionary) -> Dictionary:
	var method: String = call["method"]
	var node: Node = scene.get_node_or_null(NodePath(call["node"] as String)) if scene != null else null
	if node == null:
		return {"method": method, "error": "There is no node '%s'." % call["node"]}
	if not node.has_method(method):
		return {"method": method, "error": "'%s' has no method '%s'." % [call["node"], method]}
	if call.get("own_only", false) and not _is_own(node, method):
		return {"method": method, "error": "'%s' of the engine cannot be called here." % method}
	var arguments: Array = []
	for text: String in call.get("arguments", []):
		arguments.append(str_to_var(text))
	var problem: String = _fit(arguments, _declared(node, method), scene)
	if problem != "":
		return {"method": method, "error": problem}
	return _made(node, method, arguments, scene)


## Calls through an expression, which unlike the call itself tells where the engine refused the arguments.
func _made(node: Node, method: String, arguments: Array, scene: Node) -> Dictionary:
	var names: PackedStringArray = []
	for at: int in arguments.size():
		var _more: bool = names.append("argument%d" % at)
	var expression: Expression = Expression.new()
	var text: String = "target.%s(%s)" % [method, ", ".join(names)]
	if expression.parse(text, PackedStringArray(["target"]) + names) != OK:
		return {"method": method, "error": expression.get_error_text()}
	var value: Variant = expression.execute([node] + arguments, null, false)
	if expression.has_execute_failed():
		return {"method": method, "error": expression.get_error_text()}
	return {"method": method, "value": Saying.say(value, scene)}


func _is_own(node: Node, method: String) -> bool:
	var script: Script = node.get_script()
	return script != null and script.get_script_method_list().any(
		func(each: Dictionary) -> bool: return each["name"] == method
	)


func _declared(node: Node, method: String) -> Dictionary:
	for each: Dictionary in node.get_method_list():
		if each["name"] == method:
			return each
	return {}


## Turns arguments into what the method declares, as JSON has no word for a vector or a node; why that cannot be, if so.
func _fit(arguments: Array, declared: Dictionary, scene: Node) -> String:
	var wanted: Array = declared.get("args", [])
	var least: int = wanted.size() - (declared.get("default_args", []) as Array).size()
	var open: bool = declared.is_empty() or int(declared["flags"] as int) & METHOD_FLAG_VARARG != 0
	if not open and (arguments.size() < least or arguments.size() > wanted.size()):
		return "It takes %s arguments, not %d." % [_range(least, wanted.size()), arguments.size()]
	for at: int in mini(arguments.size(), wanted.size()):
		var type: int = wanted[at]["type"]
		var given: Variant = arguments[at]
		arguments[at] = _fitted(given, type, scene)
		if arguments[at] is Array and type == TYPE_ARRAY:
			arguments[at] = Typing.typed(arguments[at] as Array, wanted[at] as Dictionary, _fitted.bind(scene))
		if arguments[at] is Dictionary and type == TYPE_DICTIONARY:
			arguments[at] = Typing.typed_pairs(arguments[at] as Dictionary, wanted[at] as Dictionary, _fitted.bind(scene))
		var lost: bool = type == TYPE_OBJECT and given != null and not arguments[at] is Object
		if arguments[at] == null and (given is Array or given is Dictionary):
			var inside: String = (wanted[at]["hint_string"] as String).replace(";", ", ")
			var list: String = "%s[%s]" % ["an Array" if type == TYPE_ARRAY else "a Dictionary", inside]
			return _UNFIT % [at + 1, wanted[at]["name"], list, var_to_str(given)]
		if lost or arguments[at] is Array and not _is_list(type):
			var name: String = wanted[at]["class_name"] if type == TYPE_OBJECT else type_string(type)
			return _UNFIT % [at + 1, wanted[at]["name"], "a " + name, var_to_str(given)]
	return ""


func _fitted(value: Variant, type: int, scene: Node) -> Variant:
	if value is Dictionary and type != TYPE_DICTIONARY and type != TYPE_NIL:
		value = (value as Dictionary).values()
	if value is Array and type >= TYPE_VECTOR2 and type <= TYPE_COLOR:
		var parts: Array = (value as Array).map(func(part: Variant) -> String: return str(part))
		if type == TYPE_COLOR and parts.size() == 3:
			parts.append("1")
		var made: Variant = str_to_var("%s(%s)" % [type_string(type), ", ".join(parts)])
		return value if made == null else made
	if value is String and type == TYPE_OBJECT:
		var text: String = value
		if text.begins_with("res://") or text.begins_with("uid://"):
			return load(text)
		return scene.get_node_or_null(NodePath(text.trim_prefix("$")))
	return value


func _is_list(type: int) -> bool:
	return type == TYPE_NIL or type >= TYPE_ARRAY


func _range(least: int, most: int) -> String:
	return str(most) if least == most else "%d to %d" % [least, most]
