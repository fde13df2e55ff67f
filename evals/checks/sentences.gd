# Runs a check's functions sentence_1(), sentence_2() … in the running game, and tells what each found wrong: "" is right.
extends Node

# Sentences during which the engine must not print an error.
var quiet: Array[int] = []


func _ready() -> void:
	var tree := get_tree()
	tree.current_scene = null
	await tree.process_frame
	var number := 1
	while has_method("sentence_%d" % number):
		printerr("@sentence %d" % number)
		var fault: Variant = await call("sentence_%d" % number)
		var said: String = fault if fault is String else "the check met an error in the project"
		print("@verdict ", JSON.stringify({"sentence": number, "fault": said, "quiet": number in quiet}))
		number += 1
	tree.quit()


# Starts a scene of the game as the engine starts it, and returns its root, or null.
func play(path: String, frames: int = 3) -> Node:
	var tree := get_tree()
	if not ResourceLoader.exists(path):
		return null
	var failed := tree.change_scene_to_file(path)
	if failed != OK:
		return null
	await pass_frames(frames)
	return tree.current_scene


func play_main(frames: int = 3) -> Node:
	return await play(str(ProjectSettings.get_setting("application/run/main_scene", "")), frames)


func pass_frames(count: int) -> void:
	for _i in count:
		await get_tree().physics_frame
		await get_tree().process_frame


# Presses or releases an action as a key would.
func press(action: String, down: bool = true) -> void:
	var event := InputEventAction.new()
	event.action = action
	event.pressed = down
	event.strength = 1.0 if down else 0.0
	Input.parse_input_event(event)
	Input.flush_buffered_events()


func hold(action: String, frames: int) -> void:
	press(action)
	await pass_frames(frames)
	press(action, false)
	await pass_frames(1)


# The first node below `root` of a class, with a name where one is given.
func find(root: Node, type: String, named: String = "*") -> Node:
	if root == null:
		return null
	if root.is_class(type) and root.name.match(named):
		return root
	var found := root.find_children(named, type, true, false)
	return null if found.is_empty() else found[0]


func all(root: Node, type: String) -> Array[Node]:
	return [] if root == null else root.find_children("*", type, true, false)


# "" where both are equal, else both sides.
func same(found: Variant, expected: Variant, what: String) -> String:
	var equal: bool = is_equal_approx(found, expected) if found is float and expected is float else found == expected
	return "" if equal else "%s is %s, expected %s" % [what, found, expected]


func first(faults: Array) -> String:
	for fault: String in faults:
		if fault != "":
			return fault
	return ""


func actions_have_keys(actions: Dictionary) -> String:
	for action: String in actions:
		if not InputMap.has_action(action):
			return "there is no input action '%s'" % action
		for key: Key in actions[action]:
			var has := InputMap.action_get_events(action).any(func(event: InputEvent) -> bool:
				return event is InputEventKey and key in [event.keycode, event.physical_keycode])
			if not has:
				return "'%s' has no key %s" % [action, OS.get_keycode_string(key)]
	return ""
