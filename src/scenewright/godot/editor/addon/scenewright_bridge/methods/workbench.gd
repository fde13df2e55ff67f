@tool
extends RefCounted
## What the person at the editor sees: its screens, scripts and panels; and looking into any object.

const Objects = preload("../editor/objects.gd")
const Panels = preload("../editor/panels.gd")
const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")
const Scripts = preload("../editor/scripts.gd")
const Turns = preload("../rpc/turns.gd")

var _scenes: Scenes
var _turns: Turns
var _panels: Panels


func _init(scenes: Scenes, turns: Turns) -> void:
	_scenes = scenes
	_turns = turns
	_panels = Panels.new(turns)


func methods() -> Dictionary:
	return {
		"scenewright.set_screen": set_screen,
		"scenewright.edit_script": edit_script,
		"scenewright.get_open_scripts": get_open_scripts,
		"scenewright.script_text": script_text,
		"scenewright.set_breakpoint": set_breakpoint,
		"scenewright.find_panels": find_panels,
		"scenewright.read_panel": read_panel,
		"scenewright.inspect": inspect,
	}


func set_screen(params: Params) -> Reply:
	var screen: String = params.required_text("screen", "2D, 3D, Script, Game or AssetLib")
	if params.problem != null:
		return params.problem
	var known: Array = _screens()
	for title: String in known:
		if title.to_lower() == screen.to_lower():
			EditorInterface.set_main_screen_editor(title)
			await _turns.settled()
			return Replies.ok({"screen": title})
	var reply: Reply = Replies.invalid("screen", "one of " + ", ".join(PackedStringArray(known)), screen)
	reply.data["screens"] = known
	return reply


func edit_script(params: Params) -> Reply:
	var line: int = params.integer("line", 0, 0, 10_000_000)
	var column: int = params.integer("column", 0, 0, 100_000)
	var script: Script = _script(params)
	if script == null:
		return params.problem
	EditorInterface.edit_script(script, line if line > 0 else -1, column)
	EditorInterface.set_main_screen_editor("Script")
	await _turns.settled()
	Scripts.place_caret(script.resource_path, line, column)
	return Replies.ok({"path": script.resource_path, "line": line, "scripts": Scripts.listed()})


func get_open_scripts(_params: Params) -> Reply:
	return Replies.ok({"scripts": Scripts.listed()})


## A script, shader or other text as the editor has it, saved or not.
func script_text(params: Params) -> Reply:
	var path: String = params.required_text("path", "the path of an open script or text file")
	if params.problem != null:
		return params.problem
	var field: CodeEdit = Scripts.field_of(path)
	if field == null:
		return Replies.bad_path(path, "the editor has no such file open", "Read the file itself")
	return Replies.ok({"path": path, "text": field.text, "unsaved": Scripts.is_unsaved(field)})


## A breakpoint of the script editor, which every game that is run from this editor gets.
func set_breakpoint(params: Params) -> Reply:
	var line: int = params.integer("line", 0, 1, 10_000_000)
	var on: bool = params.flag("enabled", true)
	if params.problem == null and not params.has("line"):
		return Replies.missing("line", "a line, from 1")
	var script: Script = _script(params)
	if script == null:
		return params.problem
	if Scripts.field_of(script.resource_path) == null:
		EditorInterface.edit_script(script, -1, 0, false)
		await _turns.settled()
	var field: CodeEdit = Scripts.field_of(script.resource_path)
	if field == null:
		return Replies.broken("the script editor did not open %s" % script.resource_path, "See the Output panel")
	if line > field.get_line_count():
		return Replies.invalid("line", "a line from 1 to %d" % field.get_line_count(), line)
	field.set_line_as_breakpoint(line - 1, on)
	var lines: Array = Array(field.get_breakpointed_lines()).map(func(at: int) -> int: return at + 1)
	return Replies.ok({"path": script.resource_path, "line": line, "enabled": on, "breakpoints": lines})


func find_panels(params: Params) -> Reply:
	var words: String = params.required_text("query", "part of a panel's name, class or title")
	var most: int = params.integer("limit", 20, 1, 1000)
	var hidden: bool = params.flag("hidden", false)
	if params.problem != null:
		return params.problem
	var found: Array[Dictionary] = await _panels.find(words, most, hidden)
	return Replies.ok({"panels": found})


func read_panel(params: Params) -> Reply:
	var path: String = params.required_text("path", "the path, name or class of a panel")
	var most: int = params.integer("max_bytes", 65_536, 1, 1 << 24)
	if params.problem != null:
		return params.problem
	var panel: Control = _panels.at(path)
	if panel == null:
		return Replies.bad_path(path, "there is no such panel", "Find its path with scenewright.find_panels")
	var type: String = panel.get_class()
	var text: String = "\n".join(await _panels.text_of(panel))
	return Replies.ok({"path": path, "type": type, "text": text.left(most), "truncated": text.length() > most})


## A class or an object: what it inherits, its properties, methods and signals.
func inspect(params: Params) -> Reply:
	var title: String = params.text("class_name", "")
	var path: String = params.text("node_path", "")
	var id: int = params.text("instance_id", "").to_int()
	if params.problem != null:
		return params.problem
	if int(title != "") + int(path != "") + int(id != 0) != 1:
		return Replies.invalid("node_path", "exactly one of class_name, node_path and instance_id")
	if title != "":
		return Replies.ok(Objects.of_class(title)) if ClassDB.class_exists(title) else Replies.no_class(title, [])
	if path != "":
		var node: Node = _scenes.find(path)
		return Replies.ok(_known(node)) if node != null else _scenes.problem
	var root: Node = _scenes.root()
	var held: Object = instance_from_id(id) if is_instance_id_valid(id) else null
	if root == null or not (held is Resource or held is Node and (held == root or root.is_ancestor_of(held as Node))):
		var suggestion: String = "Use the instance_id that inspecting a node of the edited scene shows"
		return Replies.error(Replies.NODE_NOT_FOUND, "No object of the edited scene: %d" % id, {"suggestion": suggestion})
	return Replies.ok(_known(held))


func _known(object: Object) -> Dictionary:
	var found: Dictionary = Objects.of(object)
	if object is Node:
		found["node_path"] = _scenes.path_of(object as Node)
	return found


func _script(params: Params) -> Script:
	var path: String = params.required_text("path", "the path of a script")
	if params.problem != null:
		return null
	var script: Script = load(path) as Script if Scenes.is_file(path, "Script") else null
	if script == null:
		params.problem = Replies.bad_path(path, "there is no such script", "Use the res:// path of a script")
	return script


## The names on the buttons that switch the main screen.
static func _screens() -> Array:
	var found: Array = []
	for holder: Node in EditorInterface.get_base_control().find_children("EditorMainScreenButtons", "", true, false):
		for button: Node in holder.get_children():
			if button is Button:
				found.append(str(button.name))
	return found if not found.is_empty() else ["2D", "3D", "Script", "AssetLib"]
