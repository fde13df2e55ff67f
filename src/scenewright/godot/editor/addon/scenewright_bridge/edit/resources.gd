@tool
extends RefCounted
## Resources of the wire: a path, a uid, or `{"$resource": "BoxShape3D", "props": {…}}` for a new one.

const Properties = preload("../editor/properties.gd")
const Scenes = preload("../editor/scenes.gd")

var _coercing: WeakRef


func _init(coercing: RefCounted) -> void:
	_coercing = weakref(coercing)


## The resource, or null with the owner's `problem` set. `wanted` may be several classes, with commas.
func from(value: Variant, wanted: String) -> Resource:
	if value is String:
		return _loaded(str(value), wanted)
	if value is Dictionary:
		var table: Dictionary = value
		if table.get("$resource") is String:
			return _made(table, wanted)
	return _refuse("a resource's path or {\"$resource\": \"%s\"}" % wanted)


func _loaded(text: String, wanted: String) -> Resource:
	var path: String = text
	for form: String in ["ExtResource(", "Resource(", "load(", "preload("]:
		if text.begins_with(form):
			path = text.trim_prefix(form).trim_suffix(")").strip_edges().trim_prefix('"').trim_suffix('"')
	if not Scenes.is_inside(path):
		return _refuse("a resource's path in the project (res:// or uid://)")
	if not ResourceLoader.exists(path):
		return _refuse("a resource that exists, and there is none at %s" % path)
	var resource: Resource = ResourceLoader.load(path)
	if resource == null or not _fits(resource, wanted):
		return _refuse("a %s, and %s is not one" % [wanted, path])
	return resource


func _made(table: Dictionary, wanted: String) -> Resource:
	var kind: String = str(table["$resource"])
	var known: bool = ClassDB.class_exists(kind) and ClassDB.is_parent_class(kind, "Resource")
	if not known or not ClassDB.can_instantiate(kind):
		return _refuse("a class of resource that can be made, which %s is not" % kind)
	var resource: Resource = ClassDB.instantiate(kind)
	if not _fits(resource, wanted):
		return _refuse("a %s, and a %s is not one" % [wanted, kind])
	var properties: Dictionary = table["props"] if table.get("props") is Dictionary else {}
	for property: String in properties:
		var declaration: Dictionary = Properties.declaration(resource, property)
		if declaration.is_empty():
			return _refuse("a property of %s, which '%s' is not" % [kind, property])
		var coercing: RefCounted = _coercing.get_ref()
		var value: Variant = coercing.call(&"to_property", properties[property], declaration, resource.get(property))
		if coercing.get(&"problem") != "":
			return null
		resource.set(property, value)
	return resource


static func _fits(resource: Resource, wanted: String) -> bool:
	if wanted == "" or wanted == "Resource":
		return true
	for option: String in wanted.split(","):
		if resource.is_class(option.strip_edges()) or _is_scripted(resource, option.strip_edges()):
			return true
	return false


static func _is_scripted(resource: Resource, wanted: String) -> bool:
	var script: Script = resource.get_script()
	while script != null:
		if str(script.get_global_name()) == wanted:
			return true
		script = script.get_base_script()
	return false


func _refuse(expected: String) -> Resource:
	var coercing: RefCounted = _coercing.get_ref()
	coercing.set(&"problem", "expected " + expected)
	return null
