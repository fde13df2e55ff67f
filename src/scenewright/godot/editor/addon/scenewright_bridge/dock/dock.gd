@tool
extends VBoxContainer
## The dock: whether the bridge serves and whom, what waits for the person, and what was done last.

signal start_wanted
signal stop_wanted

const Approvals = preload("approvals.gd")
const Deeds = preload("deeds.gd")
const History = preload("../editor/history.gd")
const Options = preload("options.gd")
const SetupMenu = preload("setup_menu.gd")
const Settings = preload("../editor/settings.gd")
const Version = preload("../version.gd")

const _SHOW_EVERY: int = 500
const _CALM: int = 1000
const _LOOK_EVERY: int = 1000
const _MISFIT: String = (
	"The server brings version %s of this addon, and this is %s. Have the agent call godot_sync_addon,"
	+ " or run on a shell:\nscenewright call godot_sync_addon"
)

var _settings: Settings
var _light: Label = Label.new()
var _state: Label = Label.new()
var _button: Button = Button.new()
var _clients: Label = Label.new()
var _misfit: Label = Label.new()
var _warning: Label = Label.new()
var _approvals: Approvals = Approvals.new()
var _deeds: Deeds = Deeds.new()
var _names: PackedStringArray = PackedStringArray()
var _port: int = 0
var _shown: int = 0
var _news: int = 0
var _looked: int = 0
var _has_news: bool = true


func _init(settings: Settings) -> void:
	_settings = settings
	name = "Scenewright"
	custom_minimum_size = Vector2(180, 120)
	_light.text = "●"
	_clients.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	_clients.mouse_filter = Control.MOUSE_FILTER_STOP  # so that its tooltip shows
	for label: Label in [_misfit, _warning]:
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
		label.visible = false
	var options: Options = Options.new(settings)
	for part: Control in [_top_row(), _clients, _middle(), _bottom_row(options), options]:
		add_child(part)
	_show()
	var _wired: Array[int] = [
		_button.pressed.connect(_on_pressed),
		_deeds.undone.connect(_note_news),
		History.manager.version_changed.connect(_note_news),
	]


func know_edits(methods: Array) -> void:
	_deeds.edits = methods


func show_state(port: int, clients: PackedStringArray, addon_wanted: String) -> void:
	var turned: bool = (port == 0) != (_port == 0)
	_port = port
	if clients.size() > _names.size():
		_deeds.follow()
	_names = clients
	_misfit.visible = addon_wanted != "" and addon_wanted != Version.PLUGIN
	_misfit.text = _MISFIT % [addon_wanted, Version.PLUGIN]
	_note_news()
	if turned:
		_show()


func show_call(client: int, method: String, code: int, _usec: int) -> void:
	if method == "ping":
		# Clients ask now and then whether anybody is there; that is nothing to draw the window for.
		return
	_deeds.note(_name_of(client), method, code)
	_note_news()


## What happened to the files of open scenes; a loss stays until the next one.
func show_news(text: String, is_loss: bool) -> void:
	if is_loss or not _warning.visible:
		_warning.text = text
		_warning.visible = is_loss


func _process(_delta: float) -> void:
	var now: int = Time.get_ticks_msec()
	if now - _looked >= _LOOK_EVERY and is_visible_in_tree():
		_looked = now
		_approvals.look()
	if _has_news and _is_time_to_show(now):
		_show()


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
	_clients.text = "No client is connected" if _names.is_empty() else _short(_names)
	_clients.tooltip_text = "\n".join(_names)
	var meaning: String = "error_color" if _port == 0 else "warning_color" if _names.is_empty() else "success_color"
	_light.add_theme_color_override("font_color", get_theme_color(meaning, "Editor"))
	_light.tooltip_text = _state.text + "\n" + (_clients.text if _names.is_empty() else _clients.tooltip_text)
	for label: Label in [_misfit, _warning]:
		label.add_theme_color_override("font_color", get_theme_color("warning_color", "Editor"))
	_deeds.show_rows()


func _top_row() -> HBoxContainer:
	var row: HBoxContainer = HBoxContainer.new()
	_state.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_state.clip_text = true
	_light.mouse_filter = Control.MOUSE_FILTER_PASS
	for part: Control in [_light, _state, _button]:
		row.add_child(part)
	return row


## What may grow, which scrolls.
func _middle() -> ScrollContainer:
	var scroll: ScrollContainer = ScrollContainer.new()
	scroll.size_flags_vertical = Control.SIZE_EXPAND_FILL
	scroll.horizontal_scroll_mode = ScrollContainer.SCROLL_MODE_DISABLED
	scroll.custom_minimum_size = Vector2(0, 60)
	var column: VBoxContainer = VBoxContainer.new()
	column.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	for part: Control in [_warning, _misfit, _approvals, _deeds]:
		column.add_child(part)
	scroll.add_child(column)
	return scroll


func _bottom_row(options: Options) -> HBoxContainer:
	var row: HBoxContainer = HBoxContainer.new()
	var shown: Button = Button.new()
	shown.text = "Settings"
	shown.toggle_mode = true
	shown.flat = true
	var _wired: int = shown.toggled.connect(options.set_visible)
	row.add_child(SetupMenu.new())
	row.add_child(shown)
	return row


func _name_of(client: int) -> String:
	for entry: String in _names:
		if entry.begins_with("#%d " % client):
			return entry.get_slice(" ", 1)
	return ""


func _on_pressed() -> void:
	if _port != 0:
		stop_wanted.emit()
	else:
		start_wanted.emit()


## The clients by their own names; through what they come is in the tooltip.
static func _short(names: PackedStringArray) -> String:
	var shown: PackedStringArray = PackedStringArray()
	for entry: String in names:
		var _full: bool = shown.append(entry.get_slice(" through ", 0))
	return "\n".join(shown)
