@tool
extends RefCounted
## Listens on this machine only and keeps the connections; what they say goes out by signal.

signal opened(id: int)
signal heard(id: int, text: String)
signal closed(id: int)

const Connection = preload("connection.gd")
const Strict = preload("strict.gd")

const HOST: String = "127.0.0.1"
const MESSAGE_LIMIT: int = 16 << 20

const _TRIES: int = 64
const _MESSAGES_AT_ONCE: int = 32
const _CONNECTIONS: int = 256
## Who has not shown the token yet: so many at once, so many new ones a frame, and for so long.
const _STRANGERS: int = 64
const _NEW_AT_ONCE: int = 16
const _STRANGER_TIME: int = 10000

var port: int = 0

var _listener: TCPServer = TCPServer.new()
var _strict: Strict = Strict.new()
var _connections: Dictionary = {}
var _announced: Dictionary = {}
## When each came of those who have not shown the token, the oldest first.
var _strangers: Dictionary = {}
var _last_id: int = 0


## Takes the first free port from this one on.
func listen(from: int) -> Error:
	var error: Error = ERR_CANT_OPEN
	for candidate: int in range(from, mini(from + _TRIES, 65536)):
		error = _listener.listen(candidate, HOST)
		if error == OK:
			port = candidate
			return OK
	return error


func stop() -> void:
	_listener.stop()
	for id: int in _connections.keys():
		_connection(id).abort()
		_forget(id)
	port = 0


## Hears everyone, and those who have much to say again and again until the deadline.
func poll(deadline: int) -> void:
	_take_newcomers()
	var talking: Array = _connections.keys()
	while not talking.is_empty():
		talking = talking.filter(_poll_one)
		if Time.get_ticks_usec() >= deadline:
			break
	_show_out_silent_strangers()


func send(id: int, text: String) -> void:
	if _connections.has(id):
		_connection(id).send(_strict.json(text))


## This client showed the token: it may send long messages, and stay.
func trust(id: int) -> void:
	var _was_stranger: bool = _strangers.erase(id)
	if _connections.has(id):
		_connection(id).trust(MESSAGE_LIMIT)


func close(id: int, code: int, reason: String) -> void:
	if _connections.has(id):
		_connection(id).close(code, reason)


func is_busy() -> bool:
	for id: int in _connections:
		if _connection(id).is_busy():
			return true
	return false


func _connection(id: int) -> Connection:
	return _connections[id]


## The oldest stranger makes room for the newest: whoever knows the token has shown it long before
## it is the oldest of so many.
func _take_newcomers() -> void:
	var taken: int = 0
	while taken < _NEW_AT_ONCE and _listener.is_connection_available():
		var stream: StreamPeerTCP = _listener.take_connection()
		taken += 1
		if _connections.size() - _strangers.size() >= _CONNECTIONS:
			stream.disconnect_from_host()
			continue
		if _strangers.size() >= _STRANGERS:
			var oldest: int = _strangers.keys()[0]
			_connection(oldest).abort()
			_forget(oldest)
		_last_id += 1
		_connections[_last_id] = Connection.new(stream)
		_strangers[_last_id] = Time.get_ticks_msec()


func _show_out_silent_strangers() -> void:
	var now: int = Time.get_ticks_msec()
	for id: int in _strangers.keys():
		var since: int = _strangers[id]
		if now - since < _STRANGER_TIME:
			return
		var _was_stranger: bool = _strangers.erase(id)
		close(id, 1008, "The token did not come in time.")


## Whether this one has more to say.
func _poll_one(id: int) -> bool:
	if not _connections.has(id):
		return false
	var connection: Connection = _connection(id)
	var texts: PackedStringArray = connection.poll(_MESSAGES_AT_ONCE)
	if not _announced.has(id) and connection.state == Connection.State.OPEN:
		_announced[id] = true
		opened.emit(id)
	for text: String in texts:
		heard.emit(id, text)
	if connection.state == Connection.State.CLOSED:
		_forget(id)
	return texts.size() == _MESSAGES_AT_ONCE


func _forget(id: int) -> void:
	var _known: bool = _connections.erase(id)
	var _was_stranger: bool = _strangers.erase(id)
	if _announced.erase(id):
		closed.emit(id)
