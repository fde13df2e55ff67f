extends RefCounted
## Values in words: as the engine writes them, and nodes by their place, of which it would write every property.


static func say(value: Variant, root: Node) -> String:
	return var_to_str(_named(value, root, 0))


static func _named(value: Variant, root: Node, depth: int) -> Variant:
	if value is Object and not is_instance_valid(value):
		return "freed"
	if value is Node:
		var node: Node = value
		var near: bool = root != null and (node == root or root.is_ancestor_of(node))
		return "%s (%s)" % [root.get_path_to(node) if near else node.get_path() if node.is_inside_tree() else node.name, node.get_class()]
	if value is Array and depth < 8:
		return (value as Array).map(func(each: Variant) -> Variant: return _named(each, root, depth + 1)) if _has_nodes(value as Array) else value
	if value is Dictionary and depth < 8:
		return _named_entries(value as Dictionary, root, depth)
	return value


static func _named_entries(entries: Dictionary, root: Node, depth: int) -> Dictionary:
	if not _has_nodes(entries.keys() + entries.values()):
		return entries
	var found: Dictionary = {}
	for key: Variant in entries:
		found[_named(key, root, depth + 1)] = _named(entries[key], root, depth + 1)
	return found


static func _has_nodes(values: Array) -> bool:
	return values.any(func(each: Variant) -> bool: return each is Object or each is Array or each is Dictionary)


## Whether it is the state of a method that waits for something.
static func waits(value: Variant) -> bool:
	return typeof(value) == TYPE_OBJECT and is_instance_valid(value) and (value as Object).get_class() == "GDScriptFunctionState"
