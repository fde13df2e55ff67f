@tool
extends RefCounted
## A frame's share of time, for work that goes on over several frames: `if turns.is_over(): await
## turns.next`. Once the bridge is gone nothing emits, and what still waits is dropped in silence.

signal next

var _deadline: int = 0


func begin(usec: int) -> void:
	_deadline = Time.get_ticks_usec() + usec
	next.emit()


## Waits until the editor has taken in what was just done: it marks its tabs a frame later.
func settled() -> void:
	await next
	await next


func deadline() -> int:
	return _deadline


func is_over() -> bool:
	return Time.get_ticks_usec() >= _deadline
