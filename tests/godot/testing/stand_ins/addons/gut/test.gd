class_name GutTest
extends Node
## Stands in for GUT's test.gd: a few asserts, with its words for what they found.

var fails: Array[String] = []
var pendings: Array[String] = []
var passes: int = 0
var log_lines: Array[String] = []


func assert_eq(got: Variant, expected: Variant, text: String = "") -> void:
	_judge(got == expected, "[%s] expected to equal [%s]:  %s" % [got, expected, text])


func assert_true(got: bool, text: String = "") -> void:
	_judge(got, "[%s] expected to be true:  %s" % [got, text])


func pending(text: String = "") -> void:
	pendings.append(text)


func fail_test(text: String) -> void:
	_judge(false, text)


func _judge(holds: bool, text: String) -> void:
	if holds:
		passes += 1
		return
	var line: int = -1
	for frame: Dictionary in get_stack():
		if frame["source"] == (get_script() as Script).resource_path:
			line = frame["line"]
			break
	log_lines.append("    [Failed]:  " + text)
	log_lines.append("      at line %d" % line)
	fails.append("%s\n      at line %d" % [text, line])
