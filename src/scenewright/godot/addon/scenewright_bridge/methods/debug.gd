@tool
extends RefCounted
## get_errors and get_editor_log.

const Journal = preload("../editor/journal.gd")
const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Version = preload("../version.gd")

var _journal: Journal


func _init(journal: Journal) -> void:
	_journal = journal


func methods() -> Dictionary:
	return {"get_errors": get_errors, "get_editor_log": get_editor_log}


func get_errors(params: Params) -> Reply:
	var count: int = params.integer("count", 20, 0, 100_000)
	var severity: String = params.choice("severity", ["error", "warning", "all"], "all")
	var since: float = params.number(params.alias(["since_timestamp", "since"]), -1.0)
	if params.problem != null:
		return params.problem
	var found: Array = []
	for error: Dictionary in _journal.errors():
		var timestamp: float = error["timestamp"]
		if timestamp > since and (severity == "all" or error["severity"] == severity):
			found.append(error)
	return Replies.ok({"errors": found.slice(0, count), "total_count": found.size()})


func get_editor_log(params: Params) -> Reply:
	var count: int = params.integer("count", 100, 0, 100_000)
	var filter: String = params.text("filter", "")
	if params.problem != null:
		return params.problem
	var found: Array = Array(_journal.lines())
	if filter != "":
		var pattern: RegEx = RegEx.new()
		if _compile(pattern, filter) != OK:
			return Replies.invalid("filter", "a regular expression")
		found = found.filter(func(line: Dictionary) -> bool: return pattern.search(str(line["message"])) != null)
	var shown: Array = found.slice(-count) if count > 0 else []
	return Replies.ok({"logs": shown, "total_count": found.size()})


## Without a line in the editor's log for a bad pattern, where the engine can (4.4 and later).
static func _compile(pattern: RegEx, text: String) -> Error:
	var arguments: Array = [text, false] if Version.is_at_least(4, 4) else [text]
	var error: Error = pattern.callv(&"compile", arguments)
	return error
