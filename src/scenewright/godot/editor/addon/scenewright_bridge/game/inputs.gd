extends RefCounted
## What the person does in a running game, by the game's own clock, to be played again.

const MOST: int = 3000

var scene_path: String = ""
var seconds: float = 0.0
var left_out: int = 0
var _rows: Array = []


## Once per frame.
func pass_time(delta: float, scene: Node) -> void:
	seconds += delta
	if scene_path == "" and scene != null:
		scene_path = scene.scene_file_path


## Takes up an input; of a mouse that moves, where it is at the end of each moment.
func take(event: InputEvent) -> void:
	if event.is_echo() or not _is_told(event):
		return
	var place: Vector2 = (event as InputEventMouse).position if event is InputEventMouse else Vector2.ZERO
	var row: Array = [seconds, var_to_str(event) if not event is InputEventMouseMotion else "", place.x, place.y]
	if event is InputEventMouseMotion and not _rows.is_empty():
		var last: Array = _rows[-1]
		if last[1] == "" and last[0] == seconds:
			_rows[-1] = row
			return
	if _rows.size() < MOST:
		_rows.append(row)
	else:
		left_out += 1


func told() -> Array:
	return _rows


static func _is_told(event: InputEvent) -> bool:
	return (
		event is InputEventKey or event is InputEventMouseButton or event is InputEventMouseMotion
		or event is InputEventJoypadButton or event is InputEventAction
	)
