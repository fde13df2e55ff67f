@tool
extends RefCounted
## The calls that wait: a line for each client, which are served in turn, so that nobody waits for all
## that another has sent.

const _WORN: int = 1024

var _lines: Dictionary = {}
var _served: Dictionary = {}
var _turns: Array[int] = []


func is_empty() -> bool:
	return _turns.is_empty()


func add(client: int, request: Dictionary) -> void:
	if not _lines.has(client):
		_lines[client] = []
		_served[client] = 0
		_turns.append(client)
	_line(client).append(request)


## The next call of the client whose turn it is.
func take() -> Dictionary:
	var client: int = _turns.pop_front()
	var at: int = _served[client]
	var request: Dictionary = _line(client)[at]
	_served[client] = at + 1
	if at + 1 == _line(client).size():
		_forget(client)
		return request
	_turns.append(client)
	if at > _WORN and at * 2 > _line(client).size():
		_lines[client] = _line(client).slice(at + 1)
		_served[client] = 0
	return request


## The calls of a client that still wait, the oldest first.
func of(client: int) -> Array:
	if not _lines.has(client):
		return []
	var at: int = _served[client]
	return _line(client).slice(at)


## Nobody waits for these any more.
func drop(client: int) -> void:
	_turns.erase(client)
	_forget(client)


func _line(client: int) -> Array:
	return _lines[client]


func _forget(client: int) -> void:
	var _known: Array[bool] = [_lines.erase(client), _served.erase(client)]
