extends RefCounted
## What is done to a running scene: inputs that are sent, and methods that are called, each at its frame.

const Fitting: GDScript = preload("fitting.gd")
const Saying: GDScript = preload("saying.gd")

var sight: Callable  ## Where a click has to go, where clicks say on what.
var missed: Array = []  ## Clicks of a step that nobody heard, and why.
var _inputs: Array
var _calls: Array
var _mouse: Vector2 = Vector2.ZERO
var _held: int = 0
var _owed: Array[Dictionary] = []  ## What clicks have still to let go, a frame later, also where a step ends between.


## Whether a control, or what is below it, has heard of a press.
class Ear:
	extends RefCounted

	const MOST: int = 200
	var heard: bool = false
	var _controls: Array[Control] = []

	func _init(control: Control) -> void:
		var waiting: Array[Node] = [control]
		while not waiting.is_empty() and _controls.size() < MOST:
			var node: Node = waiting.pop_back()
			waiting.append_array(node.get_children())
			if node is Control:
				var _connected: Error = (node as Control).gui_input.connect(_hear) as Error
				_controls.append(node)

	func stop() -> void:
		for control: Control in _controls.filter(is_instance_valid):
			control.gui_input.disconnect(_hear)
		_controls.clear()

	func _hear(event: InputEvent) -> void:
		heard = heard or event is InputEventMouseButton and event.is_pressed()


func _init(params: Dictionary) -> void:
	take(params)


## Takes up what is to be done from now on; the mouse stays where it is, and holds what it holds.
func take(params: Dictionary) -> void:
	missed = []
	_inputs = params.get("inputs", [])
	_calls = params.get("calls", [])


## Sends what is due at a frame; gives back what the called methods returned.
func act(scene: Node, frame: int) -> Array:
	if _inputs.is_empty() and _calls.is_empty() and _owed.is_empty():
		return []
	for release: Dictionary in _owed:
		_judge(release)
		_send(_event(release))
	_owed.clear()
	for input: Dictionary in _inputs:
		if int(input["frame"] as float) == frame and input.has("click"):
			_click_on(input["click"] as Dictionary)
		elif int(input["frame"] as float) == frame:
			for event: InputEvent in _typed(input["text"] as String) if input.has("text") else [_event(input)]:
				_send(event)
	return make(scene, _calls.filter(func(call: Dictionary) -> bool: return int(call["frame"] as float) == frame))


## The next frame after one at which there is something to do, before another.
func next_due(frame: int, before: int) -> int:
	if not _owed.is_empty():
		return frame + 1
	for due: Dictionary in _inputs + _calls:
		var at: int = int(due["frame"] as float)
		if at > frame:
			before = mini(before, at)
	return before


## Makes calls at once; gives back what they returned. One of them may free the scene.
func make(scene: Node, calls: Array) -> Array:
	var rows: Array = []
	for call: Dictionary in calls:
		rows.append(_called(scene if is_instance_valid(scene) else null, call))
	return rows


## The engine hands it on before the next frame, as it does what a person's devices tell it.
func _send(event: InputEvent) -> void:
	var is_gathered: bool = Input.use_accumulated_input
	Input.use_accumulated_input = true
	Input.parse_input_event(event)
	Input.use_accumulated_input = is_gathered


## The mouse goes there, presses, and lets go a frame later; an item of a menu is chosen as by keys.
func _click_on(wanted: Dictionary) -> void:
	var aim: Dictionary = sight.call(wanted)
	var said: String = wanted.get("text", wanted.get("node", ""))
	if aim.has("missing") or aim.has("outside"):
		missed.append({"click": said}.merged(aim))
	elif aim.get("to") is PopupMenu and aim.has("item"):
		(aim["to"] as PopupMenu).set_focused_item(aim["item"] as int)
		for event: InputEvent in _typed("\n"):
			_send(event)
	else:
		_send(_motion(_place({"position": aim["at"]})))
		var left: String = "Object(InputEventMouseButton,\"button_index\":1)"
		_send(_event({"event": left, "pressed": true, "position": aim["at"]}))
		_owed.append({"event": left, "pressed": false, "position": aim["at"], "click": said, "at": aim["at"], "ear": _ear_of(aim["to"] as Node)})


## Who listens whether a click comes to a control; nobody, where the control leaves clicks to others.
func _ear_of(node: Node) -> Ear:
	return Ear.new(node as Control) if node is Control and (node as Control).mouse_filter != Control.MOUSE_FILTER_IGNORE else null


func _judge(release: Dictionary) -> void:
	var ear: Ear = release.get("ear")
	if ear != null:
		ear.stop()
		if not ear.heard:
			missed.append({"click": release["click"], "at": release["at"]})


## A key pressed and let go for each letter.
func _typed(text: String) -> Array:
	var events: Array = []
	for letter: String in text:
		for pressed: bool in [true, false]:
			var key: InputEventKey = InputEventKey.new()
			key.pressed = pressed
			key.keycode = {"\n": KEY_ENTER, "\t": KEY_TAB, "\b": KEY_BACKSPACE}.get(letter, OS.find_keycode_from_string(letter.to_upper()))
			key.physical_keycode = key.keycode
			key.unicode = letter.unicode_at(0) if letter >= " " else 0
			events.append(key)
	return events


