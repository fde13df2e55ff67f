class_name Broken extends Node

@export var before: int = 3

func unfinished(
	var x =

## Still described.
func fine() -> void:
	if true
		pass

@export_range(0, 1) var after: float = 0.5
signal later(value: int)
var text = "unterminated

class Inner:
	var inside := 1

func last() -> int:
	return 3
