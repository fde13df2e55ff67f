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


## The whole response, ready to be sent.
func to_text(id: Variant) -> String:
	if is_error():
		var error: Dictionary = {"code": code, "message": message}
		if not data.is_empty():
			error["data"] = data
		return JSON.stringify({"jsonrpc": "2.0", "id": id, "error": error}, "", false, true)
	var body: String = json if json != "" else JSON.stringify(result, "", false, true)
	return '{"jsonrpc":"2.0","id":%s,"result":%s}' % [JSON.stringify(id), body]
