extends RefCounted
## Values as a caller sends them, made into what a method or a signal declares: JSON has no word for a vector or a node.

const Typing: GDScript = preload("typing.gd")
const _UNFIT: String = "Argument %d, '%s', is to be %s, not %s."
const _PARTS: Dictionary = {
	TYPE_VECTOR2: ["x", "y"], TYPE_VECTOR2I: ["x", "y"], TYPE_VECTOR3: ["x", "y", "z"], TYPE_VECTOR3I: ["x", "y", "z"],
	TYPE_VECTOR4: ["x", "y", "z", "w"], TYPE_VECTOR4I: ["x", "y", "z", "w"], TYPE_QUATERNION: ["x", "y", "z", "w"],
	TYPE_RECT2: ["position", "size"], TYPE_RECT2I: ["position", "size"], TYPE_AABB: ["position", "size"],
	TYPE_PLANE: ["normal", "d"], TYPE_TRANSFORM2D: ["x", "y", "origin"], TYPE_TRANSFORM3D: ["basis", "origin"],
	TYPE_BASIS: ["x", "y", "z"], TYPE_COLOR: ["r", "g", "b", "a"],
}
const _ELEMENTS: Dictionary = {
	TYPE_PACKED_VECTOR2_ARRAY: TYPE_VECTOR2, TYPE_PACKED_VECTOR3_ARRAY: TYPE_VECTOR3,
	TYPE_PACKED_VECTOR4_ARRAY: TYPE_VECTOR4, TYPE_PACKED_COLOR_ARRAY: TYPE_COLOR,
}
const _NEVER_SET: PackedStringArray = ["script", "source_code", "_bundled", "tracks"]


## Turns arguments into what is declared; why that cannot be, if so.
static func fit(arguments: Array, declared: Dictionary, scene: Node) -> String:
	var wanted: Array = declared.get("args", [])
	var least: int = wanted.size() - (declared.get("default_args", []) as Array).size()
	var open: bool = declared.is_empty() or int(declared["flags"] as int) & METHOD_FLAG_VARARG != 0
	if not open and (arguments.size() < least or arguments.size() > wanted.size()):
		return "It takes %s arguments, not %d." % [_range(least, wanted.size()), arguments.size()]
	for at: int in arguments.size():
		var given: Variant = arguments[at]
		var argument: Dictionary = wanted[at] if at < wanted.size() else {"type": TYPE_NIL}
		arguments[at] = _fit_one(given, argument, scene)
		var problem: String = _problem(arguments[at], given, argument, at)
		if problem != "":
			return problem
	return ""


static func _fit_one(given: Variant, argument: Dictionary, scene: Node) -> Variant:
	var type: int = argument["type"]
	if type == TYPE_INT and given is String:
		return _enum_value(given as String, str(argument["class_name"]), scene)
	var fitter: Callable = func(value: Variant, kind: int) -> Variant: return fitted(value, kind, scene)
	var made: Variant = fitted(given, type, scene)
	if made is Array and type == TYPE_ARRAY:
		return Typing.typed(made as Array, argument, fitter)
	if made is Dictionary and type == TYPE_DICTIONARY:
		return Typing.typed_pairs(made as Dictionary, argument, fitter)
	return made


static func _problem(made: Variant, given: Variant, argument: Dictionary, at: int) -> String:
	var type: int = argument["type"]
	if type == TYPE_NIL:
		return ""
	var lost: bool = type == TYPE_OBJECT and given != null and not made is Object
	if made == null and (given is Array or given is Dictionary) and type in [TYPE_ARRAY, TYPE_DICTIONARY]:
		var inside: String = (argument["hint_string"] as String).replace(";", ", ")
		var list: String = "%s[%s]" % ["an Array" if type == TYPE_ARRAY else "a Dictionary", inside]
		return _UNFIT % [at + 1, argument["name"], list, var_to_str(given)]
	if lost or type == TYPE_INT and made is String or (made is Array or made is Dictionary) and not _is_list(type):
		var name: String = argument["class_name"] if str(argument["class_name"]) != "" else type_string(type)
		return _UNFIT % [at + 1, argument["name"], "a " + name, var_to_str(given)]
	return ""


