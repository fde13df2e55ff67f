extends Node
## Lets through the input of one context at a time, and lets players rebind actions.

signal context_changed(context: String)
signal action_rebound(action: StringName)

## Where the bindings are kept that players have changed.
@export var bindings_path: String = "user://input_bindings.cfg"
## The actions of each context. An action that is in no context is always let through.
@export var contexts: Dictionary = {}
## The context at the start; empty lets everything through.
@export var context: String = "":
	set(value):
		if value != context:
			context = value
			context_changed.emit(value)


func _ready() -> void:
	load_bindings()


## Whether the present context lets an action through.
func allows(action: StringName) -> bool:
	if context.is_empty() or not contexts.has(context):
		return true
	var mine: Array = contexts[context]
	return mine.has(String(action)) or not _is_in_a_context(String(action))


func is_pressed(action: StringName) -> bool:
	return _is_usable(action) and Input.is_action_pressed(action)


func is_just_pressed(action: StringName) -> bool:
	return _is_usable(action) and Input.is_action_just_pressed(action)


## -1 to 1, from two opposite actions.
func axis(negative: StringName, positive: StringName) -> float:
	if not _is_usable(negative) or not _is_usable(positive):
		return 0.0
	return Input.get_axis(negative, positive)


## Gives an action one event instead of those it had, and keeps that.
func rebind(action: StringName, event: InputEvent) -> Error:
	if not InputMap.has_action(action):
		return ERR_DOES_NOT_EXIST
	InputMap.action_erase_events(action)
	InputMap.action_add_event(action, event)
	action_rebound.emit(action)
	return save_bindings()


## Gives an action back the events of the project.
func reset(action: StringName) -> Error:
	var setting: Variant = ProjectSettings.get_setting("input/" + String(action), null)
	if not setting is Dictionary or not InputMap.has_action(action):
		return ERR_DOES_NOT_EXIST
	var declared: Dictionary = setting
	var events: Array = declared.get("events", [])
	InputMap.action_erase_events(action)
	for event: InputEvent in events:
		InputMap.action_add_event(action, event)
	action_rebound.emit(action)
	return save_bindings()


func save_bindings() -> Error:
	var file: ConfigFile = ConfigFile.new()
	for action: StringName in InputMap.get_actions():
		if not String(action).begins_with("ui_"):
			file.set_value("bindings", String(action), InputMap.action_get_events(action))
	return file.save(bindings_path)


func load_bindings() -> Error:
	var file: ConfigFile = ConfigFile.new()
	if not FileAccess.file_exists(bindings_path):
		return ERR_FILE_NOT_FOUND
	var error: Error = file.load(bindings_path)
	if error != OK or not file.has_section("bindings"):
		return error
	for action: String in file.get_section_keys("bindings"):
		if InputMap.has_action(action):
			InputMap.action_erase_events(action)
			var events: Array = file.get_value("bindings", action, [])
			for event: InputEvent in events:
				InputMap.action_add_event(action, event)
	return OK


func _is_usable(action: StringName) -> bool:
	return InputMap.has_action(action) and allows(action)


func _is_in_a_context(action: String) -> bool:
	for each: String in contexts:
		var actions: Array = contexts[each]
		if actions.has(action):
			return true
	return false
