extends RefCounted
## Expressions that must hold: the scene's root is `self`; autoloads and some singletons of the engine go by their names.

const Saying: GDScript = preload("saying.gd")

var _scene: Node
var _known: Dictionary = {}


func _init(scene: Node, singletons: Array) -> void:
	_scene = scene
	for name: String in singletons:
		if Engine.has_singleton(name):
			_known[name] = Engine.get_singleton(name)
	for setting: Dictionary in ProjectSettings.get_property_list():
		var name: String = setting["name"]
		if name.begins_with("autoload/"):
			var node: Node = scene.get_node_or_null(NodePath("/root/" + name.trim_prefix("autoload/")))
			if node != null:
				_known[name.trim_prefix("autoload/")] = node


## Each check has its `expression` as it was written, and its `text` as the engine reads it.
func check(checks: Array) -> Array:
	return checks.map(func(each: Dictionary) -> Dictionary: return _checked(each["expression"] as String, each["text"] as String))


func _checked(written: String, text: String) -> Dictionary:
	var expression: Expression = Expression.new()
	if expression.parse(text, PackedStringArray(_known.keys())) != OK:
		return {"expression": written, "holds": false, "error": expression.get_error_text()}
	var value: Variant = expression.execute(_known.values(), _scene, false)
	if expression.has_execute_failed():
		return {"expression": written, "holds": false, "error": expression.get_error_text()}
	return {"expression": written, "holds": true if value else false, "value": Saying.say(value, _scene)}
