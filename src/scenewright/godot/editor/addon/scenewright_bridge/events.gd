@tool
extends RefCounted
## Tells the clients what happens in the editor: the five events of the protocol, and four more.

const Documents = preload("methods/documents.gd")
const DiskSync = preload("editor/disk_sync.gd")
const Journal = preload("editor/journal.gd")
const Revisions = preload("editor/revisions.gd")
const Runs = preload("game/runs.gd")
const Scenes = preload("editor/scenes.gd")
const Sessions = preload("rpc/sessions.gd")
const System = preload("methods/system.gd")

var _sessions: Sessions
var _scenes: Scenes
var _revisions: Revisions
var _scene: String = ""
var _selection: Array = []
var _edited: bool = false
var _importing: bool = false


func _init(sessions: Sessions, scenes: Scenes, revisions: Revisions) -> void:
	_sessions = sessions
	_scenes = scenes
	_revisions = revisions
	var _wired: int = revisions.grown.connect(func(_root: Node) -> void: _edited = true)


func follow(runs: Runs, journal: Journal, sync: DiskSync) -> void:
	var _wired: Array[int] = [
		sync.told.connect(_on_told),
		runs.started.connect(_on_started),
		runs.stopped.connect(_on_stopped),
		journal.failed.connect(_on_failed),
		journal.written.connect(_on_written),
	]


## Once per frame. The edited scene and the selection are compared, not signalled: the editor's own
## signals come more than once for one change, and while scenes are being exchanged.
func poll() -> void:
	var scene: String = _scenes.scene_path()
	if scene != _scene:
		var previous: String = _scene
		_scene = scene
		_tell("godoty.scene_changed", {"previous_scene": previous, "current_scene": scene})
	var selection: Array = System.selected_paths(_scenes)
	if selection != _selection:
		_selection = selection
		_tell("godoty.selection_changed", {"selected_nodes": selection})
	if _edited:
		_edited = false
		var revision: int = _revisions.of(EditorInterface.get_edited_scene_root())
		_tell_more("scenewright.scene_edited", {"scene_path": scene, "revision": revision})
	var importing: bool = Documents.is_importing()
	if importing != _importing:
		_importing = importing
		_tell_more("scenewright.state_changed", {"state": "importing" if importing else "ready"})


func _on_started(scene_path: String) -> void:
	_tell("godoty.game_started", {"scene_path": scene_path})


func _on_stopped(reason: String, exit_code: Variant) -> void:
	_tell("godoty.game_stopped", {"reason": reason, "exit_code": exit_code})


func _on_failed(error: Dictionary) -> void:
	if error["origin"] == "game":
		_sessions.broadcast("godoty.error_occurred", error, false)


func _on_written(entries: Array) -> void:
	_tell_more("scenewright.log", {"entries": entries})


func _on_told(news: Dictionary) -> void:
	_tell_more("scenewright.disk_changed", news.duplicate())


func _tell(event: String, params: Dictionary) -> void:
	params["timestamp"] = Time.get_unix_time_from_system()
	_sessions.broadcast(event, params, false)


func _tell_more(event: String, params: Dictionary) -> void:
	params["timestamp"] = Time.get_unix_time_from_system()
	_sessions.broadcast(event, params, true)
