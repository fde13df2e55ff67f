@tool
extends RefCounted
## A frame's share of time, for work that goes on over several frames: `if turns.is_over(): await
## turns.next`. Once the bridge is gone nothing emits, and what still waits is dropped in silence.

signal next

const _PIECE: int = 1 << 16

var _deadline: int = 0
var _halfway: int = 0


func begin(usec: int) -> void:
	var now: int = Time.get_ticks_usec()
	_halfway = now + (usec >> 1)
	_deadline = now + usec


## Lets what waits for its turn have it.
func go_on() -> void:
	next.emit()


## Waits for the next turn, unless half of this one is left: for what takes a while in one piece.
func with_time() -> void:
	if Time.get_ticks_usec() >= _halfway:
		await next


## Waits until the editor has taken in what was just done: it marks its tabs a frame later.
func settled() -> void:
	await next
	await next


## A text as JSON has it; a long one is written over several turns.
func quoted(text: String) -> String:
	var parts: PackedStringArray = PackedStringArray()
	for at: int in range(0, text.length(), _PIECE):
		if is_over():
			await next
		var piece: String = JSON.stringify(text.substr(at, _PIECE), "", false)
		var _added: bool = parts.append(piece.substr(1, piece.length() - 2))
	await with_time()
	return '"%s"' % "".join(parts)


func deadline() -> int:
	return _deadline


func halfway() -> int:
	return _halfway


func is_over() -> bool:
	return Time.get_ticks_usec() >= _deadline
