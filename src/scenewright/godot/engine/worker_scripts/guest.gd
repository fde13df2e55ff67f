extends Node
## Lets what answers for a game that runs by itself into the game: `guest_line.gd`, and tells it when frames are over.
##
## It comes over the debugger's line and belongs to no project. Expressions of callers reach it, so that it holds
## nothing, and no caller may name what begins as its method does.

## All nodes have had their frame.
@warning_ignore("unused_signal")  # the line emits it; a project may make errors of warnings
signal frame_ended

const Line: GDScript = preload("guest_line.gd")


func _scenewright_join(folder: String) -> void:
	if not EngineDebugger.is_active() or EngineDebugger.has_capture(Line.PREFIX as StringName):
		return
	var root: Window = get_tree().root
	get_parent().remove_child(self)
	root.add_child(self, false, Node.INTERNAL_MODE_BACK)  # where no game that goes through its nodes meets it
	process_mode = Node.PROCESS_MODE_ALWAYS
	process_priority = (1 << 31) - 1
	set_process(true)
	var line: RefCounted = Line.new(self, folder)
	var _frames_heard: Error = frame_ended.connect(func() -> void: line.call("count_frame")) as Error
	# When the game quits, this node leaves first, as it came last: what there was until then can still be told.
	var _end_heard: Error = tree_exiting.connect(func() -> void: line.call("leave")) as Error
	line.call("begin")


func _process(_delta: float) -> void:
	frame_ended.emit()