static func fitted(value: Variant, type: int, scene: Node) -> Variant:
	if value is Dictionary and _is_form(value as Dictionary):
		return _made_of_form(value as Dictionary, scene)
	if _PARTS.has(type) and (value is Dictionary or value is Array):
		return _composed(value, type)
	if _ELEMENTS.has(type) and value is Array:
		var element: int = _ELEMENTS[type]
		return type_convert((value as Array).map(func(each: Variant) -> Variant: return fitted(each, element, scene)), type)
	if value is String and type == TYPE_COLOR:
		var none: Color = Color(-1, -1, -1, -1)
		var color: Color = Color.from_string(value as String, none)
		return value if color == none else color
	if value is String and (type == TYPE_OBJECT or type == TYPE_NIL and (value as String).begins_with("$")):
		return _object_named(value as String, scene, type)
	return value


static func _object_named(text: String, scene: Node, type: int) -> Variant:
	if type == TYPE_OBJECT and (text.begins_with("res://") or text.begins_with("uid://")):
		return load(text)
	var node: Node = scene.get_node_or_null(NodePath(text.trim_prefix("$").trim_prefix("\"").trim_suffix("\"")))
	return text if node == null and type == TYPE_NIL else node


static func _is_form(value: Dictionary) -> bool:
	return value.has("$node") or value.has("$path") or value.has("$resource") or value.has("$literal")


static func _made_of_form(form: Dictionary, scene: Node) -> Variant:
	if form.has("$literal"):
		return str_to_var(form["$literal"] as String)
	if form.has("$node"):
		return scene.get_node_or_null(NodePath((form["$node"] as String).trim_prefix("$")))
	if form.has("$path"):
		return load(form["$path"] as String)
	return _new_resource(form, scene)


static func _new_resource(form: Dictionary, scene: Node) -> Variant:
	var name: String = form["$resource"]
	if not ClassDB.is_parent_class(name, "Resource") or ClassDB.is_parent_class(name, "Script") or not ClassDB.can_instantiate(name):
		return null
	var resource: Resource = ClassDB.instantiate(name)
	var props: Dictionary = form.get("props", {})
	for property: Dictionary in resource.get_property_list():
		var key: String = property["name"]
		if props.has(key) and not _NEVER_SET.has(key):
			resource.set(key, _fit_one(props[key], property, scene))
	return resource


## From parts by name, as a list, or as lists in lists; the value itself where that is none.
static func _composed(value: Variant, type: int) -> Variant:
	if value is Dictionary:
		var parts: Dictionary = value
		var names: Array = _PARTS[type]
		if type == TYPE_COLOR and not parts.has("a"):
			parts = parts.merged({"a": 1.0})
		if parts.size() != names.size() or not parts.has_all(names):
			return value
		value = names.map(func(name: String) -> Variant: return parts[name])
	var numbers: Array = []
	_flatten(value, numbers)
	if not numbers.all(func(each: Variant) -> bool: return each is float or each is int):
		return value
	if type == TYPE_COLOR and numbers.size() == 3:
		numbers.append(1.0)
	var texts: Array = numbers.map(func(each: Variant) -> String: return str(each))
	var made: Variant = str_to_var("%s(%s)" % [type_string(type), ", ".join(PackedStringArray(texts))])
	return value if made == null else made


static func _flatten(value: Variant, into: Array) -> void:
	if value is Dictionary:  # a vector in a larger value
		var parts: Dictionary = value
		value = ["x", "y", "z", "w"].filter(func(name: String) -> bool: return parts.has(name)).map(
			func(name: String) -> Variant: return parts[name]
		)
	if value is Array:
		for each: Variant in value:
			_flatten(each, into)
	else:
		into.append(value)


## The value of an enum by its name, such as BIG of `Kind`; the text itself where it has no such name.
static func _enum_value(text: String, enum_name: String, scene: Node) -> Variant:
	var owner: String = enum_name.get_basename()
	var name: String = text.get_slice(".", text.get_slice_count(".") - 1)
	if ClassDB.class_exists(owner):
		return ClassDB.class_get_integer_constant(owner, name) if ClassDB.class_has_integer_constant(owner, name) else text
	var script: Script = load(owner) as Script if owner.begins_with("res://") else Typing.script_named(owner)
	if script == null and scene != null:
		script = scene.get_script()
	var constants: Dictionary = script.get_script_constant_map() if script != null else {}
	var values: Variant = constants.get(enum_name.get_extension(), {})
	return (values as Dictionary).get(name, text) if values is Dictionary else text


static func _is_list(type: int) -> bool:
	return type >= TYPE_DICTIONARY


static func _range(least: int, most: int) -> String:
	return str(most) if least == most else "%d to %d" % [least, most]
