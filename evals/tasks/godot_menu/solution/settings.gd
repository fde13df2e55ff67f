extends Control

const FILE := "user://settings.cfg"

@onready var music: HSlider = %Music
@onready var effects: HSlider = %Effects
@onready var language: OptionButton = %Language


func _ready() -> void:
	var file := ConfigFile.new()
	file.load(FILE)
	music.value = file.get_value("audio", "music", 80.0)
	effects.value = file.get_value("audio", "effects", 80.0)
	language.selected = file.get_value("game", "language", 0)
	_apply()
	for slider: HSlider in [music, effects]:
		slider.value_changed.connect(func(_value: float) -> void: _keep())
	language.item_selected.connect(func(_index: int) -> void: _keep())
	%Reset.pressed.connect(_reset)
	music.grab_focus()


func _reset() -> void:
	music.value = 80
	effects.value = 80
	language.selected = 0
	_keep()


func _apply() -> void:
	for slider: HSlider in [music, effects]:
		var bus := AudioServer.get_bus_index(slider.name)
		AudioServer.set_bus_mute(bus, slider.value == 0.0)
		AudioServer.set_bus_volume_linear(bus, slider.value / 100.0)


func _keep() -> void:
	_apply()
	var file := ConfigFile.new()
	file.set_value("audio", "music", music.value)
	file.set_value("audio", "effects", effects.value)
	file.set_value("game", "language", language.selected)
	file.save(FILE)
