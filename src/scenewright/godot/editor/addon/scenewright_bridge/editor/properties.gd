@tool
extends RefCounted
## A node's properties as the inspector and the scene file know them.

const Values = preload("values.gd")

const _SHOWN: int = PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR


## Name to {type, value, category}, and the script's own beside them.
static func of(node: Node, everything: bool, categories: PackedStringArray, names: PackedStringArray) -> Dictionary:
	var own: Dictionary = {}
	var scripted: Dictionary = {}
	var variables: Dictionary = script_variables(node)
	var category: String = node.get_class()
	var group: String = ""
	for described: Dictionary in node.get_property_list():
		var usage: int = described["usage"]
		var property: String = described["name"]
		if usage & PROPERTY_USAGE_CATEGORY != 0:
			category = property
			group = ""
		elif usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) != 0:
			group = property
		elif variables.has(property):
			if _is_wanted(property, "script " + category, group, categories, names):
				_add_scripted(scripted, node, described, everything)
		elif usage & _SHOWN != 0 and property != "script":
			if _is_wanted(property, category, group, categories, names):
				_add_own(own, node, described, category, everything)
	return {"properties": own, "script_properties": scripted}


## What a property is declared as, or an empty dictionary where there is no such property.
static func declaration(object: Object, property: String) -> Dictionary:
	for candidate: Dictionary in object.get_property_list():
		var usage: int = candidate["usage"]
		if candidate["name"] == property and usage & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP) == 0:
			return candidate
	return {}


static func similar(object: Object, property: String) -> Array:
	var scored: Array = []
	for candidate: Dictionary in object.get_property_list():
		var usage: int = candidate["usage"]
		if usage & (_SHOWN | PROPERTY_USAGE_SCRIPT_VARIABLE) != 0:
			var known: String = candidate["name"]
			scored.append([known.similarity(property), known])
	scored.sort_custom(func(a: Array, b: Array) -> bool: return a[0] > b[0])
	return scored.slice(0, 5).map(func(entry: Array) -> String: return str(entry[1]))


static func script_of(node: Node) -> String:
	var script: Script = node.get_script()
	return "" if script == null else script.resource_path


## Those variables of the node's script that a scene keeps.
static func kept_variables(node: Node) -> PackedStringArray:
	var found: PackedStringArray = PackedStringArray()
	var own: Dictionary = script_variables(node)
	for described: Dictionary in node.get_property_list():
		var usage: int = described["usage"]
		if usage & PROPERTY_USAGE_STORAGE != 0 and own.has(described["name"]):
			var _more: bool = found.append(str(described["name"]))
	return found


## The variables of the node's script. What runs in the editor only as a stand-in does not mark them.
static func script_variables(node: Node) -> Dictionary:
	var found: Dictionary = {}
	var script: Script = node.get_script()
	var listed: Array = script.get_script_property_list() if script != null else []
	for declared: Dictionary in listed:
		var usage: int = declared["usage"]
		if usage & PROPERTY_USAGE_SCRIPT_VARIABLE != 0:
			found[declared["name"]] = true
	return found


static func default_of(node: Node, property: String) -> Variant:
	var script: Script = node.get_script()
	if script != null and script.get_property_default_value(property) != null:
		return script.get_property_default_value(property)
	return ClassDB.class_get_property_default_value(node.get_class(), property)


static func _is_wanted(
	property: String, category: String, group: String, categories: PackedStringArray, names: PackedStringArray
) -> bool:
	if not names.is_empty() and not property in names:
		return false
	if categories.is_empty():
		return true
	for wanted: String in categories:
		if category.containsn(wanted) or group.containsn(wanted) or property.containsn(wanted):
			return true
	return false


static func _add_own(into: Dictionary, node: Node, info: Dictionary, category: String, everything: bool) -> void:
	var property: String = info["name"]
	var value: Variant = node.get(property)
	var normal: Variant = ClassDB.class_get_property_default_value(node.get_class(), property)
	if everything or not is_same_value(value, normal):
		into[property] = {"type": Values.type_of(value, info), "value": Values.shown(value), "category": category}


static func _add_scripted(into: Dictionary, node: Node, info: Dictionary, everything: bool) -> void:
	var property: String = info["name"]
	var value: Variant = node.get(property)
	var usage: int = info["usage"]
	# A script's own variables are few, and what they stand at is what is asked for: none is left out.
	if everything or value != null or usage & PROPERTY_USAGE_EDITOR != 0:
		into[property] = {
			"type": Values.type_of(value, info),
			"value": Values.shown(value),
			"exported": usage & PROPERTY_USAGE_EDITOR != 0,
		}


static func is_same_value(a: Variant, b: Variant) -> bool:
	return typeof(a) == typeof(b) and a == b
