@tool
extends VBoxContainer
## The dock: whether the bridge serves, on which port, whom, and what they called last.

signal start_wanted
signal stop_wanted

const Settings = preload("editor/settings.gd")

const _CALLS: int = 12
const _SHOW_EVERY: int = 500

var _settings: Settings
var _state: Label = Label.new()
var _button: Button = Button.new()
var _dangerous: CheckBox = CheckBox.new()
var _clients: Label = Label.new()
var _last: Label = Label.new()
var _calls: PackedStringArray = PackedStringArray()
var _serving: bool = false
var _shown: int = 0


func _init(settings: Settings) -> void:
	_settings = settings
	name = "Scenewright"
	_dangerous.text = "Allow dangerous actions"
	_dangerous.tooltip_text = "Lets clients delete nodes and discard unsaved changes."
	_dangerous.button_pressed = settings.flag(Settings.DANGEROUS)
	_last.clip_text = true
	for part: Control in [_state, _button, _dangerous, _clients, HSeparator.new(), _last]:
		add_child(part)
	var _wired: Array[int] = [_button.pressed.connect(_on_pressed), _dangerous.toggled.connect(_on_toggled)]


func show_state(port: int, clients: PackedStringArray) -> void:
	_serving = port != 0
	_state.text = "Serving on 127.0.0.1:%d" % port if _serving else "Not serving"
	_button.text = "Stop" if _serving else "Start"
	_clients.text = "No client is connected" if clients.is_empty() else "\n".join(clients)


func show_call(client: int, method: String, code: int, usec: int) -> void:
	var outcome: String = "ok" if code == 0 else str(code)
	_calls = _calls.slice(-(_CALLS - 1))
	var _added: bool = _calls.append("#%d %s  %s  %.1f ms" % [client, method, outcome, usec / 1000.0])


func _process(_delta: float) -> void:
	var now: int = Time.get_ticks_msec()
	# Each change makes the editor draw its window again, which takes longer than most calls.
	if is_visible_in_tree() and now - _shown >= _SHOW_EVERY:
		_shown = now
		_last.text = "\n".join(_calls)
	_dangerous.set_pressed_no_signal(_settings.flag(Settings.DANGEROUS))


func _on_pressed() -> void:
	if _serving:
		stop_wanted.emit()
	else:
		start_wanted.emit()


func _on_toggled(on: bool) -> void:
	_settings.change(Settings.DANGEROUS, on)
