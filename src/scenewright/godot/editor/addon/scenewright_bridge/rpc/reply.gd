@tool
extends RefCounted
## What a method answers: a result, or an error with a code of the protocol.

var result: Dictionary = {}
## The result as JSON, for answers so big that they are written piece by piece.
var json: String = ""
var code: int = 0
var message: String = ""
var data: Dictionary = {}


func is_error() -> bool:
	return code != 0


## JSON numbers arrive as floats; an id must go back as it came.
static func as_sent(id: Variant) -> Variant:
	if id is float:
		var number: float = id
		if number == floorf(number) and absf(number) < 9.0e18:
			return int(number)
	return id


## The whole response, ready to be sent.
func to_text(request: Variant) -> String:
	var id: Variant = as_sent(request)
	if is_error():
		var error: Dictionary = {"code": code, "message": message}
		if not data.is_empty():
			error["data"] = data
		return JSON.stringify({"jsonrpc": "2.0", "id": id, "error": error}, "", false, true)
	var body: String = json if json != "" else JSON.stringify(result, "", false, true)
	return '{"jsonrpc":"2.0","id":%s,"result":%s}' % [JSON.stringify(id), body]
