extends RefCounted
## Expressions that must hold: the scene's root is `self`; autoloads and some singletons of the engine go by their names.

const Saying: GDScript = preload("saying.gd")

var scene: Node
var _known: Dictionary = {}


func _init(root: Node, singletons: Array) -> void:
	scene = root
	for name: String in singletons:
		if Engine.has_singleton(name):
			_known[name] = Engine.get_singleton(name)
	for setting: Dictionary in ProjectSettings.get_property_list():
		var name: String = setting["name"]
		if name.begins_with("autoload/"):
			var node: Node = scene.get_node_or_null(NodePath("/root/" + name.trim_prefix("autoload/")))
			if node != null:
				_known[name.trim_prefix("autoload/")] = node


## Each check has its `expression` as it was written, its `text` as the engine reads it, and what it compares.
func check(checks: Array) -> Array:
	return checks.map(_checked)


func _checked(check: Dictionary) -> Dictionary:
	var row: Dictionary = {"expression": check["expression"], "holds": false}
	var comparisons: Array = check.get("comparisons", [])
	if not comparisons.is_empty():
		return row.merged(_compared(comparisons), true)
	var found: Dictionary = evaluate(check["text"] as String)
	if found.has("error"):
		return row.merged(found)
	row["holds"] = true if found["value"] else false
	row["value"] = Saying.say(found["value"], scene)
	return row


## The value of an expression, or the error that it has none. What a method returns is kept in a list, as a script may not
## take the state of one that waits for something in its hands.
func evaluate(text: String) -> Dictionary:
	var expression: Expression = Expression.new()
	var calls: bool = text.ends_with(")")
	if expression.parse("[%s]" % text if calls else text, PackedStringArray(_known.keys())) != OK:
		return {"error": expression.get_error_text()}
	var value: Variant = expression.execute(_known.values(), scene, false)
	if expression.has_execute_failed():
		return {"error": expression.get_error_text()}
	if calls:
		value = (value as Array)[0]
	return {"error": "The method waits for something, and has no value yet."} if Saying.waits(value) else {"value": value}


## Whether all comparisons hold, or what each that does not has found and expected. Each side is evaluated once, since it
## may do something; one that only fails because an earlier comparison does not hold is passed over.
func _compared(comparisons: Array) -> Dictionary:
	var told: PackedStringArray = []
	for each: Dictionary in comparisons:
		var left: Dictionary = evaluate(each["left"] as String)
		var right: Dictionary = evaluate(each["right"] as String)
		var verdict: Dictionary = left if left.has("error") else right
		if not verdict.has("error"):
			verdict = _compare(left["value"], str(each["operator"]), right["value"])
		if verdict.has("error"):
			if told.is_empty():
				return verdict
		elif not verdict["value"]:
			var _more: bool = told.append(_difference(each, left["value"], right["value"]))
	return {"holds": true, "value": "true"} if told.is_empty() else {"found": "; ".join(told)}


func _compare(left: Variant, operator: String, right: Variant) -> Dictionary:
	var expression: Expression = Expression.new()
	if expression.parse("left %s right" % operator, PackedStringArray(["left", "right"])) != OK:
		return {"error": expression.get_error_text()}
	var value: Variant = expression.execute([left, right], null, false)
	return {"error": expression.get_error_text()} if expression.has_execute_failed() else {"value": value}


func _difference(comparison: Dictionary, left: Variant, right: Variant) -> String:
	var expected: String = Saying.say(right, scene)
	var operator: String = "" if comparison["operator"] == "==" else str(comparison["operator"]) + " "
	var written: String = comparison["written_right"]
	var name: String = "" if written in [expected, str(right)] else " (%s)" % written
	return "%s is %s, expected %s%s%s" % [
		comparison["written_left"], Saying.say(left, scene), operator, expected, name,
	]
