@tool
extends RefCounted
## One client's socket: the opening request, then messages both ways, nothing about their meaning.

const Frames = preload("frames.gd")
const Upgrade = preload("upgrade.gd")

enum State { OPENING, OPEN, CLOSING, CLOSED }

const _READ: int = 1 << 18
const _OPENING_TIME: int = 5000
const _CLOSING_TIME: int = 2000
const _BACKLOG: int = 96 << 20
const _LINGER: int = 150
## What a stranger may say at once, and the longest text whose every byte is looked at.
const _STRANGER: int = 1 << 16

var state: State = State.OPENING

var _stream: StreamPeerTCP
var _frames: Frames
var _head: PackedByteArray = PackedByteArray()
var _outgoing: PackedByteArray = PackedByteArray()
var _sent: int = 0
var _lingering: bool = false
var _since: int = Time.get_ticks_msec()
var _heard: int = 0


func _init(stream: StreamPeerTCP) -> void:
	_stream = stream
	_stream.set_no_delay(true)
	_frames = Frames.new(_STRANGER)


## From now on its messages may be long.
func trust(limit: int) -> void:
	_frames.limit = limit


## Reads and writes what can be without waiting, and returns the texts that came.
func poll(most: int) -> PackedStringArray:
	var texts: PackedStringArray = PackedStringArray()
	if state == State.CLOSED:
		return texts
	if _stream.poll() != OK or _stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		_drop()
		return texts
	_read()
	if state == State.OPEN:
		_take_messages(texts, most)
	_write()
	_watch_time()
	return texts


func send(text: String) -> void:
	if state == State.OPEN:
		_push(Frames.encode(Frames.TEXT, text.to_utf8_buffer()))
		_write()


## Says goodbye; what was sent before still goes out first. What the client is still sending is
## read and dropped for a while: a socket closed over unread bytes would take the goodbye with it.
func close(code: int, reason: String) -> void:
	if state == State.OPEN:
		_push(Frames.encode_close(code, reason))
		_lingering = true
		_close_when_sent()
	elif state == State.OPENING:
		_drop()


## Ends it at once.
func abort() -> void:
	if state == State.OPEN:
		_push(Frames.encode_close(1001, "The editor's bridge is stopping."))
	_write()
	_drop()


## Whether something came that was not handed out yet, or waits to be sent.
func is_busy() -> bool:
	return state == State.OPEN and (_frames.waiting() > 0 or not _outgoing.is_empty())


func _read() -> void:
	if state == State.OPEN and _frames.waiting() >= _READ:
		return  # the rest waits with whoever sends it
	var size: int = mini(_stream.get_available_bytes(), _READ)
	if state == State.CLOSING and size > 0:
		_heard = Time.get_ticks_msec()
	while state == State.CLOSING and size > 0:
		var last: Array = _stream.get_partial_data(size)
		var rest: PackedByteArray = last[1]
		_read_goodbye(rest)
		size = mini(_stream.get_available_bytes(), _READ)
	if size <= 0:
		return
	var got: Array = _stream.get_partial_data(size)
	var bytes: PackedByteArray = got[1]
	if state == State.OPENING:
		_head.append_array(bytes)
		_answer_opening()
	elif state == State.OPEN:
		_frames.feed(bytes)


## After our goodbye only the client's own is of interest.
func _read_goodbye(bytes: PackedByteArray) -> void:
	if _frames.failure != 0:
		return
	_frames.feed(bytes)
	var message: Array = _frames.next()
	while not message.is_empty():
		_lingering = _lingering and message[0] != Frames.CLOSE
		message = _frames.next()


func _answer_opening() -> void:
	var end: int = Upgrade.end_of_head(_head)
	if end < 0 and _head.size() <= Upgrade.LIMIT:
		return
	var answer: String = Upgrade.answer(_head.slice(0, maxi(end, 0)).get_string_from_ascii())
	_push(answer.to_ascii_buffer())
	if end < 0 or not Upgrade.is_accepting(answer):
		_close_when_sent()
		return
	state = State.OPEN
	_frames.feed(_head.slice(end))
	_head.clear()


func _take_messages(texts: PackedStringArray, most: int) -> void:
	while texts.size() < most:
		var message: Array = _frames.next()
		if message.is_empty():
			break
		var opcode: int = message[0]
		var payload: PackedByteArray = message[1]
		match opcode:
			Frames.TEXT:
				if payload.size() <= _STRANGER and not _frames.is_plain() and not _is_utf8(payload):
					close(Frames.NOT_TEXT, "Messages are UTF-8.")
					return
				var _added: bool = texts.append(payload.get_string_from_utf8())
			Frames.PING:
				_push(Frames.encode(Frames.PONG, payload))
			Frames.CLOSE:
				_push(Frames.encode(Frames.CLOSE, payload.slice(0, 2)))
				_close_when_sent()
				return
	if _frames.failure != 0:
		close(_frames.failure, _frames.failure_reason)


## The engine prints an error for a text that is not UTF-8; a stranger shall not fill the log.
static func _is_utf8(bytes: PackedByteArray) -> bool:
	var at: int = 0
	var size: int = bytes.size()
	while at < size:
		var lead: int = bytes[at]
		at += 1
		if lead < 0x80:
			if lead == 0:
				return false
			continue
		var more: int = 0
		if lead >= 0xc2 and lead < 0xe0:
			more = 1
		elif lead >= 0xe0 and lead < 0xf0:
			more = 2
		elif lead >= 0xf0 and lead < 0xf5:
			more = 3
		if more == 0 or at + more > size:
			return false
		for index: int in more:
			if bytes[at + index] & 0xc0 != 0x80:
				return false
		at += more
	return true


func _push(bytes: PackedByteArray) -> void:
	_outgoing.append_array(bytes)
	if _outgoing.size() - _sent > _BACKLOG:
		_drop()


func _write() -> void:
	while _sent < _outgoing.size():
		var piece: PackedByteArray = _outgoing.slice(_sent, _sent + _READ)
		var done: Array = _stream.put_partial_data(piece)
		var error: int = done[0]
		var count: int = done[1]
		if error != OK:
			_drop()
			return
		_sent += count
		if count < piece.size():
			return
	_outgoing.clear()
	_sent = 0
	if state == State.CLOSING and not _lingering:
		_drop()


func _watch_time() -> void:
	var now: int = Time.get_ticks_msec()
	var age: int = now - _since
	if state == State.CLOSING and _frames.failure != 0 and now - maxi(_heard, _since) > _LINGER:
		_drop()
	if state == State.OPENING and age > _OPENING_TIME or state == State.CLOSING and age > _CLOSING_TIME:
		_drop()


func _close_when_sent() -> void:
	state = State.CLOSING
	_since = Time.get_ticks_msec()


func _drop() -> void:
	_stream.disconnect_from_host()
	_outgoing.clear()
	_sent = 0
	state = State.CLOSED
