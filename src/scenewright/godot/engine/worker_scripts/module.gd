extends RefCounted
## What every module of a worker has: the tree, and the line over which it is asked.

var _worker: SceneTree
var _line: WeakRef  ## The line holds its modules.


func _init(worker: SceneTree, line: RefCounted = null) -> void:
	_worker = worker
	_line = weakref(line)


## Ends the request that is under way: only where a module will not live to return.
func _answer(result: Dictionary) -> void:
	var line: RefCounted = _line.get_ref()
	line.call("answer", result)


## Tells how far a long request has got.
func _tell(done: int, total: int, message: String = "") -> void:
	var line: RefCounted = _line.get_ref()
	line.call("tell", done, total, message)
