extends RefCounted
## Lists and dictionaries as a method declares them: to the engine an Array is not an Array[int], whatever is in it.

const _DICTIONARY_TYPE: int = 38  # PROPERTY_HINT_DICTIONARY_TYPE, which Godot 4.3 has no name for
const _NUMBERS: Array[int] = [TYPE_INT, TYPE_FLOAT]
const _TEXTS: Array[int] = [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]


## The list with the type of an argument's declaration, null where its elements do not fit; `fit` makes each of a type.
static func typed(values: Array, declared: Dictionary, fit: Callable) -> Variant:
	if int(declared.get("hint", 0) as int) != PROPERTY_HINT_ARRAY_TYPE:
		return values
	var element: String = declared["hint_string"]
	var script: Script = script_named(element)
	var type: int = _type_named(element, script)
	var found: Array = []
	for value: Variant in values:
		var fitted: Variant = _alike(fit.call(value, type), type)
		if typeof(fitted) != type and not (fitted == null and type == TYPE_OBJECT):
			return null
		if fitted is Object and not _is_instance(fitted as Object, element, script):
			return null
		found.append(fitted)
	var native: StringName = script.get_instance_base_type() if script != null else StringName(element)
	return Array(found, type, native if type == TYPE_OBJECT else &"", script)


## The same of a dictionary, null also where its keys or values are objects.
static func typed_pairs(pairs: Dictionary, declared: Dictionary, fit: Callable) -> Variant:
	if int(declared.get("hint", 0) as int) != _DICTIONARY_TYPE:
		return pairs
	var names: PackedStringArray = (declared["hint_string"] as String).split(";")
	var types: Array[int] = []
	for name: String in names:
		types.append(TYPE_NIL if name == "Variant" else _type_named(name, script_named(name)))
	var words: Array = types.map(func(type: int) -> String: return "Variant" if type == TYPE_NIL else type_string(type))
	var made: Variant = null if TYPE_OBJECT in types else str_to_var("Dictionary[%s, %s]({})" % words)
	if not made is Dictionary:
		return null
	var found: Dictionary = made
	for key: Variant in pairs:
		var both: Array = [key, pairs[key]]
		for at: int in 2:
			both[at] = both[at] if types[at] == TYPE_NIL else _alike(fit.call(both[at], types[at]), types[at])
			if types[at] != TYPE_NIL and typeof(both[at]) != types[at]:
				return null
		found[both[0]] = both[1]
	return found


static func script_named(name: String) -> Script:
	for known: Dictionary in ProjectSettings.get_global_class_list():
		if known["class"] == name:
			return load(known["path"] as String) as Script
	return null


static func _type_named(name: String, script: Script) -> int:
	for type: int in TYPE_MAX:
		if type_string(type) == name:
			return type
	return TYPE_OBJECT if script != null or ClassDB.class_exists(name) else TYPE_INT  # an enum


static func _alike(value: Variant, type: int) -> Variant:
	var near: bool = typeof(value) in _NUMBERS and type in _NUMBERS or typeof(value) in _TEXTS and type in _TEXTS
	return type_convert(value, type) if near else value


static func _is_instance(value: Object, name: String, script: Script) -> bool:
	return is_instance_of(value, script) if script != null else value.is_class(name)
