extends Logger
## Hears of script errors as they happen, which the engine tells scripts since 4.5; loaded only where it does.

var failed: bool = false


func _log_error(
	_function: String, _file: String, _line: int, _code: String, _rationale: String, _notify: bool, type: int,
	_backtraces: Array[ScriptBacktrace]
) -> void:
	failed = failed or type == ERROR_TYPE_SCRIPT
