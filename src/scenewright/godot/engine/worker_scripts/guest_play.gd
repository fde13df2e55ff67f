extends "play.gd"
## The play of a game that runs by itself, for `guest.gd`: frames pass whether anybody asks or not.

var is_cancelled: bool = false
var _guest: Node


func _init(worker: SceneTree, guest: Node) -> void:
	super(worker)
	_guest = guest
	if DisplayServer.get_name() == "headless":
		_worker.root.size = window_size({})  # without a window it is so small that nothing can be clicked
	_hear_errors()
	_acting.sight = func(wanted: Dictionary) -> Dictionary: return Sighting.new(_worker, _scene).aim(wanted)
	var _added_heard: Error = _worker.node_added.connect(_on_added) as Error
	var _removed_heard: Error = _worker.node_removed.connect(_on_removed) as Error


## Begins a request when so many frames have passed.
func turn(frame: int) -> void:
	is_cancelled = false
	_frame = frame
	_follow()


func outcome(stopped: String) -> Dictionary:
	return _outcome(stopped)


func step(params: Dictionary) -> Dictionary:
	_singletons = params.get("singletons", [])
	return await super(params)


func evaluate(params: Dictionary) -> Dictionary:
	_singletons = params.get("singletons", [])
	return super(params)


func expect(params: Dictionary) -> Dictionary:
	_singletons = params.get("singletons", [])
	return super(params)


func _frame_ended() -> Signal:
	return Signal(_guest, "frame_ended")


## It may be cancelled after any frame.
func _next_due() -> int:
	return _at + 1


func _tell_progress() -> void:
	pass


func _reason(params: Dictionary, at: int) -> String:
	return "cancelled" if is_cancelled else super(params, at)


## Whether the game quits is heard by its guest.
func _set_guard() -> void:
	pass
