@tool
extends VBoxContainer
## The dock: whether the bridge serves, on which port, whom, and what they called last.

signal start_wanted
signal stop_wanted

const Settings = preload("editor/settings.gd")

const _CALLS: int = 12
const _SHOW_EVERY: int = 500
const _CALM: int = 1000

var _settings: Settings
var _state: Label = Label.new()
var _button: Button = Button.new()
var _dangerous: CheckBox = CheckBox.new()
var _clients: Label = Label.new()
var _last: Label = Label.new()
var _warning: Label = Label.new()
var _calls: PackedStringArray = PackedStringArray()
var _names: PackedStringArray = PackedStringArray()
var _port: int = 0
var _shown: int = 0
var _news: int = 0
var _has_news: bool = true


func _init(settings: Settings) -> void:
	_settings = settings
	name = "Scenewright"
	_dangerous.text = "Allow dangerous actions"
	_dangerous.tooltip_text = "Lets clients delete nodes and discard unsaved changes."
	_dangerous.button_pressed = settings.flag(Settings.DANGEROUS)
	_last.clip_text = true
	_warning.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_warning.visible = false
	for part: Control in [_state, _button, _dangerous, _warning, _clients, HSeparator.new(), _last]:
		add_child(part)
	_show()
	var _wired: Array[int] = [_button.pressed.connect(_on_pressed), _dangerous.toggled.connect(_on_toggled)]


func show_state(port: int, clients: PackedStringArray) -> void:
	var turned: bool = (port == 0) != (_port == 0)
	_port = port
	_names = clients
	_note_news()
	if turned:
		_show()


func show_call(client: int, method: String, code: int, usec: int) -> void:
	if method == "ping":
		# Clients ask now and then whether anybody is there; that is nothing to draw the window for.
		return
	var outcome: String = "ok" if code == 0 else str(code)
	_calls = _calls.slice(-(_CALLS - 1))
	var _added: bool = _calls.append("#%d %s  %s  %.1f ms" % [client, method, outcome, usec / 1000.0])
	_note_news()


## What happened to the files of open scenes; a loss stays until the next one.
func show_news(text: String, is_loss: bool) -> void:
	if is_loss or not _warning.visible:
		_warning.text = text
		_warning.visible = is_loss


func _process(_delta: float) -> void:
	if _has_news and _is_time_to_show(Time.get_ticks_msec()):
		_show()
	_dangerous.set_pressed_no_signal(_settings.flag(Settings.DANGEROUS))


## Each change makes the editor draw its whole window again, which takes longer than most calls. So
## news are shown between the calls, unless the person is at work here, where it is drawn anyway.
func _is_time_to_show(now: int) -> bool:
	if now - _shown < _SHOW_EVERY or not is_visible_in_tree():
		return false
	return now - _news >= _CALM or get_window().has_focus()


func _note_news() -> void:
	_has_news = true
	_news = Time.get_ticks_msec()


func _show() -> void:
	_has_news = false
	_shown = Time.get_ticks_msec()
	_state.text = "Serving on 127.0.0.1:%d" % _port if _port != 0 else "Not serving"
	_button.text = "Stop" if _port != 0 else "Start"
	_clients.text = "No client is connected" if _names.is_empty() else "\n".join(_names)
	_last.text = "\n".join(_calls)


func _on_pressed() -> void:
	if _port != 0:
		stop_wanted.emit()
	else:
		start_wanted.emit()


func _on_toggled(on: bool) -> void:
	_settings.change(Settings.DANGEROUS, on)
