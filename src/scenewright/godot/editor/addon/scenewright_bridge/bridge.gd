@tool
extends RefCounted
## The bridge: ties socket, handshake, methods and events together. One per editor.

signal changed
signal called(client: int, method: String, code: int, usec: int)

const Actions = preload("methods/actions.gd")
const Capture = preload("methods/capture.gd")
const Debug = preload("methods/debug.gd")
const DiskSync = preload("editor/disk_sync.gd")
const Dispatcher = preload("rpc/dispatcher.gd")
const Docs = preload("methods/docs.gd")
const Documents = preload("methods/documents.gd")
const Editing = preload("methods/editing.gd")
const Events = preload("events.gd")
const Files = preload("editor/files.gd")
const Guests = preload("methods/guests.gd")
const Inspection = preload("methods/inspection.gd")
const Journal = preload("editor/journal.gd")
const Matching = preload("methods/matching.gd")
const Output = preload("editor/output.gd")
const Pace = preload("editor/pace.gd")
const Pictures = preload("editor/pictures.gd")
const Playing = preload("methods/playing.gd")
const Previews = preload("editor/previews.gd")
const Records = preload("editor/records.gd")
const Reference = preload("editor/reference.gd")
const Revisions = preload("editor/revisions.gd")
const Recordings = preload("methods/recordings.gd")
const Running = preload("methods/running.gd")
const Runs = preload("game/runs.gd")
const Scenes = preload("editor/scenes.gd")
const Selecting = preload("methods/selecting.gd")
const Server = preload("net/server.gd")
const Sessions = preload("rpc/sessions.gd")
const Settings = preload("editor/settings.gd")
const Shaders = preload("editor/shaders.gd")
const System = preload("methods/system.gd")
const Trees = preload("methods/tree.gd")
const Turns = preload("rpc/turns.gd")
const Version = preload("version.gd")
const Workbench = preload("methods/workbench.gd")

var settings: Settings
var sessions: Sessions
var runs: Runs
var pictures: Pictures
var sync: DiskSync
## The methods that edit scenes.
var edits: Array = ["execute_action", "scenewright.undo", "scenewright.redo"]

var _files: Files = Files.new()
var _server: Server = Server.new()
var _dispatcher: Dispatcher = Dispatcher.new()
var _pace: Pace = Pace.new()
var _turns: Turns = Turns.new()
var _scenes: Scenes = Scenes.new()
var _revisions: Revisions = Revisions.new()
var _journal: Journal = Journal.new()
var _output: Output = Output.new(_journal)
var _events: Events
var _groups: Array[RefCounted] = []


func _init(with: Settings) -> void:
	settings = with
	sessions = Sessions.new(settings, _greeting)
	runs = Runs.new(settings, _journal)
	pictures = Pictures.new(_turns)
	sync = DiskSync.new(_files, _turns)
	_dispatcher.before = sync.settle
	_events = Events.new(sessions, _scenes, _revisions)
	_events.follow(runs, _journal, sync)
	_offer_reading()
	_offer_doing()
	var _wired: Array[int] = [
		_server.opened.connect(_open),
		_server.heard.connect(sessions.hear),
		_server.closed.connect(_forget),
		sessions.said.connect(_server.send),
		runs.channel.printed.connect(_note_output),
		runs.stopped.connect(_output.settle.unbind(2)),
		sessions.dismissed.connect(_server.close),
		sessions.let_in.connect(_server.trust),
		sessions.admitted.connect(_dispatcher.take),
		sessions.changed.connect(changed.emit),
		_dispatcher.queued.connect(_pace.touch),
		_dispatcher.answered.connect(_server.send),
		_dispatcher.called.connect(called.emit),
		EditorInterface.get_resource_filesystem().filesystem_changed.connect(sync.look_soon),
	]
	_revisions.watch()
	Shaders.watch()


func start() -> Error:
	var error: Error = _server.listen(settings.port())
	if error == OK:
		sessions.port = _server.port
		sync.look_soon()
		if settings.checks_token() and settings.token() == "" and Records.token() == "":
			push_error("Scenewright: the token cannot be written to %s, so nobody can connect." % Records.token_file())
		var _published: bool = Records.publish(_facts())
	changed.emit()
	return error


func stop() -> void:
	_server.stop()
	_pace.release()
	Records.withdraw()
	changed.emit()


