extends "play.gd"
## A game that is begun, played for a number of frames and told about, in one request: what is to hold is checked at its
## frame or at the end, pictures are taken of some, and nothing but the end of the game ends it early.

const MOST_KEYS: int = 200

var _params: Dictionary
var _begun: int
var _checked: Dictionary = {}


func run(params: Dictionary) -> Dictionary:
	_params = params
	await _worker.frame_ended
	if not _start(params.merged({"is_seen": false})):
		return {"loads": false}
	_begun = _scene.get_instance_id()
	_draw_due()
	var _stopped: String = await _pass({"frames": params["steps"]})
	_act(int(params["steps"] as float))
	_lift_guard()
	var reply: Dictionary = _reply()
	if _scene != null:
		_scene.free()
	return reply


func _act(at: int) -> void:
	super._act(at)
	_check_due(at)


## A check may be due after any frame.
func _next_due() -> int:
	return _at + 1


## It goes on where a step would stop.
func _reason(_step: Dictionary, _at: int) -> String:
	return ""


## What names a frame is checked there; the others wait for the end.
func _check_due(frame: int) -> void:
	var checks: Array = _params.get("checks", [])
	for at: int in checks.size():
		if int((checks[at] as Dictionary).get("frame", -1) as float) == frame and _scene != null:
			_checked[at] = _checks().check([checks[at]])[0]


func _on_quit() -> void:
	if not is_instance_valid(_scene) or not _scene.is_inside_tree():
		_scene = null
	var reply: Dictionary = _reply()
	reply["quit"] = _frame
	_answer(reply)


func _reply() -> Dictionary:
	var reply: Dictionary = {"loads": true, "alive": _scene != null, "pictures": _pictures, "calls": _returned}
	reply["checks"] = _all_checked()
	reply["signals"] = _listening.told()
	reply["size"] = [_worker.root.size.x, _worker.root.size.y]
	if RenderingServer.has_method("get_current_rendering_method"):  # since 4.4
		reply["renderer"] = RenderingServer.call("get_current_rendering_method")
	if _scene == null:
		return reply
	if _scene.get_instance_id() != _begun:
		reply["scene"] = _scene.scene_file_path
	var looking: RefCounted = Looking.new(_scene)
	reply["nodes"] = looking.nodes(MOST_NODES)
	reply["total"] = looking.total()
	reply["properties"] = looking.properties(_params.get("properties", {}) as Dictionary)
	reply["connections"] = looking.connections()
	reply["animations"] = looking.animations(MOST_KEYS)
	return reply


func _all_checked() -> Array:
	var rows: Array = []
	for check: Dictionary in _params.get("checks", []):
		var at: int = rows.size()
		if _checked.has(at):
			rows.append(_checked[at])
		elif check.has("frame"):
			rows.append({"expression": check["expression"], "holds": false, "error": "There was no scene at frame %d." % check["frame"]})
		elif _scene != null:
			rows.append(_checks().check([check])[0])
	return rows
