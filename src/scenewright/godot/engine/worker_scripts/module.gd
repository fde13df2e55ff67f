extends RefCounted
## What every module of a worker has: the worker itself.

var _worker: SceneTree


func _init(worker: SceneTree) -> void:
	_worker = worker
