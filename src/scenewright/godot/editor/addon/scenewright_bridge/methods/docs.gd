@tool
extends RefCounted
## get_class_docs, get_method_docs and search_docs.

const Markup = preload("../editor/markup.gd")
const Params = preload("../rpc/params.gd")
const Ranking = preload("../editor/ranking.gd")
const Reference = preload("../editor/reference.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Turns = preload("../rpc/turns.gd")

const _KINDS: Array[String] = ["classes", "methods", "properties", "signals"]

var _reference: Reference
var _ranking: Ranking


func _init(classes: Reference, turns: Turns) -> void:
	_reference = classes
	_ranking = Ranking.new(turns)


func methods() -> Dictionary:
	return {"get_class_docs": get_class_docs, "get_method_docs": get_method_docs, "search_docs": search_docs}


func get_class_docs(params: Params) -> Reply:
	var wanted: String = params.required_text("class_name", "the name of a class")
	var inherited: bool = params.flag("include_inherited", false)
	if params.problem != null:
		return params.problem
	var classes: Dictionary = await _reference.classes()
	if not classes.has(wanted):
		return Replies.no_class(wanted, Reference.similar(classes.keys(), wanted))
	var entry: Dictionary = classes[wanted]
	var result: Dictionary = {
		"class_name": wanted,
		"inherits": entry.get("inherits", ""),
		"brief_description": Markup.plain(str(entry.get("brief_description", ""))),
		"description": Markup.plain(str(entry.get("description", ""))),
		"methods": [],
		"properties": [],
		"signals": [],
		"enums": [],
		"constants": [],
	}
	for ancestor: Dictionary in _line(classes, wanted, inherited):
		_add_members(result, ancestor, wanted)
	return Replies.ok(result)


func get_method_docs(params: Params) -> Reply:
	var wanted: String = params.required_text("class_name", "the name of a class")
	var method: String = params.required_text("method_name", "the name of a method")
	if params.problem != null:
		return params.problem
	var classes: Dictionary = await _reference.classes()
	if not classes.has(wanted):
		return Replies.no_class(wanted, Reference.similar(classes.keys(), wanted))
	var known: Array = []
	for ancestor: Dictionary in _line(classes, wanted, true):
		for entry: Dictionary in _list(ancestor, "methods") + _list(ancestor, "constructors") + _list(ancestor, "operators"):
			known.append(entry["name"])
			if entry["name"] == method:
				var found: Dictionary = _method(entry)
				if ancestor["name"] != wanted:
					found["inherited_from"] = ancestor["name"]
				return Replies.ok({"class_name": wanted, "method": found})
	var reply: Reply = Replies.invalid("method_name", "a method of %s" % wanted)
	reply.data["similar_methods"] = Reference.similar(known, method)
	return reply


func search_docs(params: Params) -> Reply:
	var query: String = params.required_text("query", "what to search for")
	var kinds: PackedStringArray = params.texts("search_in")
	var limit: int = params.integer("limit", 20, 1, 1000)
	if params.problem != null:
		return params.problem
	for kind: String in kinds:
		if not kind in _KINDS:
			return Replies.invalid("search_in", "some of " + ", ".join(PackedStringArray(_KINDS)), kind)
	var classes: Dictionary = await _reference.classes()
	var among: PackedStringArray = kinds if not kinds.is_empty() else PackedStringArray(_KINDS)
	var found: Array = await _ranking.search(classes, query, among)
	return Replies.ok({"query": query, "results": found.slice(0, limit), "total_count": found.size()})


## The class, and if asked all that it inherits.
static func _line(classes: Dictionary, wanted: String, inherited: bool) -> Array[Dictionary]:
	var line: Array[Dictionary] = []
	var title: String = wanted
	while classes.has(title):
		line.append(classes[title])
		var entry: Dictionary = classes[title]
		title = str(entry.get("inherits", "")) if inherited else ""
	return line


static func _list(entry: Dictionary, key: String) -> Array:
	return entry.get(key, [])


static func _add_members(result: Dictionary, entry: Dictionary, wanted: String) -> void:
	for group: Array in [["methods", _method], ["properties", _property], ["signals", _signal]]:
		var into: Array = result[group[0]]
		var shape: Callable = group[1]
		for member: Dictionary in _list(entry, str(group[0])):
			var shown: Dictionary = shape.call(member)
			if entry["name"] != wanted:
				shown["inherited_from"] = entry["name"]
			into.append(shown)
	_add_constants(result, entry, wanted)


static func _add_constants(result: Dictionary, entry: Dictionary, wanted: String) -> void:
	var enums: Dictionary = {}
	for constant: Dictionary in _list(entry, "constants"):
		var shown: Dictionary = {
			"name": constant["name"],
			"value": constant["value"],
			"description": Markup.plain(str(constant.get("description", ""))),
		}
		if entry["name"] != wanted:
			shown["inherited_from"] = entry["name"]
		var group: String = str(constant.get("enumeration", ""))
		if group == "":
			var plain: Array = result["constants"]
			plain.append(shown)
		else:
			if not enums.has(group):
				enums[group] = []
			var values: Array = enums[group]
			values.append(shown)
	var all: Array = result["enums"]
	for group: String in enums:
		all.append({"name": group, "values": enums[group]})


static func _method(entry: Dictionary) -> Dictionary:
	var description: String = str(entry.get("description", ""))
	var shown: Dictionary = {
		"name": entry["name"],
		"return_type": entry.get("return_type", "void"),
		"description": Markup.plain(description),
		"arguments": _list(entry, "arguments").map(_argument.bind(description)),
	}
	if str(entry.get("qualifiers", "")) != "":
		shown["qualifiers"] = entry["qualifiers"]
	return shown


static func _argument(entry: Dictionary, description: String) -> Dictionary:
	return {
		"name": entry["name"],
		"type": entry.get("type", "Variant"),
		"default": entry.get("default_value"),
		"description": Markup.of_argument(description, str(entry["name"])),
	}


static func _property(entry: Dictionary) -> Dictionary:
	var shown: Dictionary = {
		"name": entry["name"],
		"type": entry.get("type", "Variant"),
		"description": Markup.plain(str(entry.get("description", ""))),
		"default": entry.get("default_value"),
	}
	for key: String in ["setter", "getter"]:
		if str(entry.get(key, "")) != "":
			shown[key] = entry[key]
	return shown


static func _signal(entry: Dictionary) -> Dictionary:
	var description: String = str(entry.get("description", ""))
	return {
		"name": entry["name"],
		"description": Markup.plain(description),
		"arguments": _list(entry, "arguments").map(_argument.bind(description)),
	}
