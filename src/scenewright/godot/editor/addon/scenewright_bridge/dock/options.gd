@tool
extends VBoxContainer
## The settings that are asked for most; all of them are in Editor Settings > Scenewright.

const Settings = preload("../editor/settings.gd")

const _FLAGS: Dictionary = {
	Settings.DANGEROUS: ["Allow dangerous actions", "Lets clients delete nodes and discard unsaved changes."],
	Settings.START: ["Start with the editor", "Serves as soon as the project is open."],
	Settings.CHECK_TOKEN: ["Ask clients for the token", "Without it, every program of this machine may call."],
}

var _settings: Settings
var _boxes: Dictionary = {}
var _port: SpinBox = SpinBox.new()


func _init(settings: Settings) -> void:
	_settings = settings
	visible = false
	for key: String in _FLAGS:
		var box: CheckBox = CheckBox.new()
		box.text = _FLAGS[key][0]
		box.tooltip_text = _FLAGS[key][1]
		box.clip_text = true
		var _toggled: int = box.toggled.connect(_change.bind(key))
		_boxes[key] = box
		add_child(box)
	_port.prefix = "Port"
	_port.min_value = 1024
	_port.max_value = 65_535
	_port.tooltip_text = "Where the bridge serves from its next start; the next free port where this one is taken."
	add_child(_port)
	_follow()
	var _wired: Array[int] = [_port.value_changed.connect(_change_port), visibility_changed.connect(_follow)]


## They may have been changed on the settings' own page.
func _follow() -> void:
	for key: String in _boxes:
		var box: CheckBox = _boxes[key]
		box.set_pressed_no_signal(_settings.flag(key))
	_port.set_value_no_signal(_settings.integer(Settings.PORT))


func _process(_delta: float) -> void:
	if is_visible_in_tree():
		_follow()


func _change(on: bool, key: String) -> void:
	_settings.change(key, on)


func _change_port(value: float) -> void:
	_settings.change(Settings.PORT, int(value))
