extends CanvasLayer

@onready var keys: Label = $Rows/Keys
@onready var message: Label = $Rows/Message


func _ready() -> void:
	GameState.keys_changed.connect(_show_keys)
	_show_keys(GameState.keys)


func show_message() -> void:
	message.show()


func _show_keys(count: int) -> void:
	keys.text = "Keys: %d / %d" % [count, GameState.NEEDED]
