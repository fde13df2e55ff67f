extends Control
## Volume and window, kept from one start of the game to the next.

signal changed
signal closed

## Where they are kept; empty for nowhere.
@export var file: String = "user://settings.cfg"
@export var bus: StringName = &"Master"

var _loading: bool = false

@onready var _volume: HSlider = %MasterVolume
@onready var _fullscreen: CheckButton = %Fullscreen
@onready var _vsync: CheckButton = %Vsync


func _ready() -> void:
	var kept: ConfigFile = ConfigFile.new()
	if file.is_empty() or kept.load(file) != OK:
		return
	_loading = true
	_volume.value = kept.get_value("audio", "volume", 1.0)
	_fullscreen.button_pressed = kept.get_value("window", "fullscreen", false)
	_vsync.button_pressed = kept.get_value("window", "vsync", true)
	_loading = false


func _on_volume(value: float) -> void:
	var index: int = AudioServer.get_bus_index(bus)
	AudioServer.set_bus_volume_db(index, linear_to_db(value))
	AudioServer.set_bus_mute(index, value <= 0.0)
	_keep()


func _on_fullscreen(on: bool) -> void:
	get_window().mode = Window.MODE_FULLSCREEN if on else Window.MODE_WINDOWED
	_keep()


func _on_vsync(on: bool) -> void:
	DisplayServer.window_set_vsync_mode(DisplayServer.VSYNC_ENABLED if on else DisplayServer.VSYNC_DISABLED)
	_keep()


func _on_back() -> void:
	hide()
	closed.emit()


func _keep() -> void:
	if _loading:
		return
	changed.emit()
	if file.is_empty():
		return
	var kept: ConfigFile = ConfigFile.new()
	kept.set_value("audio", "volume", _volume.value)
	kept.set_value("window", "fullscreen", _fullscreen.button_pressed)
	kept.set_value("window", "vsync", _vsync.button_pressed)
	kept.save(file)
