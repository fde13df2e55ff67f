@tool
extends RefCounted
## get_errors and get_editor_log.

const Journal = preload("../editor/journal.gd")
const Output = preload("../editor/output.gd")
const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Runs = preload("../game/runs.gd")
const Version = preload("../version.gd")

var _journal: Journal
var _output: Output
var _runs: Runs


func _init(journal: Journal, output: Output, runs: Runs) -> void:
	_journal = journal
	_output = output
	_runs = runs


func methods() -> Dictionary:
	return {
		"get_errors": get_errors,
		"get_editor_log": get_editor_log,
		"scenewright.get_log": get_log,
		"scenewright.get_game": get_game,
		"scenewright.clear_output": clear_output,
	}


func get_errors(params: Params) -> Reply:
	var count: int = params.integer("count", 20, 0, 100_000)
	var severity: String = params.choice("severity", ["error", "warning", "all"], "all")
	var since: float = params.number(params.alias(["since_timestamp", "since"]), -1.0)
	var runs: String = params.choice("runs", ["all", "last"], "all")
	if params.problem != null:
		return params.problem
	_output.look()
	var found: Array = []
	var earlier: int = 0
	for error: Dictionary in _journal.errors():
		var timestamp: float = error["timestamp"]
		if timestamp <= since or not (severity == "all" or error["severity"] == severity):
			continue
		if runs == "last" and error.get("run", _runs.number) != _runs.number:
			earlier += 1
		else:
			found.append(error)
	var shown: Array = found.slice(0, count)
	var result: Dictionary = {"errors": shown, "total_count": found.size(), "filtered_count": shown.size()}
	if runs == "last":
		result.merge({"run": _runs.number, "earlier_count": earlier})
	return Replies.ok(result)


## The game that runs from the editor, or ran last, whoever started it: how it is, and what it said after a cursor.
func get_game(params: Params) -> Reply:
	var cursor: int = params.integer("cursor", 0, 0, 1 << 52)
	if params.problem != null:
		return params.problem
	var answer: Array = _journal.since(mini(cursor, _journal.written_so_far()))
	var lines: Array[Dictionary] = answer[0]
	var mine: Callable = func(entry: Dictionary) -> bool: return entry.get("run", 0) == _runs.number
	var said: Array = lines.filter(mine).filter(func(line: Dictionary) -> bool: return line["type"] == "info")
	var errors: Array = _journal.errors().filter(mine)
	errors = errors.filter(func(error: Dictionary) -> bool: return error["number"] > cursor)
	errors.reverse()
	var result: Dictionary = {
		"running": _runs.is_running(),
		"run": _runs.number,
		"scene_path": _runs.scene_path(),
		"halted": _runs.channel.is_halted(),
		"lines": said.map(func(line: Dictionary) -> String: return line["message"]),
		"errors": errors,
		"cursor": _journal.written_so_far(),
	}
	result.merge(_runs.ending())
	return Replies.ok(result)


func get_editor_log(params: Params) -> Reply:
	var count: int = params.integer("count", 100, 0, 100_000)
	var filter: String = params.text("filter", "")
	if params.problem != null:
		return params.problem
	_output.look()
	var found: Array = Array(_journal.lines())
	if filter != "":
		var pattern: RegEx = RegEx.new()
		if _compile(pattern, filter) != OK:
			return Replies.invalid("filter", "a regular expression")
		found = found.filter(func(line: Dictionary) -> bool: return pattern.search(str(line["message"])) != null)
	var shown: Array = found.slice(-count) if count > 0 else []
	return Replies.ok({"logs": shown, "total_count": found.size()})


## What was logged after a cursor, as much as may be sent, and the cursor to go on from.
func get_log(params: Params) -> Reply:
	var cursor: int = params.integer("cursor", 0, 0, 1 << 52)
	var bytes: int = params.integer("max_bytes", 65_536, 1, 1 << 24)
	var most: int = params.integer("max_matches", 50, 1, 100_000)
	var only_errors: bool = params.flag("only_errors", false)
	var text: String = params.text("pattern", "")
	var pattern: RegEx = RegEx.new()
	if params.problem != null:
		return params.problem
	if text != "" and _compile(pattern, text) != OK:
		return Replies.invalid("pattern", "a regular expression")
	_output.look()
	var answer: Array = _journal.since(mini(cursor, _journal.written_so_far()))
	var lines: Array[Dictionary] = answer[0]
	var at: int = _journal.written_so_far() - lines.size()
	var found: Array = []
	for line: Dictionary in lines:
		var message: String = line["message"]
		var fits: bool = not (only_errors and line["type"] == "info")
		if fits and (text == "" or pattern.search(message) != null):
			bytes -= message.to_utf8_buffer().size()
			if found.size() >= most or bytes < 0 and not found.is_empty():
				break
			found.append(line)
		at += 1
	return Replies.ok({"entries": found, "cursor": at, "lost": answer[1], "more": at < _journal.written_so_far()})


## Clears the Output panel as its button would, and what is kept here.
func clear_output(_params: Params) -> Reply:
	_output.look()
	_journal.clear()
	for panel: Node in EditorInterface.get_base_control().find_children("*", "EditorLog", true, false):
		for part: Node in panel.find_children("*", "Button", true, false):
			var button: Button = part
			if button.shortcut != null and button.shortcut.resource_name == "Clear Output":
				button.pressed.emit()
				_output.look()
				return Replies.ok({"cleared": true, "cursor": _journal.written_so_far()})
	return Replies.ok({"cleared": false, "cursor": _journal.written_so_far()})


## Without a line in the editor's log for a bad pattern, where the engine can (4.4 and later).
static func _compile(pattern: RegEx, text: String) -> Error:
	var arguments: Array = [text, false] if Version.is_at_least(4, 4) else [text]
	var error: Error = pattern.callv(&"compile", arguments)
	return error
