@tool
extends RefCounted
## JSON as every reader takes it: the engine leaves control characters as they are, and writes one
## of them with an escape that JSON does not have.

var _bare: RegEx = RegEx.create_from_string("[\\x01-\\x1f]")
var _escaped: RegEx = RegEx.create_from_string("(?<!\\\\)((?:\\\\\\\\)*)\\\\v")


func json(text: String) -> String:
	if text.contains("\\v"):
		text = _escaped.sub(text, "$1\\u000b", true)
	if _bare.search(text) == null:
		return text
	for code: int in range(1, 32):
		text = text.replace(String.chr(code), "\\u%04x" % code)
	return text