## The addon goes: nothing of it may stay behind.
func close() -> void:
	Previews.end_all()
	stop()
	_revisions.unwatch()
	Shaders.unwatch()
	EditorInterface.get_resource_filesystem().filesystem_changed.disconnect(sync.look_soon)
	runs.close()
	_output.stop()


func port() -> int:
	return _server.port


func poll() -> void:
	Previews.end_hidden()
	runs.poll()
	_output.poll()
	_journal.flush()
	_turns.begin(settings.integer(Settings.BUDGET) * 1000)
	if not Documents.is_importing():
		sync.poll()
	if _server.port == 0:
		_turns.go_on()
		return
	_server.poll(_turns.halfway())
	_turns.go_on()
	_dispatcher.work(_turns.deadline())
	_events.poll()
	_pace.follow(_dispatcher.is_busy() or _server.is_busy())


func _note_output(text: String) -> void:
	if runs.is_visited:
		_output.leave_out(text)


func _offer_reading() -> void:
	var system: System = System.new(_scenes)
	_dispatcher.offer("ping", system.ping, true)
	var inspection: Inspection = Inspection.new(_scenes)
	var trees: Trees = Trees.new(_scenes, _revisions, _turns)
	var docs: Docs = Docs.new(Reference.new(_turns), _turns)
	var debug: Debug = Debug.new(_journal, _output, runs)
	var capture: Capture = Capture.new(pictures, runs, settings, _turns)
	_offer(system, system.methods())
	_offer(inspection, inspection.methods())
	_offer(trees, trees.methods())
	_offer(docs, docs.methods())
	_offer(debug, debug.methods())
	var workbench: Workbench = Workbench.new(_scenes, _turns)
	_offer(capture, capture.methods())
	var recordings: Recordings = Recordings.new(runs, _turns)
	_offer(recordings, recordings.methods())
	_offer(workbench, workbench.methods())
	var playing: Playing = Playing.new(_scenes)
	_offer(playing, playing.methods())
	var guests: Guests = Guests.new(runs, _turns, sessions.has_proof)
	_offer(guests, guests.methods())


func _offer_doing() -> void:
	var editing: Editing = Editing.new(_scenes, _revisions, sync, _may_remove)
	var documents: Documents = Documents.new(_scenes, _revisions, _files, sync, settings, _turns)
	var running: Running = Running.new(_scenes, runs, _turns)
	var actions: Actions = Actions.new(settings, editing, documents, running, Selecting.new(_scenes, _turns))
	var matching: Matching = Matching.new(_scenes, _revisions, sync, _may_remove)
	_offer(editing, editing.methods())
	_offer(matching, matching.methods())
	edits.append_array(editing.methods().keys() + matching.methods().keys())
	_offer(documents, documents.methods())
	_offer(actions, actions.methods())


func _offer(group: RefCounted, methods: Dictionary) -> void:
	_groups.append(group)
	for method: String in methods:
		var answer: Callable = methods[method]
		_dispatcher.offer(method, answer)


func _open(client: int) -> void:
	_pace.touch()
	sessions.open(client)


func _forget(client: int) -> void:
	_dispatcher.forget(client)
	sessions.close(client)


## A client that showed the token may remove nodes: it is one undo away. A stranger may not,
## unless the person at the editor allows it.
func _may_remove(client: int, edit: String) -> bool:
	return settings.flag(Settings.DANGEROUS) or edit == "remove_node" and sessions.has_proof(client)


func _greeting() -> Dictionary:
	return {
		"godot_version": Version.engine_number(),
		"plugin_version": Version.PLUGIN,
		"capabilities": Version.CAPABILITIES,
		"protocol_version": Version.PROTOCOL,
		"min_supported_version": Version.OLDEST_PROTOCOL,
		"auth": "token" if settings.checks_token() else "off",
	}


func _facts() -> Dictionary:
	return {
		"host": Server.HOST,
		"port": _server.port,
		"url": "ws://%s:%d/" % [Server.HOST, _server.port],
		"pid": OS.get_process_id(),
		"project": ProjectSettings.globalize_path("res://").trim_suffix("/"),
		"project_name": str(ProjectSettings.get_setting("application/config/name", "")),
		"protocol_version": Version.PROTOCOL,
		"min_supported_version": Version.OLDEST_PROTOCOL,
		"plugin_version": Version.PLUGIN,
		"godot_version": Version.engine_number(),
		"auth": "token" if settings.checks_token() else "off",
		"token_file": Records.token_file(),
		"headless": DisplayServer.get_name() == "headless",
		"started": Time.get_unix_time_from_system(),
	}
