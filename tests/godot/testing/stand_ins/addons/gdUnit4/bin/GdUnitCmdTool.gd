extends SceneTree
## Stands in for GdUnit4's command line: its options, what it prints, its report and its exit codes.

var _added: Array[String] = []
var _ignored: Array[String] = []
var _reports: String = "res://reports"
var _stops_early: bool = true
var _allows_headless: bool = false
var _failed: int = 0
var _xml: String = ""


func _initialize() -> void:
	print("\n----\nGdUnit4 Comandline Tool\n----")
	var problem: String = _parse()
	if problem != "":
		_end("\u001b[31m%s\u001b[0m" % problem, 100)
	elif not _allows_headless and DisplayServer.get_name() == "headless":
		_end("Headless mode is not supported!", 103)
	else:
		_run.call_deferred()


func _parse() -> String:
	var arguments: Array = Array(OS.get_cmdline_args())
	var left: Array = arguments.slice(arguments.find("-s") + 2)
	while not left.is_empty():
		var option: String = left.pop_front()
		match option:
			"-a", "--add":
				_added.append(left.pop_front())
			"-i", "--ignore":
				_ignored.append(left.pop_front())
			"-rd", "--report-directory":
				_reports = left.pop_front()
			"-rc", "--report-count":
				left.pop_front()
			"-c", "--continue":
				_stops_early = false
			"--ignoreHeadlessMode":
				_allows_headless = true
			_:
				return "Unknown '%s' command!" % option
	return ""


func _end(message: String, code: int) -> void:
	print(message, "\nExit code: ", code)
	quit(code)


func _run() -> void:
	var suites: int = 0
	for path: String in _added:
		await _run_suite(path, suites)
		suites += 1
		if _failed > 0 and _stops_early:
			break
	var folder: String = ProjectSettings.globalize_path(_qualified(_reports)).path_join("report_1")
	var _made: Error = DirAccess.make_dir_recursive_absolute(folder)
	var head: String = '<?xml version="1.0" encoding="UTF-8" ?>\n'
	FileAccess.open(folder.path_join("results.xml"), FileAccess.WRITE).store_string(
		head + '<testsuites id="2026-01-01" name="report_1" tests="9" failures="%d" time="0.010">\n%s</testsuites>\n' % [_failed, _xml]
	)
	_end("Open Report at: file://%s/index.html" % folder, 100 if _failed > 0 else 0)


static func _qualified(path: String) -> String:
	return "res:/" + path if path.begins_with("/") else path


func _run_suite(path: String, number: int) -> void:
	var script: GDScript = load(path)
	if script == null or not script.can_instantiate():
		return
	var suite: String = path.get_file().get_basename()
	printraw("\u001b[38;2;0;206;209mRun Test Suite: \u001b[0m", path, "\n")
	var cases: String = ""
	for method: Dictionary in script.get_script_method_list():
		var name: String = method["name"]
		if name.begins_with("test_") and not "%s:%s" % [suite, name] in _ignored:
			cases += await _run_test(script, path, suite, name)
	var folder: String = path.get_base_dir().replace("res://", "")
	_xml += '<testsuite id="%d" name="%s" package="%s" timestamp="2026-01-01T00:00:00" hostname="localhost" tests="1" failures="0" errors="0" skipped="0" time="0.010">\n%s</testsuite>\n' % [
		number, suite, folder, cases,
	]


func _run_test(script: GDScript, path: String, suite: String, name: String) -> String:
	printraw("  \u001b[38;2;1;2;3m", path, "\u001b[0m", " > ", name, "\u001b[20G", " STARTED", "\n")
	var test: GdUnitTestSuite = script.new()
	root.add_child(test)
	if test.has_method("before_test"):
		await test.call("before_test")
	await test.call(name)
	var text: String = '<testcase name="%s" classname="%s" time="0.003">\n' % [name.xml_escape(true), suite]
	for report: Dictionary in test.reports:
		text += '<failure message="FAILED: %s:%d" type="FAILURE">\n<![CDATA[\n%s\n]]>\n</failure>\n' % [path, report["line"], report["message"]]
	printraw("  ", path, " > ", name, " ", "PASSED" if test.reports.is_empty() else "FAILED", " 3ms\n")
	_failed += 0 if test.reports.is_empty() else 1
	test.queue_free()
	return text + "</testcase>\n"
