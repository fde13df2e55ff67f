@tool
extends RefCounted
## Makes a value of the wire into one of a declared type, or says why it cannot be one.

const Resources = preload("resources.gd")

const _PARTS: Dictionary = {
	TYPE_VECTOR2: ["x", "y"],
	TYPE_VECTOR2I: ["x", "y"],
	TYPE_VECTOR3: ["x", "y", "z"],
	TYPE_VECTOR3I: ["x", "y", "z"],
	TYPE_VECTOR4: ["x", "y", "z", "w"],
	TYPE_VECTOR4I: ["x", "y", "z", "w"],
	TYPE_QUATERNION: ["x", "y", "z", "w"],
	TYPE_COLOR: ["r", "g", "b", "a"],
}
const _NUMBERS: Dictionary = {
	TYPE_RECT2: 4, TYPE_RECT2I: 4, TYPE_PLANE: 4, TYPE_AABB: 6, TYPE_TRANSFORM2D: 6, TYPE_BASIS: 9, TYPE_TRANSFORM3D: 12
}
const _ELEMENTS: Dictionary = {
	TYPE_PACKED_BYTE_ARRAY: TYPE_INT,
	TYPE_PACKED_INT32_ARRAY: TYPE_INT,
	TYPE_PACKED_INT64_ARRAY: TYPE_INT,
	TYPE_PACKED_FLOAT32_ARRAY: TYPE_FLOAT,
	TYPE_PACKED_FLOAT64_ARRAY: TYPE_FLOAT,
	TYPE_PACKED_STRING_ARRAY: TYPE_STRING,
	TYPE_PACKED_VECTOR2_ARRAY: TYPE_VECTOR2,
	TYPE_PACKED_VECTOR3_ARRAY: TYPE_VECTOR3,
	TYPE_PACKED_COLOR_ARRAY: TYPE_COLOR,
	TYPE_PACKED_VECTOR4_ARRAY: TYPE_VECTOR4,
}

## What was wrong with the value given last; "" where nothing was.
var problem: String = ""

var _node: Node
var _resources: Resources


func _init(node: Node) -> void:
	_node = node
	_resources = Resources.new(self)


## The value as the property's type. `before` is what the property holds now.
func to_property(value: Variant, declaration: Dictionary, before: Variant) -> Variant:
	problem = ""
	var type: int = declaration["type"]
	var hint: int = declaration.get("hint", PROPERTY_HINT_NONE)
	if type == TYPE_OBJECT:
		return _to_object(value, declaration)
	if type == TYPE_INT and hint == PROPERTY_HINT_ENUM and value is String:
		return _to_choice(str(value), str(declaration["hint_string"]))
	if type == TYPE_ARRAY and before is Array:
		var items: Array = before
		return _to_array(value, items)
	return to_type(value, type)


func to_type(value: Variant, type: int) -> Variant:
	if _is_literal(value):
		var table: Dictionary = value
		return _fit(_parsed(str(table["$literal"])), type, value)
	if type in [TYPE_NIL, TYPE_DICTIONARY] and not (value is String and type == TYPE_DICTIONARY):
		return _plain(value)
	if typeof(value) == type:
		return value
	match type:
		TYPE_BOOL:
			return _to_bool(value)
		TYPE_INT:
			return _to_int(value)
		TYPE_FLOAT:
			return _to_float(value)
		TYPE_STRING, TYPE_STRING_NAME:
			return _to_string_like(value, type)
		TYPE_NODE_PATH:
			return _to_node_path(value)
	if value is String:
		return _from_text(str(value), type)
	if _PARTS.has(type):
		return _to_parts(value, type)
	if _NUMBERS.has(type):
		return _to_numbers(value, type)
	if _ELEMENTS.has(type) and value is Array:
		return _to_packed(value, type)
	return _refuse(type_string(type), value)


func _refuse(expected: String, value: Variant) -> Variant:
	if problem == "":
		var shown: String = JSON.stringify(value)
		problem = "expected %s, got %s" % [expected, shown.left(80)]
	return null


static func _is_literal(value: Variant) -> bool:
	if not value is Dictionary:
		return false
	var table: Dictionary = value
	return table.size() == 1 and table.get("$literal") is String


## A literal may neither make objects, which could run code, nor load what lies anywhere. The engine
## takes spaces and comments between a name and its bracket, so the name alone counts.
func _parsed(text: String) -> Variant:
	var quoted: RegEx = RegEx.create_from_string('(?s)"(?:\\\\.|[^"\\\\])*"')
	var made: RegEx = RegEx.create_from_string("\\b(?:Object|Resource|SubResource|ExtResource)\\b(?!\\s*\\])")
	if made.search(quoted.sub(text, "", true)) != null:
		problem = "a value that makes no objects; give a resource by its path"
		return null
	return str_to_var(text)


func _fit(parsed: Variant, type: int, given: Variant) -> Variant:
	if problem != "":
		return null
	if type == TYPE_NIL or typeof(parsed) == type:
		return parsed
	var alike: bool = _family(typeof(parsed)) == _family(type) and _family(type) != ""
	if alike or parsed is int and type == TYPE_FLOAT:
		return type_convert(parsed, type)
	return _refuse(type_string(type), given)


static func _family(type: int) -> String:
	var title: String = type_string(type)
	return title.trim_suffix("i") if title.begins_with("Vector") or title.begins_with("Rect2") else ""


## Numbers of JSON are floats; where no type is declared, whole ones are meant as whole.
static func _plain(value: Variant) -> Variant:
	if value is float:
		var number: float = value
		if number == floorf(number) and absf(number) < 9.0e18:
			return int(number)
	if value is Array:
		var items: Array = value
		return items.map(func(item: Variant) -> Variant: return _plain(item))
	if value is Dictionary:
		var table: Dictionary = value
		var plain: Dictionary = {}
		for key: Variant in table:
			plain[key] = _plain(table[key])
		return plain
	return value


