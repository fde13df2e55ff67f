@tool
extends RefCounted
## The parameters of a call, read one by one; the first that does not fit becomes the reply.

const Reply = preload("reply.gd")
const Replies = preload("replies.gd")

## The first problem found, or null.
var problem: Reply = null
## Which client calls; 0 is the bridge itself.
var client: int = 0

var _values: Dictionary


func _init(values: Dictionary) -> void:
	_values = values


func has(key: String) -> bool:
	return _values.get(key) != null


func raw(key: String) -> Variant:
	return _values.get(key)


func everything() -> Dictionary:
	return _values


## The first of these names that was given: some parameters have a second, older name.
func alias(keys: Array[String]) -> String:
	for key: String in keys:
		if has(key):
			return key
	return keys[0]


func text(key: String, fallback: String) -> String:
	if not has(key):
		return fallback
	if _values[key] is String:
		return _values[key]
	_complain(Replies.invalid(key, "a string", _values[key]))
	return fallback


func required_text(key: String, what: String) -> String:
	if not has(key):
		_complain(Replies.missing(key, what))
		return ""
	var given: String = text(key, "")
	if given.strip_edges() == "":
		_complain(Replies.invalid(key, what))
	return given


func choice(key: String, options: Array[String], fallback: String) -> String:
	var given: String = text(key, fallback)
	if given in options:
		return given
	_complain(Replies.invalid(key, "one of " + ", ".join(options), given))
	return fallback


func integer(key: String, fallback: int, least: int, most: int) -> int:
	if not has(key):
		return fallback
	var value: Variant = _values[key]
	if value is String and str(value).is_valid_int():
		value = str(value).to_int()
	if value is bool or not (value is int or value is float):
		_complain(Replies.invalid(key, "a whole number", value))
		return fallback
	var given: float = value
	if given != floorf(given) or given < least or given > most:
		_complain(Replies.invalid(key, "a whole number from %d to %d" % [least, most], value))
		return fallback
	return roundi(given)


func number(key: String, fallback: float) -> float:
	if not has(key):
		return fallback
	var value: Variant = _values[key]
	if value is int or value is float:
		return value
	_complain(Replies.invalid(key, "a number", value))
	return fallback


func flag(key: String, fallback: bool) -> bool:
	if not has(key):
		return fallback
	if _values[key] is bool:
		return _values[key]
	_complain(Replies.invalid(key, "true or false", _values[key]))
	return fallback


func texts(key: String) -> PackedStringArray:
	var found: PackedStringArray = PackedStringArray()
	if not has(key):
		return found
	if not _values[key] is Array:
		_complain(Replies.invalid(key, "a list of strings", _values[key]))
		return found
	var items: Array = _values[key]
	for item: Variant in items:
		if not item is String:
			_complain(Replies.invalid(key, "a list of strings", item))
			return found
		var _added: bool = found.append(str(item))
	return found


func list(key: String) -> Array:
	if not has(key):
		return []
	if _values[key] is Array:
		return _values[key]
	_complain(Replies.invalid(key, "a list", _values[key]))
	return []


func table(key: String) -> Dictionary:
	if not has(key):
		return {}
	if _values[key] is Dictionary:
		return _values[key]
	_complain(Replies.invalid(key, "an object", _values[key]))
	return {}


func _complain(reply: Reply) -> void:
	if problem == null:
		problem = reply
