extends RefCounted
## Lists as a method declares them: to the engine an Array is not an Array[int], whatever is in it.

const _NUMBERS: Array[int] = [TYPE_INT, TYPE_FLOAT]
const _TEXTS: Array[int] = [TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH]


## The list with the type of an argument's declaration, null where its elements do not fit; `fit` makes each of a type.
static func typed(values: Array, declared: Dictionary, fit: Callable) -> Variant:
	if int(declared.get("hint", 0) as int) != PROPERTY_HINT_ARRAY_TYPE:
		return values
	var element: String = declared["hint_string"]
	var script: Script = _script_named(element)
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


static func _script_named(name: String) -> Script:
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
