@tool
extends RefCounted
## Any class or object by what the engine tells of it: properties, methods and signals. Ids are texts: JSON has
## no number that holds them all.

const Properties = preload("properties.gd")
const Values = preload("values.gd")

const _SHOWN: int = PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR | PROPERTY_USAGE_SCRIPT_VARIABLE


static func of_class(title: String) -> Dictionary:
	return {
		"class_name": title,
		"inherits": _ancestors(title),
		"properties": _declared(ClassDB.class_get_property_list(title)),
		"methods": _signatures(ClassDB.class_get_method_list(title)),
		"signals": _signatures(ClassDB.class_get_signal_list(title)),
	}


static func of(object: Object) -> Dictionary:
	var values: Dictionary = {}
	var ids: Dictionary = {}
	for property: Dictionary in object.get_property_list():
		var usage: int = property["usage"]
		var key: String = property["name"]
		if usage & _SHOWN == 0 or usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_CATEGORY) != 0:
			continue
		var value: Variant = object.get(key)
		values[key] = {"type": Values.type_of(value, property), "value": Values.shown(value)}
		if value is Resource:
			var resource: Resource = value
			ids[key] = str(resource.get_instance_id())
	var found: Dictionary = {
		"class_name": object.get_class(),
		"instance_id": str(object.get_instance_id()),
		"inherits": _ancestors(object.get_class()),
		"properties": values,
		"resources": ids,
		"methods": _signatures(object.get_method_list()),
		"signals": _signatures(object.get_signal_list()),
	}
	if object is Node and Properties.script_of(object as Node) != "":
		found["script"] = Properties.script_of(object as Node)
	return found


static func _ancestors(title: String) -> Array:
	var found: Array = []
	var above: StringName = ClassDB.get_parent_class(title)
	while above != &"":
		found.append(str(above))
		above = ClassDB.get_parent_class(above)
	return found


static func _declared(list: Array[Dictionary]) -> Dictionary:
	var found: Dictionary = {}
	for property: Dictionary in list:
		var usage: int = property["usage"]
		if usage & _SHOWN != 0 and usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_CATEGORY) == 0:
			found[property["name"]] = {"type": Values.type_of(null, property)}
	return found


## `move_child(child_node: Object, to_index: int)`, sorted, without what starts with an underscore.
static func _signatures(list: Array[Dictionary]) -> Array:
	var found: Dictionary = {}
	for entry: Dictionary in list:
		var title: String = entry["name"]
		if not title.begins_with("_"):
			var arguments: Array = entry["args"]
			var shown: Array = arguments.map(
				func(argument: Dictionary) -> String:
					return "%s: %s" % [argument["name"], Values.type_of(null, argument)]
			)
			found["%s(%s)" % [title, ", ".join(PackedStringArray(shown))]] = true
	var names: Array = found.keys()
	names.sort()
	return names
