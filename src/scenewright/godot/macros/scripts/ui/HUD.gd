extends CanvasLayer
## What the player sees while playing.

@onready var _health: ProgressBar = $Margin/Rows/Health
@onready var _message: Label = $Margin/Rows/Message


func show_health(current: float, most: float) -> void:
	_health.max_value = most
	_health.value = current


func show_message(text: String) -> void:
	_message.text = text
