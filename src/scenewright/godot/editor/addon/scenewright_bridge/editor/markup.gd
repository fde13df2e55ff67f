@tool
extends RefCounted
## The reference's markup as plain text.

static var _rules: Array[Array] = []


static func plain(text: String) -> String:
	if _rules.is_empty():
		_make_rules()
	var shown: String = text.dedent().strip_edges()
	for rule: Array in _rules:
		var pattern: RegEx = rule[0]
		shown = pattern.sub(shown, str(rule[1]), true)
	return shown.replace("[lb]", "[").replace("[rb]", "]")


## What a method's description says of one argument.
static func of_argument(description: String, argument: String) -> String:
	var found: PackedStringArray = PackedStringArray()
	for sentence: String in description.replace("\n", " ").split(". "):
		if sentence.contains("[param %s]" % argument):
			var _added: bool = found.append(plain(sentence).trim_suffix(".") + ".")
	return " ".join(found)


static func _make_rules() -> void:
	for rule: Array in [
		["\\[codeblocks?[^\\]]*\\]|\\[/codeblocks?\\]|\\[gdscript[^\\]]*\\]|\\[/gdscript\\]", ""],
		["(?s)\\[csharp[^\\]]*\\].*?\\[/csharp\\]", ""],
		["\\[code[^\\]]*\\](.*?)\\[/code\\]", "`$1`"],
		["\\[url=([^\\]]*)\\](.*?)\\[/url\\]", "$2 ($1)"],
		["\\[(?:method|member|signal|constant|enum|param|annotation|constructor|operator|theme_item) ([^\\]]+)\\]", "$1"],
		["\\[/?(?:b|i|u|kbd|center|br|codeblock)\\]", ""],
		["\\[([A-Z@][A-Za-z0-9_]*)\\]", "$1"],
		["\\n[ \\t]+", "\\n"],
	]:
		_rules.append([RegEx.create_from_string(str(rule[0])), rule[1]])
