@tool
extends EditorPlugin
## Bakes the light of one scene and ends the editor, in a copy of the project that is thrown away.
##
## Only the editor bakes, and only through its button; what it would tell the user goes into a file instead.

const JOB: String = "res://addons/scenewright_baker/job.json"
const RESULT: String = "res://addons/scenewright_baker/result.txt"
const SETTLE: int = 10
const PATIENCE: int = 600

var _job: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(JOB))


func _ready() -> void:
	_bake.call_deferred()


func _bake() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	await _frames(SETTLE)
	EditorInterface.open_scene_from_path(_job["scene"] as String)
	var scene: Node = null
	for _frame: int in PATIENCE:
		await get_tree().process_frame
		scene = EditorInterface.get_edited_scene_root()
		if scene != null:
			break
	await _frames(SETTLE)
	if scene == null:
		_end("failed: The editor could not open the scene.")
		return
	var lightmap: Node = scene.get_node(_job["node"] as String)
	EditorInterface.edit_node(lightmap)
	await _frames(SETTLE)
	var button: Button = _find(get_tree().root, _is_bake_button) as Button
	if button == null or button.disabled:
		_end("failed: " + (button.tooltip_text if button != null else "The editor has no button to bake with."))
		return
	button.pressed.emit()
	await _frames(1)
	# The first bake asks where to keep the light.
	var dialog: Window = _find(get_tree().root, _asks_for_file) as Window
	if dialog != null:
		dialog.hide()
		dialog.emit_signal("file_selected", _job["output"])
	await _frames(1)
	var warning: AcceptDialog = _find(get_tree().root, _warns) as AcceptDialog
	if warning != null:
		_end("failed: " + warning.dialog_text.replace("\n", " "))
		return
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	_end("done" if lightmap.get("light_data") != null else "failed: The editor baked nothing.")


func _end(result: String) -> void:
	# What is printed is lost where the editor crashes on its way out, as it may on software Vulkan.
	var file: FileAccess = FileAccess.open(RESULT, FileAccess.WRITE)
	file.store_string(result)
	file.close()
	get_tree().quit()


func _frames(count: int) -> void:
	for _frame: int in count:
		await get_tree().process_frame


func _find(node: Node, is_it: Callable) -> Node:
	if is_it.call(node):
		return node
	for child: Node in node.get_children(true):
		var found: Node = _find(child, is_it)
		if found != null:
			return found
	return null


func _is_bake_button(node: Node) -> bool:
	return node is Button and (node as Button).text == tr("Bake Lightmaps") and (node as Button).is_visible_in_tree()


func _asks_for_file(node: Node) -> bool:
	return node is Window and (node as Window).visible and "lmbake" in str(node.get("filters"))


func _warns(node: Node) -> bool:
	return node.get_class() == "AcceptDialog" and (node as AcceptDialog).visible \
		and not (node as AcceptDialog).dialog_text.is_empty()
