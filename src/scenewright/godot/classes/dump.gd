extends SceneTree
## Writes what only the running engine knows: the editor's help cache, and of every class the property hints, usage
## flags, accessors, methods and default values. Arguments: the help cache, the output file, classes not to instance.
## One JSON value per line, written through at once, so that a class that crashes the engine can be named.

const NOT_VALUES: int = PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP
const VALUED: int = PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR
## Its first choice differs from platform to platform.
const DEFAULT_OF_PLATFORM: String = "audio/driver/driver"
## Enough for a curve's inner point, which has handles on both sides.
const ELEMENTS: int = 3

var _out: FileAccess
var _skipped: PackedStringArray


func _init() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	_skipped = arguments.slice(2)
	_out = FileAccess.open(arguments[1], FileAccess.WRITE)
	var help: Resource = load(arguments[0])
	_write(help.get_meta("classes"))
	_write({version = Engine.get_version_info(), singletons = Engine.get_singleton_list()})
	for name: String in ClassDB.get_class_list():
		_write({begin = name})
		_write(_describe(name))
	_write({finished = true})
	_out.close()
	quit()


func _write(value: Variant) -> void:
	_out.store_line(JSON.stringify(value, "", false))
	_out.flush()


func _describe(name: String) -> Dictionary:
	var found: Dictionary = {
		name = name,
		parent = ClassDB.get_parent_class(name),
		api = ClassDB.class_get_api_type(name),
		instantiable = ClassDB.can_instantiate(name),
		properties = _declared(name),
		methods = ClassDB.class_get_method_list(name, true).map(_method),
		signals = ClassDB.class_get_signal_list(name, true),
		dynamic = [],
		elements = [],
		defaults = {},
	}
	var object: Object = _sample(name)
	if object == null:
		return found
	_add_sampled(object, name, found)
	if name != "ProjectSettings" and not object is RefCounted:
		object.free()
	return found


func _declared(name: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		if not property.usage & NOT_VALUES:
			# Called by name: Godot before 4.4 has neither.
			if ClassDB.has_method("class_get_property_setter"):
				property.setter = ClassDB.call("class_get_property_setter", name, property.name)
				property.getter = ClassDB.call("class_get_property_getter", name, property.name)
			found.append(property)
	return found


func _method(method: Dictionary) -> Dictionary:
	method.default_args = (method.default_args as Array).map(var_to_str)
	return method


func _sample(name: String) -> Object:
	if name == "ProjectSettings":
		return ProjectSettings
	# Nothing else can stand in a scene or resource file, and some server classes crash when made.
	var in_files: bool = ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")
	if not in_files or name in _skipped or not ClassDB.can_instantiate(name):
		return null
	return ClassDB.instantiate(name)


func _add_sampled(object: Object, name: String, found: Dictionary) -> void:
	var declared: Dictionary = {}
	for property: Dictionary in ClassDB.class_get_property_list(name, false):
		declared[property.name] = true
		if property.usage & VALUED and not property.usage & NOT_VALUES:
			found.defaults[property.name] = var_to_str(_default(object, name, property))
	for property: Dictionary in object.get_property_list():
		if declared.has(property.name) or property.usage & NOT_VALUES:
			continue
		declared[property.name] = true
		(found.dynamic as Array).append(property)
		if property.usage & VALUED and property.name != DEFAULT_OF_PLATFORM:
			found.defaults[property.name] = var_to_str(object.get(property.name))
	found.elements = _elements(object, declared)


func _default(object: Object, name: String, property: Dictionary) -> Variant:
	var value: Variant = ClassDB.class_get_property_default_value(name, property.name)
	# It knows none of what the object hides as long as that is of no use.
	if value == null and not property.type in [TYPE_NIL, TYPE_OBJECT]:
		return object.get(property.name)
	return value


## The properties that appear when the object's inspector arrays (items, points, settings) get elements.
func _elements(object: Object, known: Dictionary) -> Array[Dictionary]:
	var grown: Dictionary = {}
	var growing: bool = true
	while growing:
		growing = false
		for property: Dictionary in object.get_property_list():
			if property.usage & PROPERTY_USAGE_ARRAY and not grown.has(property.name):
				grown[property.name] = true
				growing = true
				_grow(object, property.name)
	var found: Array[Dictionary] = []
	if grown.is_empty():
		return found
	for property: Dictionary in object.get_property_list():
		if not known.has(property.name) and not property.usage & NOT_VALUES:
			found.append(property)
	return found


func _grow(object: Object, array: String) -> void:
	var adder: String = "add_" + array.trim_suffix("s")
	if object.get(array) is int:
		object.set(array, ELEMENTS)
	elif array.ends_with("_layers") and object.has_method(adder):
		object.call(adder)
