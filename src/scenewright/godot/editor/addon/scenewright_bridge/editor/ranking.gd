@tool
extends RefCounted
## Searches the reference and ranks what it finds: names before descriptions, whole before part.

const Markup = preload("markup.gd")
const Turns = preload("../rpc/turns.gd")

const _SINGULAR: Dictionary = {"classes": "class", "methods": "method", "properties": "property", "signals": "signal"}

var _turns: Turns
## [kind, class, name, name as words, description, description in lower case] of everything.
var _entries: Array[Array] = []


func _init(turns: Turns) -> void:
	_turns = turns


## [{type, class_name, name, description, relevance}], the best first.
func search(classes: Dictionary, query: String, kinds: PackedStringArray) -> Array:
	if _entries.is_empty():
		await _collect(classes)
	var words: PackedStringArray = _words(query)
	var wanted: String = "_".join(words)
	var found: Array = []
	for index: int in _entries.size():
		var entry: Array = _entries[index]
		if entry[0] in kinds:
			var score: float = _score(entry, wanted, words)
			if score > 0.0:
				found.append([score, _SINGULAR[entry[0]], entry[1], entry[2], entry[4]])
		if index % 256 == 0 and _turns.is_over():
			await _turns.next
	found.sort_custom(_is_before)
	return found.map(_shown)


func _collect(classes: Dictionary) -> void:
	var entries: Array[Array] = []
	for title: String in classes:
		var entry: Dictionary = classes[title]
		var brief: String = str(entry.get("brief_description", ""))
		var about: String = brief + str(entry.get("description", ""))
		entries.append(["classes", title, title, "_".join(_words(title)), brief, about.to_lower()])
		for kind: String in ["methods", "properties", "signals"]:
			var members: Array = entry.get(kind, [])
			for member: Dictionary in members:
				var text: String = str(member.get("description", ""))
				var known: String = str(member["name"])
				entries.append([kind, title, known, "_".join(_words(known)), text, text.to_lower()])
		if _turns.is_over():
			await _turns.next
	_entries = entries


static func _score(entry: Array, wanted: String, words: PackedStringArray) -> float:
	var joined: String = entry[3]
	var about: String = entry[5]
	if joined == wanted:
		return 1.0
	if joined.contains(wanted):
		return 0.9 if joined.begins_with(wanted) else 0.8
	if _has_all(joined, words):
		return 0.75
	if _has_all(str(entry[1]).to_lower() + "_" + joined, words):
		return 0.6
	if _has_all(about, words):
		return 0.4 if about.contains(" ".join(words)) else 0.3
	return 0.0


static func _has_all(text: String, words: PackedStringArray) -> bool:
	for word: String in words:
		if not text.contains(word):
			return false
	return true


static func _words(text: String) -> PackedStringArray:
	return text.to_snake_case().replace(" ", "_").replace(".", "_").split("_", false)


static func _is_before(a: Array, b: Array) -> bool:
	var first: float = a[0]
	var second: float = b[0]
	if not is_equal_approx(first, second):
		return first > second
	if a[1] != b[1]:
		return a[1] == "class" or a[1] == "property" and b[1] != "class"
	return str(a[2]) + str(a[3]) < str(b[2]) + str(b[3])


static func _shown(hit: Array) -> Dictionary:
	var about: String = Markup.plain(str(hit[4])).get_slice("\n", 0)
	return {"type": hit[1], "class_name": hit[2], "name": hit[3], "description": about, "relevance": hit[0]}
