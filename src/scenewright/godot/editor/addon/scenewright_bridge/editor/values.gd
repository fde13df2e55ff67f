@tool
extends RefCounted
## Values on the wire: plain JSON where JSON has the type, Godot's literals for the rest.

const _LONGEST: int = 65536


## A value for a reply: `0.5`, `true`, `"text"`, `"Vector3(0, 1, 0)"`, `"res://icon.svg"`.
static func shown(value: Variant) -> Variant:
	match typeof(value):
		TYPE_NIL, TYPE_BOOL, TYPE_INT, TYPE_STRING:
			return value
		TYPE_FLOAT:
			var number: float = value
			if is_finite(number):
				return number
			return var_to_str(number)
		TYPE_STRING_NAME:
			return str(value)
		TYPE_OBJECT:
			return _object(value)
	var text: String = literal(value)
	if text.length() > _LONGEST:
		return text.left(_LONGEST) + "… (%d characters)" % text.length()
	return text


## Godot's literal of any value; a resource becomes `Resource("path")`.
static func literal(value: Variant) -> String:
	if value is Resource:
		var resource: Resource = value
		return 'Resource("%s")' % resource.resource_path
	if value is Array or value is Dictionary:
		return var_to_str(_without_objects(value))
	return var_to_str(value)


## The literal of what a property of a node holds; another node is a path from it.
static func told(node: Node, value: Variant) -> String:
	if value is Object and not is_instance_valid(value):
		return "null"
	if value is Node:
		var other: Node = value
		return 'NodePath("%s")' % node.get_path_to(other)
	if value is Object and not value is Resource:
		return "null"
	return literal(value)


static func type_of(value: Variant, described: Dictionary) -> String:
	if value is Object:
		var object: Object = value
		return object.get_class()
	var type: int = described.get("type", typeof(value))
	if type == TYPE_OBJECT:
		var wanted: String = str(described.get("class_name", ""))
		return wanted if wanted != "" else str(described.get("hint_string", "Object"))
	if type == TYPE_NIL:
		return type_string(typeof(value))
	return type_string(type)


static func _object(value: Variant) -> Variant:
	if not is_instance_valid(value):
		return null
	if value is Resource:
		var resource: Resource = value
		return shown_path(resource)
	if value is Node:
		var node: Node = value
		return 'NodePath("%s")' % node.name
	var object: Object = value
	return "<%s>" % object.get_class()


static func shown_path(resource: Resource) -> String:
	return resource.resource_path if resource.resource_path != "" else "<%s>" % resource.get_class()


## `var_to_str` would write whole resources out.
static func _without_objects(value: Variant) -> Variant:
	if value is Array:
		var items: Array = value
		if items.is_typed() and items.get_typed_builtin() != TYPE_OBJECT:
			return items
		return items.map(func(item: Variant) -> Variant: return _without_objects(item))
	if value is Dictionary:
		var table: Dictionary = value
		var plain: Dictionary = {}
		for key: Variant in table:
			plain[_without_objects(key)] = _without_objects(table[key])
		return plain
	if value is Object:
		return _object(value)
	return value
