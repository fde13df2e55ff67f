extends Control
## What the player sees of the game's state.

## What the number in the corner is called.
@export var label: String = "Score"

@onready var _health: ProgressBar = %HudHealth
@onready var _score: Label = %HudScore
@onready var _message: Label = %HudMessage


func set_health(current: float, most: float) -> void:
	_health.max_value = most
	_health.value = current


func set_score(score: int) -> void:
	_score.text = "%s: %d" % [label, score]


## Shows a text in the middle for some seconds.
func show_message(text: String, seconds: float = 2.0) -> void:
	_message.text = text
	_message.show()
	await get_tree().create_timer(seconds).timeout
	if _message.text == text:
		_message.hide()
