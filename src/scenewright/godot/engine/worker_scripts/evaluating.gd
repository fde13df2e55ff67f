extends "module.gd"
## Expressions that see only the values they are given.

const LONGEST: int = 100_000


## Computes expressions one after the other; each may use the values of those before it that have a name.
func run(params: Dictionary) -> Dictionary:
	var known: Dictionary = {}
	var given: Dictionary = params["vars"]
	for name: String in given:
		known[name] = str_to_var(given[name] as String)
	var value: Variant = null
	for step: Dictionary in params["steps"]:
		var expression: Expression = Expression.new()
		if expression.parse(step["text"] as String, PackedStringArray(known.keys())) != OK:
			return {"error": expression.get_error_text()}
		value = expression.execute(known.values(), null, false, true)
		if expression.has_execute_failed():
			return {"error": expression.get_error_text()}
		if step["name"] != "":
			known[step["name"]] = value
	var text: String = var_to_str(value)
	if text.length() > LONGEST:
		return {"error": "The value has %d characters, more than %d." % [text.length(), LONGEST]}
	return {"value": text, "type": type_string(typeof(value))}
