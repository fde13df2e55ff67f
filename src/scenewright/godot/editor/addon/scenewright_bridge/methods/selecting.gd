@tool
extends RefCounted
## The actions that select nodes and look at them.

const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")
const Turns = preload("../rpc/turns.gd")

## How long the view may take to reach a node, in milliseconds: its camera glides there.
const _GLIDE: int = 2000

var _scenes: Scenes
var _turns: Turns


func _init(scenes: Scenes, turns: Turns) -> void:
	_scenes = scenes
	_turns = turns


func select_node(params: Params) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var additive: bool = params.flag("additive", false)
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var selected: Array[Node] = _select([node], additive)
	if selected.size() == 1:
		EditorInterface.edit_node(node)
	return Replies.ok({"node_path": _scenes.path_of(node), "selected_nodes": selected.map(_scenes.path_of)})


func select_nodes(params: Params) -> Reply:
	var paths: PackedStringArray = params.texts("node_paths")
	var additive: bool = params.flag("additive", false)
	if params.problem == null and not params.has("node_paths"):
		return Replies.missing("node_paths", "a list of node paths")
	var nodes: Array[Node] = []
	for path: String in paths:
		var node: Node = _scenes.find(path)
		if node == null:
			return _scenes.problem
		nodes.append(node)
	if params.problem != null:
		return params.problem
	var selected: Array[Node] = _select(nodes, additive)
	return Replies.ok({"selected_nodes": selected.map(_scenes.path_of), "selection_count": selected.size()})


## Looks at a node: on its screen, selected, in the middle of the view.
func focus_node(params: Params) -> Reply:
	var path: String = params.required_text("node_path", "the path of a node")
	var node: Node = _scenes.find(path) if params.problem == null else null
	if node == null:
		return params.problem if params.problem != null else _scenes.problem
	var _selected: Array[Node] = _select([node], false)
	EditorInterface.edit_node(node)
	var screen: String = "3D" if node is Node3D else "2D"
	if not (node is Node3D or node is CanvasItem):
		return Replies.ok({"node_path": _scenes.path_of(node), "focused": false, "message": "Selected: it has no position"})
	EditorInterface.set_main_screen_editor(screen)
	var focused: String = _scenes.path_of(node)
	_press_focus(screen)
	if screen == "3D":
		await _arrived()
	return Replies.ok({"node_path": focused, "focused": true, "screen": screen})


## Selects these, beside what is selected already or instead of it; all that is selected then.
static func _select(nodes: Array[Node], additive: bool) -> Array[Node]:
	var selection: EditorSelection = EditorInterface.get_selection()
	var selected: Array[Node] = []
	if additive:
		selected.assign(selection.get_selected_nodes())
	for node: Node in nodes:
		if not selected.has(node):
			selected.append(node)
	selection.clear()
	for node: Node in selected:
		selection.add_node(node)
	return selected


## The view's own shortcut: the editor offers no other way to move its camera to the selection.
static func _press_focus(screen: String) -> void:
	var kind: String = "Node3DEditorViewport" if screen == "3D" else "CanvasItemEditor"
	for view: Node in EditorInterface.get_editor_main_screen().find_children("*", kind, true, false):
		for menu: Node in view.find_children("*", "PopupMenu", true, false):
			var popup: PopupMenu = menu as PopupMenu
			if _press_key(popup, KEY_F):
				return


## Waits until the camera of the 3D view stands still, so that the next picture shows what was focused.
func _arrived() -> void:
	var camera: Camera3D = EditorInterface.get_editor_viewport_3d(0).get_camera_3d()
	var until: int = Time.get_ticks_msec() + _GLIDE
	var left: Transform3D = camera.global_transform
	await _turns.settled()
	while is_instance_valid(camera) and Time.get_ticks_msec() < until:
		var reached: Transform3D = camera.global_transform
		if reached.is_equal_approx(left):
			return
		left = reached
		await _turns.settled()


static func _press_key(popup: PopupMenu, key: Key) -> bool:
	var event: InputEventKey = InputEventKey.new()
	event.keycode = key
	event.pressed = true
	for index: int in popup.item_count:
		var shortcut: Shortcut = popup.get_item_shortcut(index)
		if shortcut != null and shortcut.matches_event(event):
			popup.id_pressed.emit(popup.get_item_id(index))
			return true
	return false