func _to_bool(value: Variant) -> Variant:
	if value is String and str(value).to_lower() in ["true", "false"]:
		return str(value).to_lower() == "true"
	return _refuse("true or false", value)


func _to_int(value: Variant) -> Variant:
	if value is float:
		var number: float = value
		if number == floorf(number):
			return int(number)
	if value is String and str(value).is_valid_int():
		return str(value).to_int()
	return _refuse("a whole number", value)


func _to_float(value: Variant) -> Variant:
	if value is int:
		var number: float = value
		return number
	if value is String and str(value).is_valid_float():
		return str(value).to_float()
	if value is String and str(value) in ["inf", "-inf", "nan", "inf_neg"]:
		return str_to_var(str(value))
	return _refuse("a number", value)


func _to_string_like(value: Variant, type: int) -> Variant:
	if value is String:
		var text: String = value
		if type == TYPE_STRING_NAME and text.begins_with('&"'):
			return str_to_var(text)
		return type_convert(text, type)
	if value is bool or value is int or value is float:
		return type_convert(str(value), type)
	return _refuse("a string", value)


func _to_node_path(value: Variant) -> Variant:
	if not value is String:
		return _refuse("a node path", value)
	var text: String = value
	if text.begins_with("NodePath("):
		return _fit(_parsed(text), TYPE_NODE_PATH, value)
	return NodePath(text)


func _from_text(text: String, type: int) -> Variant:
	if type == TYPE_COLOR and (text.begins_with("#") or text.is_valid_html_color()) and Color.html_is_valid(text):
		return Color.html(text)
	if type == TYPE_COLOR and not text.contains("(") and Color.from_string(text, Color(-1, 0, 0)).r >= 0:
		return Color.from_string(text, Color.BLACK)
	return _fit(_parsed(text), type, text)


func _to_parts(value: Variant, type: int) -> Variant:
	var keys: Array = _PARTS[type]
	var items: Array = []
	if value is Array:
		items = value
	elif value is Dictionary:
		var table: Dictionary = value
		for key: Variant in table:
			if not key in keys:
				return _refuse("%s with %s" % [type_string(type), ", ".join(PackedStringArray(keys))], value)
		for key: String in keys:
			if table.has(key):
				items.append(table[key])
	var short_color: bool = type == TYPE_COLOR and items.size() == 3
	if not (items.size() == keys.size() or short_color) or not items.all(_is_number):
		return _refuse("%s as %d numbers" % [type_string(type), keys.size()], value)
	return _constructed(items, type)


func _to_numbers(value: Variant, type: int) -> Variant:
	var count: int = _NUMBERS[type]
	var items: Array = value if value is Array else []
	if items.size() != count or not items.all(_is_number):
		return _refuse("%s as %d numbers or as a literal" % [type_string(type), count], value)
	return _constructed(items, type)


func _constructed(items: Array, type: int) -> Variant:
	var words: PackedStringArray = PackedStringArray(items.map(func(item: Variant) -> String: return var_to_str(item)))
	var title: String = type_string(type)
	if type == TYPE_COLOR and items.size() == 3:
		var _added: bool = words.append("1")
	if title.ends_with("i"):
		for index: int in words.size():
			words[index] = str(words[index].to_int())
	return str_to_var("%s(%s)" % [title, ", ".join(words)])


static func _is_number(item: Variant) -> bool:
	return item is int or item is float


func _to_packed(value: Variant, type: int) -> Variant:
	var items: Array = value
	var element: int = _ELEMENTS[type]
	var found: Array = []
	for item: Variant in items:
		found.append(to_type(item, element))
		if problem != "":
			return null
	return type_convert(found, type)


func _to_array(value: Variant, before: Array) -> Variant:
	if _is_literal(value) or value is String:
		var text: String = str(value) if value is String else str(value["$literal"])
		return _fit(_parsed(text), TYPE_ARRAY, value)
	if not value is Array:
		return _refuse("a list", value)
	var items: Array = value
	var made: Array = []
	for item: Variant in items:
		if before.get_typed_builtin() == TYPE_OBJECT:
			var declared: Dictionary = {"type": TYPE_OBJECT, "class_name": before.get_typed_class_name(), "hint": 0}
			made.append(_to_object(item, declared))
		else:
			made.append(to_type(item, before.get_typed_builtin()))
		if problem != "":
			return null
	return Array(made, before.get_typed_builtin(), before.get_typed_class_name(), before.get_typed_script())


func _to_choice(text: String, hint: String) -> Variant:
	var names: PackedStringArray = PackedStringArray()
	var next: int = 0
	for option: String in hint.split(","):
		var title: String = option.get_slice(":", 0)
		if option.contains(":"):
			next = option.get_slice(":", 1).to_int()
		if title.to_snake_case() == text.to_snake_case() or str(next) == text:
			return next
		var _added: bool = names.append(title)
		next += 1
	return _refuse("one of " + ", ".join(names), text)


func _to_object(value: Variant, declaration: Dictionary) -> Variant:
	var hint: int = declaration.get("hint", PROPERTY_HINT_NONE)
	if value == null:
		return null
	if hint == PROPERTY_HINT_NODE_TYPE:
		var node: Node = _node.get_node_or_null(str(value)) if value is String else null
		return node if node != null else _refuse("the path of a node", value)
	var wanted: String = str(declaration.get("class_name", ""))
	if wanted == "" and hint == PROPERTY_HINT_RESOURCE_TYPE:
		wanted = str(declaration.get("hint_string", ""))
	var resource: Resource = _resources.from(value, wanted)
	return resource if problem == "" else null
