@tool
extends RefCounted
## How long the editor sleeps between frames: hardly while clients call, as it likes otherwise.
##
## Without focus the editor sleeps 100 ms per frame, so that each call would take that long. The
## editor sets its own value anew whenever the focus changes; whatever it set last is put back.

const AWAKE: int = 200
const ATTENTIVE: int = 6900

const _AWAKE_FOR: int = 2_000_000
const _ATTENTIVE_FOR: int = 60_000_000

var _own: int = -1
var _theirs: int = -1
var _last_call: int = -_ATTENTIVE_FOR


func touch() -> void:
	_last_call = Time.get_ticks_usec()
	_apply(AWAKE)


## Once per frame.
func follow(busy: bool) -> void:
	if busy:
		_last_call = Time.get_ticks_usec()
	var idle: int = Time.get_ticks_usec() - _last_call
	if idle < _AWAKE_FOR:
		_apply(AWAKE)
	elif idle < _ATTENTIVE_FOR:
		_apply(ATTENTIVE)
	else:
		release()


func release() -> void:
	if _own >= 0 and OS.low_processor_usage_mode_sleep_usec == _own:
		OS.low_processor_usage_mode_sleep_usec = _theirs
	_own = -1


func _apply(usec: int) -> void:
	var now: int = OS.low_processor_usage_mode_sleep_usec
	if _own < 0 or now != _own:
		_theirs = now
	var wanted: int = mini(usec, _theirs)
	if now != wanted:
		OS.low_processor_usage_mode_sleep_usec = wanted
	_own = wanted
