@tool
extends RefCounted
## The process of a game that the editor started: whether it lives, and how it ended.
##
## The editor does not say which process it started. It is the child that was not there before; the
## helper in the game tells its number, too.

var pid: int = 0
## How it ended: null while it runs, and where somebody else asked first.
var exit_code: Variant = null

var _before: Dictionary = _children()
var _ended: bool = false


## False once the process has ended; true also where that cannot be known.
func is_running() -> bool:
	if _ended:
		return false
	if pid == 0:
		pid = _new_child()
	if pid == 0:
		return true
	var state: String = _state(pid)
	if state == "Z" or state == "" and not _shows_processes():
		_ended = not OS.is_process_running(pid)
		if _ended:
			var code: int = OS.get_process_exit_code(pid)
			exit_code = code
	elif state == "":
		_ended = true
	return not _ended


func _new_child() -> int:
	for child: int in _children():
		if not _before.has(child):
			return child
	return 0


static func _shows_processes() -> bool:
	return DirAccess.dir_exists_absolute("/proc/self")


## The letter that the system shows for a process; "" where there is none such.
static func _state(process: int) -> String:
	var file: FileAccess = FileAccess.open("/proc/%d/stat" % process, FileAccess.READ)
	if file == null:
		return ""
	var line: String = file.get_line()
	return line.substr(line.rfind(")") + 2, 1)


static func _children() -> Dictionary:
	var found: Dictionary = {}
	var own: int = OS.get_process_id()
	var file: FileAccess = FileAccess.open("/proc/%d/task/%d/children" % [own, own], FileAccess.READ)
	if file != null:
		for child: String in file.get_line().split(" ", false):
			found[child.to_int()] = true
	return found
