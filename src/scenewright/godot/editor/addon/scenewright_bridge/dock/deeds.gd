@tool
extends VBoxContainer
## What clients did in this editor, in plain words, with the time and a way back.

signal undone

const History = preload("../editor/history.gd")

const _KEPT: int = 12
const _WORDS: Dictionary = {
	"capture_viewport": "Took a picture of the editor",
	"capture_game": "Took a picture of the game",
	"scenewright.ask_game": "Asked the running game",
	"scenewright.open_scene": "Opened a scene",
	"scenewright.reload_scene": "Loaded a scene anew",
	"scenewright.save_all": "Saved all scenes",
	"scenewright.save_scene": "Saved the scene",
}

## The methods that edit scenes.
var edits: Array = []

var _heading: Label = Label.new()
var _rows: VBoxContainer = VBoxContainer.new()
var _deeds: Array[Dictionary] = []
var _looks: int = 0
var _scene: String = ""
var _version: int = 0
var _plays: bool = false


func _init() -> void:
	add_child(_heading)
	add_child(_rows)


## Begins to follow the scene in front: what happened to it before was no client's deed.
func follow() -> void:
	_remember(EditorInterface.get_edited_scene_root())


func note(client: String, method: String, code: int) -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	var version: int = History.version_of(root) if root != null else 0
	var plays: bool = EditorInterface.is_playing_scene()
	var words: String = str(_WORDS.get(method, ""))
	var step: int = 0
	if code != 0:
		words = "%s was refused (%d)" % [method.trim_prefix("scenewright."), code]
	elif plays != _plays:
		words = "Started the game" if plays else "Stopped the game"
	elif root != null and version != _version and method in edits:
		words = _name_step(root, version < _version and root.scene_file_path == _scene)
		step = version
	_remember(root)
	_plays = plays
	if words == "":
		_looks += 1
	else:
		_add({"words": words, "scene": _scene, "client": client, "version": step, "failed": code != 0})


func show_rows() -> void:
	_heading.text = "Nothing was done yet" if _deeds.is_empty() else "Last deeds"
	if _looks > 0:
		_heading.text += " · 1 look" if _looks == 1 else " · %d looks" % _looks
	_heading.tooltip_text = "Calls that read and changed nothing are counted as looks."
	_heading.mouse_filter = Control.MOUSE_FILTER_PASS
	for row: Node in _rows.get_children():
		_rows.remove_child(row)
		row.queue_free()
	var root: Node = EditorInterface.get_edited_scene_root()
	for index: int in range(_deeds.size() - 1, -1, -1):
		_rows.add_child(_row(_deeds[index], root))


func _remember(root: Node) -> void:
	_scene = root.scene_file_path if root != null else ""
	_version = History.version_of(root) if root != null else 0


static func _name_step(root: Node, back: bool) -> String:
	var title: String = History.next_title(root, back)
	return "Took back: %s" % title if back else title


func _add(deed: Dictionary) -> void:
	deed["at"] = Time.get_time_string_from_system().left(5)
	_deeds = _deeds.slice(-(_KEPT - 1))
	_deeds.append(deed)


func _row(deed: Dictionary, root: Node) -> HBoxContainer:
	var row: HBoxContainer = HBoxContainer.new()
	var words: Label = Label.new()
	var scene: String = str(deed["scene"])
	words.text = "%s  %s" % [deed["at"], deed["words"]]
	words.tooltip_text = "\n".join([str(deed["words"]), scene, str(deed["client"])])
	words.mouse_filter = Control.MOUSE_FILTER_PASS
	words.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	words.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	if deed["failed"]:
		words.add_theme_color_override("font_color", get_theme_color("error_color", "Editor"))
	row.add_child(words)
	var version: int = deed["version"]
	if version != 0 and root != null and scene == root.scene_file_path and version == History.version_of(root):
		var back: Button = Button.new()
		back.text = "Undo"
		back.tooltip_text = "Take back: %s" % deed["words"]
		var _wired: int = back.pressed.connect(_undo.bind(version))
		row.add_child(back)
	return row


## The step may have been taken back since the button was drawn.
func _undo(version: int) -> void:
	var root: Node = EditorInterface.get_edited_scene_root()
	if root != null and History.version_of(root) == version:
		var title: String = History.undo(root)
		if title != "":
			var words: String = "You took back: %s" % title
			_add({"words": words, "scene": _scene, "client": "", "version": 0, "failed": false})
			follow()
	undone.emit()
