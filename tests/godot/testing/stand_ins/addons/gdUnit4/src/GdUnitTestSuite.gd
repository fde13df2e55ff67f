class_name GdUnitTestSuite
extends Node
## Stands in for GdUnit4's suite: one kind of assert, in the form that its users write.

class IntAssert:
	extends RefCounted

	var _suite: GdUnitTestSuite
	var _got: Variant


	func _init(suite: GdUnitTestSuite, got: Variant) -> void:
		_suite = suite
		_got = got


	func is_equal(expected: Variant) -> IntAssert:
		if _got != expected:
			_suite.report(get_stack(), "Expecting:\n '%s'\n but was\n '%s'" % [expected, _got])
		return self


var reports: Array[Dictionary] = []


func assert_int(got: Variant) -> IntAssert:
	return IntAssert.new(self, got)


func report(stack: Array, message: String) -> void:
	var line: int = -1
	for frame: Dictionary in stack:
		if frame["source"] == (get_script() as Script).resource_path:
			line = frame["line"]
			break
	reports.append({"line": line, "message": message})
