@tool
extends RefCounted
## The editor's own log, brought to the journal: by a logger where the engine has them, else from
## the text of its Output panel.

const Journal = preload("journal.gd")

const _LISTENER: String = "listener.gd"

var _journal: Journal
var _listener: RefCounted = null
var _panel: RichTextLabel = null
var _seen: int = 0
var _next_look: int = 0


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


func poll() -> void:
	if _listener != null:
		var heard: Array[Dictionary] = _listener.call(&"take")
		for entry: Dictionary in heard:
			if entry.has("plain"):
				entry["type"] = "info"
		_journal.add(heard, "editor")
	elif Time.get_ticks_msec() >= _next_look:
		_next_look = Time.get_ticks_msec() + 250
		_read_panel()


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
		entries.append({"type": _kind(line), "message": line})
	_journal.add(entries, "editor")


static func _kind(line: String) -> String:
	if line.contains("ERROR:"):
		return "error"
	return "warning" if line.contains("WARNING:") else "info"