func _event(input: Dictionary) -> InputEvent:
	if input.has("action"):
		var action: InputEventAction = InputEventAction.new()
		action.action = StringName(input["action"] as String)
		action.pressed = input["pressed"]
		action.strength = input.get("strength", 1.0) if action.pressed else 0.0
		return action
	if not input.has("event"):
		return _motion(_place(input))
	var event: InputEvent = str_to_var(input["event"] as String)
	event.device = maxi(event.device, 0)  # of an input map, where -1 is any device
	if "pressed" in event:
		event.set("pressed", input["pressed"])
	elif event is InputEventJoypadMotion:
		(event as InputEventJoypadMotion).axis_value *= input.get("strength", 1.0) as float if input["pressed"] else 0.0
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
	var what: Dictionary = {}
	for kind: String in ["emit", "method", "add"]:
		if call.has(kind):
			what[kind] = call[kind]
	var node: Node = scene.get_node_or_null(NodePath(call["node"] as String)) if scene != null else null
	if node == null:
		return what.merged({"error": "There is no node '%s'." % call["node"]})
	if call.has("add"):
		return what.merged(_added(node, call, scene))
	var arguments: Array = []
	for text: String in call.get("arguments", []):
		arguments.append(str_to_var(text))
	return what.merged(_emitted(node, call, arguments, scene) if call.has("emit") else _returned(node, call, arguments, scene))


## Adds an instance of a scene, or a node of a class, which is named as the engine does; gives back its path.
func _added(node: Node, call: Dictionary, scene: Node) -> Dictionary:
	var wanted: String = call["add"]
	var new: Node = null
	if wanted.begins_with("res://"):
		var packed: PackedScene = ResourceLoader.load(wanted, "PackedScene") as PackedScene
		new = packed.instantiate() if packed != null else null
	elif ClassDB.can_instantiate(wanted):
		new = ClassDB.instantiate(wanted)
		new.name = wanted
	if new == null:
		return {"error": "The engine cannot make '%s'." % wanted}
	if call.has("position"):
		var at: Array = call["position"]
		if new is Node3D and at.size() == 3:
			(new as Node3D).position = Vector3(at[0] as float, at[1] as float, at[2] as float)
		elif new is CanvasItem and at.size() == 2:
			new.set("position", Vector2(at[0] as float, at[1] as float))
		else:
			new.free()
			return {"error": "'position' has %d numbers, which does not fit '%s'." % [at.size(), wanted]}
	node.add_child(new, true)
	return {"node": str(scene.get_path_to(new))}


func _returned(node: Node, call: Dictionary, arguments: Array, scene: Node) -> Dictionary:
	var method: String = call["method"]
	if not node.has_method(method):
		return {"error": "'%s' has no method '%s'." % [call["node"], method]}
	if call.get("own_only", false) and not _is_own(node, method):
		return {"error": "'%s' of the engine cannot be called here." % method}
	var problem: String = Fitting.fit(arguments, _declared(node.get_method_list(), method), scene)
	return {"error": problem} if problem != "" else _made(node, method, arguments, scene)


## Sends a signal; nobody may listen to it, which is told.
func _emitted(node: Node, call: Dictionary, arguments: Array, scene: Node) -> Dictionary:
	var name: String = call["emit"]
	if not node.has_signal(name):
		return {"error": "'%s' has no signal '%s'." % [call["node"], name]}
	var declared: Dictionary = _declared(node.get_signal_list(), name)
	var problem: String = Fitting.fit(arguments, declared, scene)
	if problem != "":
		return {"error": problem}
	var connections: int = node.get_signal_connection_list(name).size()
	var _sent: Variant = node.callv("emit_signal", [name] + arguments)
	return {"connections": connections}


## Calls through an expression, which unlike the call itself tells where the engine refused the arguments. What it returns
## is kept in a list, as a script may not take the state of a method that waits for something in its hands.
func _made(node: Node, method: String, arguments: Array, scene: Node) -> Dictionary:
	var names: PackedStringArray = []
	for at: int in arguments.size():
		var _more: bool = names.append("argument%d" % at)
	var expression: Expression = Expression.new()
	var text: String = "[target.%s(%s)]" % [method, ", ".join(names)]
	if expression.parse(text, PackedStringArray(["target"]) + names) != OK:
		return {"error": expression.get_error_text()}
	var returned: Variant = expression.execute([node] + arguments, null, false)
	if expression.has_execute_failed():
		return {"error": expression.get_error_text()}
	if Saying.waits((returned as Array)[0]):
		return {"waits": true}
	return {"value": Saying.say((returned as Array)[0], scene if is_instance_valid(scene) else null)}


func _is_own(node: Node, method: String) -> bool:
	var script: Script = node.get_script()
	return script != null and script.get_script_method_list().any(
		func(each: Dictionary) -> bool: return each["name"] == method
	)


func _declared(members: Array, name: String) -> Dictionary:
	for each: Dictionary in members:
		if each["name"] == name:
			return each
	return {}
