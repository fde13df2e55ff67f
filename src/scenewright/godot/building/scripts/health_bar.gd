extends ProgressBar
## Shows how much is left, and tells when nothing is.

signal depleted

## Seconds until the bar has reached a new value.
@export var smooth: float = 0.2
## Whether the numbers are shown on it.
@export var show_numbers: bool = true

@onready var health: float = value
@onready var _label: Label = $Value


func _ready() -> void:
	_write()


func set_health(current: float, most: float = max_value) -> void:
	var before: float = health
	max_value = most
	health = clampf(current, 0.0, most)
	_write()
	create_tween().tween_property(self, ^"value", health, smooth)
	if health <= 0.0 and before > 0.0:
		depleted.emit()


func _write() -> void:
	_label.visible = show_numbers
	_label.text = "%d / %d" % [ceili(health), ceili(max_value)]
