extends SceneTree
## Stands in for GUT's command line: its options, what it prints, and its report, which escapes nothing.

const LISTS: Array[String] = ["-gdir", "-gtest"]
const FLAGS: Array[String] = ["-gexit", "-gdisable_colors", "-ginclude_subdirs"]
const VALUES: Array[String] = [
	"-glog", "-gconfig", "-gjunit_xml_file", "-gunit_test_name", "-gprefix", "-gsuffix", "-gpre_run_script",
	"-gpost_run_script", "-gdouble_strategy",
]

var _given: Dictionary = {}
var _suites: Dictionary = {}
var _failing: int = 0


func _initialize() -> void:
	if not _parse():
		quit(1)
		return
	_run.call_deferred()


func _parse() -> bool:
	var arguments: Array = Array(OS.get_cmdline_args())
	var unused: Array = []
	for argument: String in arguments.slice(arguments.find("-s") + 2):
		var name: String = argument.get_slice("=", 0)
		var value: String = argument.substr(name.length() + 1)
		if name in FLAGS and name == argument:
			_given[name] = true
		elif name in LISTS:
			_given[name] = (_given.get(name, []) as Array) + Array(value.split(",", false))
		elif name in VALUES:
			_given[name] = value
		else:
			unused.append(argument)
	if not unused.is_empty():
		print("Unknown arguments:  ", unused)
	return unused.is_empty()


func _config() -> Dictionary:
	var path: String = _given.get("-gconfig", "res://.gutconfig.json")
	if path == "" or not FileAccess.file_exists(path):
		return {}
	return JSON.parse_string(FileAccess.get_file_as_string(path))


func _run() -> void:
	print("---  GUT  ---\nGodot version:  4.6.3\nGUT version:  9.4.0\n")
	var config: Dictionary = _config()
	var hook: String = _given.get("-gpre_run_script", config.get("pre_run_script", ""))
	if hook != "":
		print("hook ", hook)
	var paths: Array = []
	for folder: String in _given.get("-gdir", config.get("dirs", [])):
		for file: String in DirAccess.get_files_at(folder):
			if file.begins_with("test_") and file.ends_with(".gd"):
				paths.append(folder.path_join(file))
	paths.append_array(_given.get("-gtest", []) as Array)
	for path: String in paths:
		await _run_script(path)
	_write(_given.get("-gjunit_xml_file", "") as String)
	print("\n==============================================\n= Run Summary\n==============================================\n")
	print("---- All tests passed! ----" if _failing == 0 else "---- %d failing tests ----" % _failing)
	if _given.has("-gexit"):
		quit(1 if _failing > 0 else 0)


func _run_script(path: String) -> void:
	var script: GDScript = load(path)
	if script == null or not script.can_instantiate():
		print("[ERROR]:  Cannot load ", path)
		return
	print("\n\n", path)
	var wanted: String = _given.get("-gunit_test_name", "")
	var done: Dictionary = {}
	for method: Dictionary in script.get_script_method_list():
		var name: String = method["name"]
		if name.begins_with("test") and not done.has(name) and (wanted == "" or wanted in name):
			done[name] = await _run_test(script, name)
	_suites[path] = done


func _run_test(script: GDScript, name: String) -> Dictionary:
	print("* ", name)
	var test: GutTest = script.new()
	root.add_child(test)
	var began: int = Time.get_ticks_usec()
	if test.has_method("before_each"):
		await test.call("before_each")
	await test.call(name)
	for line: String in test.log_lines:
		print(line)
	var status: String = "no asserts"
	if not test.fails.is_empty():
		status = "fail"
		_failing += 1
	elif not test.pendings.is_empty():
		status = "pending"
	elif test.passes > 0:
		status = "pass"
	var outcome: Dictionary = {
		"status": status, "fails": test.fails, "pendings": test.pendings, "asserts": test.passes + test.fails.size(),
		"time": (Time.get_ticks_usec() - began) / 1_000_000.0,
	}
	test.queue_free()
	return outcome


func _write(path: String) -> void:
	if path == "":
		return
	var text: String = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="GutTests" failures="%d" tests="9" >\n' % _failing
	for suite: String in _suites:
		var tests: Dictionary = _suites[suite]
		var name: String = suite.replace("res://", "")
		text += '  <testsuite name="%s" tests="%d" failures="0" skipped="0" time="0.01" >\n' % [name, tests.size()]
		for key: String in tests:
			var test: Dictionary = tests[key]
			text += '      <testcase name="%s" assertions="%d" status="%s" classname="%s" time="%s" >\n' % [
				key, test["asserts"], test["status"], name, test["time"],
			]
			if test["status"] == "fail":
				text += '      <failure message="failed">%s</failure>' % (test["fails"] as Array)[0]
			elif test["status"] == "pending":
				text += '      <skipped message="pending">%s</skipped>' % (test["pendings"] as Array)[0]
			text += "</testcase>\n"
		text += "  </testsuite>\n"
	FileAccess.open(path, FileAccess.WRITE).store_string(text + "</testsuites>")
