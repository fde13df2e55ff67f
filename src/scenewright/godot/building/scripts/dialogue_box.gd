extends Control
## Shows what somebody says, letter by letter.

signal line_shown(number: int)
signal finished

## Letters in a second.
@export var speed: float = 40.0
## Action that goes on.
@export var action: StringName = &"ui_accept"

var _lines: PackedStringArray = []
var _current: int = -1
var _shown: float = 0.0

@onready var _speaker: Label = %DialogueSpeaker
@onready var _text: RichTextLabel = %DialogueText
@onready var _more: Label = %DialogueMore


func _process(delta: float) -> void:
	if not visible or _text.visible_ratio >= 1.0:
		return
	_shown += speed * delta
	_text.visible_characters = int(_shown)
	if _text.visible_ratio >= 1.0:
		_finish_line()


func _unhandled_input(event: InputEvent) -> void:
	if visible and event.is_action_pressed(action):
		get_viewport().set_input_as_handled()
		advance()


func say(speaker: String, lines: PackedStringArray) -> void:
	_speaker.text = speaker
	_lines = lines
	_current = -1
	show()
	_next()


## Shows the whole line, or the next one; after the last the box closes.
func advance() -> void:
	if _text.visible_ratio < 1.0:
		_finish_line()
	else:
		_next()


func _next() -> void:
	_current += 1
	if _current >= _lines.size():
		hide()
		finished.emit()
		return
	_more.hide()
	_shown = 0.0
	_text.text = _lines[_current]
	_text.visible_characters = 0


func _finish_line() -> void:
	_text.visible_ratio = 1.0
	_more.show()
	line_shown.emit(_current)
