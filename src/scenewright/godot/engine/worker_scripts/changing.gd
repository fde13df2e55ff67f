extends RefCounted
## Values that are set in a running scene: coerced by the declared type, and read back.

const Fitting: GDScript = preload("fitting.gd")
const Saying: GDScript = preload("saying.gd")

var _scene: Node


func _init(scene: Node) -> void:
	_scene = scene


## The value that a property has then, or why it was refused.
func set_one(node: Node, name: String, text: String) -> Dictionary:
	if node == null:
		return {"error": "There is no such node."}
	for property: Dictionary in node.get_property_list():
		if property["name"] != name.get_slice(":", 0):
			continue
		var declared: Dictionary = property if not ":" in name else {"type": typeof(node.get_indexed(NodePath(name))), "class_name": ""}
		var values: Array = [str_to_var(text)]
		var problem: String = Fitting.fit(values, {"args": [declared], "flags": 0}, _scene)
		if problem != "":
			return {"error": problem}
		node.set_indexed(NodePath(name), values[0])
		return {"value": Saying.say(node.get_indexed(NodePath(name)), _scene)}
	return {"error": "There is no such property."}
