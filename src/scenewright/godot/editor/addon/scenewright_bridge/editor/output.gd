@tool
extends RefCounted
## The editor's own log, brought to the journal: by a logger where the engine has them, else from
## the text of its Output panel.

const Journal = preload("journal.gd")

## In a folder that the editor does not look into: one without loggers would say that it cannot be read.
const _LISTENER: String = "later/listener.gd"
const _PAUSE: int = 250

var _journal: Journal
var _listener: RefCounted = null
var _panel: RichTextLabel = null
var _seen: int = 0
var _next_look: int = 0
## How often a line is still to come that a game printed, which its own log has as well.
var _printed: Dictionary = {}
var _error: RegEx = RegEx.create_from_string("^\\s*(?:\\w+ )*(ERROR|WARNING): (?:(\\S+):(\\d+) - )?(.*)$")


func _init(journal: Journal) -> void:
	_journal = journal
	if ClassDB.class_exists(&"Logger"):
		var place: GDScript = get_script()
		var script: GDScript = load(place.resource_path.get_base_dir().path_join(_LISTENER))
		_listener = script.new()
		var _added: Variant = (OS as Object).call(&"add_logger", _listener)


func stop() -> void:
	if _listener != null:
		var _removed: Variant = (OS as Object).call(&"remove_logger", _listener)


## Once per frame. The panel's text is as long as the log and is not read in each of them.
func poll() -> void:
	if _listener != null or Time.get_ticks_msec() >= _next_look:
		look()


## Takes in what was logged since.
func look() -> void:
	if _listener == null:
		_next_look = Time.get_ticks_msec() + _PAUSE
		_read_panel()
		return
	var heard: Array[Dictionary] = _listener.call(&"take")
	for entry: Dictionary in heard:
		if entry.has("plain"):
			entry["type"] = "info"
	_journal.add(heard, "editor")


## What a game printed and the Output panel will show.
func leave_out(text: String) -> void:
	for line: String in text.split("\n", false):
		_printed[line] = _printed.get(line, 0) + 1


## The game is over: what it printed is shown.
func settle() -> void:
	look()
	_printed.clear()


func _read_panel() -> void:
	if _panel == null:
		for panel: Node in EditorInterface.get_base_control().find_children("*", "EditorLog", true, false):
			for text: Node in panel.find_children("*", "RichTextLabel", true, false):
				_panel = text
	if _panel == null:
		return
	var text: String = _panel.get_parsed_text()
	if text.length() < _seen:
		_seen = 0
	var fresh: String = text.substr(_seen).strip_edges(false, true)
	_seen = text.length()
	var entries: Array[Dictionary] = []
	for line: String in fresh.split("\n", false):
		var due: int = _printed.get(line, 0)
		if due == 0:
			entries.append(_entry(line))
		elif due == 1:
			var _was: bool = _printed.erase(line)
		else:
			_printed[line] = due - 1
	_journal.add(entries, "editor")


## Errors stand in the panel as `ERROR: res://a.gd:7 - message`.
func _entry(line: String) -> Dictionary:
	var found: RegExMatch = _error.search(line)
	if found == null:
		return {"type": "info", "message": line}
	var source: Dictionary = {"script": found.get_string(2), "function": "", "line": found.get_string(3).to_int()}
	return {"type": found.get_string(1).to_lower(), "message": found.get_string(4), "source": source}
