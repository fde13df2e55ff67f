@tool
extends RefCounted
## WebSocket framing of the server's side: bytes in, messages out; it knows no socket.
##
## Payloads are unmasked as they arrive, a limited piece per call, so that a big message never
## holds up a frame. The engine's own WebSocketPeer hides the request's headers, and with them the
## Origin, which is why the framing is done here.

enum { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 }

const PROTOCOL_ERROR: int = 1002
const UNSUPPORTED: int = 1003
const NOT_TEXT: int = 1007
const TOO_BIG: int = 1009

const _PIECE: int = 1 << 16
const _HIGH_BITS: int = -9187201950435737472

## The most bytes that a message may have.
var limit: int
## Set once the peer broke the rules: the code to close with.
var failure: int = 0
var failure_reason: String = ""

var _buffer: PackedByteArray = PackedByteArray()
var _at: int = 0
var _opcode: int = -1
var _final: bool = true
var _remaining: int = 0
var _mask: int = 0
var _payload: PackedByteArray = PackedByteArray()
var _high_bits: int = 0
var _begun: PackedByteArray = PackedByteArray()
var _begun_high_bits: int = 0
var _in_message: bool = false


func _init(most: int) -> void:
	limit = most


## How many bytes wait that no message was made of yet.
func waiting() -> int:
	return _buffer.size() - _at


func feed(bytes: PackedByteArray) -> void:
	if _at > 0:
		_buffer = _buffer.slice(_at)
		_at = 0
	_buffer.append_array(bytes)


## The next message as [opcode, payload], or an empty array where none is complete yet.
func next() -> Array:
	while failure == 0:
		if _opcode < 0 and not _read_header():
			break
		if failure != 0 or not _read_payload():
			break
		var opcode: int = _opcode
		_opcode = -1
		if opcode >= CLOSE:
			return [opcode, _payload]
		if not _in_message:
			_begun = _payload
			_begun_high_bits = _high_bits
		else:
			_begun.append_array(_payload)
			_begun_high_bits |= _high_bits
		_in_message = not _final
		if _final:
			return [TEXT, _begun]
	return []


## Whether the message given last is plain ASCII, and so surely valid UTF-8.
func is_plain() -> bool:
	return _begun_high_bits & _HIGH_BITS == 0


static func encode(opcode: int, payload: PackedByteArray) -> PackedByteArray:
	var size: int = payload.size()
	var frame: PackedByteArray = PackedByteArray([0x80 | opcode])
	if size < 126:
		var _added: bool = frame.append(size)
	elif size < 65536:
		frame.append_array(PackedByteArray([126, size >> 8, size & 0xff]))
	else:
		var _added: bool = frame.append(127)
		for shift: int in range(56, -8, -8):
			var _more: bool = frame.append((size >> shift) & 0xff)
	frame.append_array(payload)
	return frame


static func encode_close(code: int, reason: String) -> PackedByteArray:
	var payload: PackedByteArray = PackedByteArray([code >> 8, code & 0xff])
	payload.append_array(reason.to_utf8_buffer().slice(0, 120))
	return encode(CLOSE, payload)


func _read_header() -> bool:
	var there: int = _buffer.size() - _at
	if there < 2:
		return false
	var first: int = _buffer[_at]
	var second: int = _buffer[_at + 1]
	var size: int = second & 0x7f
	var extra: int = 0
	if size == 126:
		extra = 2
	elif size == 127:
		extra = 8
	if not _accepts(first, second, size):
		return false
	if there < 6 + extra:
		return false
	if extra > 0:
		size = 0
		for index: int in extra:
			size = (size << 8) | _buffer[_at + 2 + index]
	if size < 0 or size + (_begun.size() if _in_message else 0) > limit:
		_fail(TOO_BIG, "A message may have at most %d bytes." % limit)
		return false
	_start_payload(first, size, _at + 2 + extra)
	return true


func _accepts(first: int, second: int, size: int) -> bool:
	var opcode: int = first & 0x0f
	var final: bool = first & 0x80 != 0
	if first & 0x70 != 0 or second & 0x80 == 0:
		_fail(PROTOCOL_ERROR, "Frames of a client are masked and use no extension.")
	elif opcode >= CLOSE and (opcode > PONG or not final or size > 125):
		_fail(PROTOCOL_ERROR, "That is not a control frame.")
	elif opcode == BINARY:
		_fail(UNSUPPORTED, "Messages are JSON texts.")
	elif opcode > BINARY and opcode < CLOSE:
		_fail(PROTOCOL_ERROR, "Unknown kind of frame.")
	elif opcode < CLOSE and (opcode == CONTINUATION) != _in_message:
		_fail(PROTOCOL_ERROR, "Frames of one message are out of order.")
	return failure == 0


func _start_payload(first: int, size: int, mask_at: int) -> void:
	_opcode = first & 0x0f
	_final = first & 0x80 != 0
	_remaining = size
	var mask: PackedByteArray = _buffer.slice(mask_at, mask_at + 4)
	mask.append_array(mask)
	_mask = mask.decode_s64(0)
	_at = mask_at + 4
	_payload = PackedByteArray()
	_high_bits = 0


func _read_payload() -> bool:
	var allowance: int = _PIECE
	while _remaining > 0:
		var size: int = mini(mini(_buffer.size() - _at, _remaining), allowance)
		if size < _remaining:
			size -= size % 8
		if size == 0:
			return false
		_unmask(size)
		allowance -= size
	return true


func _unmask(size: int) -> void:
	var piece: PackedByteArray = _buffer.slice(_at, _at + size)
	var padding: int = (8 - size % 8) % 8
	var _resized: int = piece.resize(size + padding)
	var words: PackedInt64Array = piece.to_int64_array()
	var mask: int = _mask
	var seen: int = 0
	for index: int in words.size() - 1:
		var word: int = words[index] ^ mask
		seen |= word
		words[index] = word
	var last: int = words[words.size() - 1] ^ mask
	if padding > 0:
		last &= (1 << (8 * (8 - padding))) - 1
	words[words.size() - 1] = last
	_high_bits |= seen | last
	piece = words.to_byte_array()
	_resized = piece.resize(size)
	_payload.append_array(piece)
	_at += size
	_remaining -= size


func _fail(code: int, reason: String) -> void:
	failure = code
	failure_reason = reason
