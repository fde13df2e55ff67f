extends SceneTree
## A long-lived engine that answers JSON-RPC requests, one line each, over a loopback connection.
##
## A method `noun.verb` is the function `verb` of `noun.gd` beside this file. Marks on stderr tell which complaints of
## the engine belong to which request.
##
## In lock step no frame passes but those that a request asks for: the engine waits for requests where a frame ends.
##
## Expressions of callers reach this tree and whatever is a member of it, so that it has none: `line.gd`, which answers,
## is held by nothing but the signal that it hears.

## All of a frame has run: physics, process, timers, deletions, and what they deferred.
@warning_ignore("unused_signal")  # the line emits it; a project may make errors of warnings
signal frame_ended

const Line = preload("line.gd")
const PORT: String = "SCENEWRIGHT_WORKER_PORT"


func _initialize() -> void:
	var port: int = OS.get_environment(PORT).to_int()
	OS.unset_environment(PORT)
	if port == 0:
		return
	var line: Line = Line.new(self, port)
	var _heard: int = process_frame.connect(func() -> void: line.pass_frame())
