@tool
extends RefCounted
## The shader editor: which files it has open as text. The engine offers no way to ask it, so its pages are looked at.

const _PAGE: String = "TextShaderEditor"

## The id of the container of its pages, which stays the same from the first page on.
static var _pages: int = 0


## To be called when the addon starts: the editor has thousands of nodes, which nobody wants to search in every call.
static func watch() -> void:
	var tree: SceneTree = Engine.get_main_loop()
	for page: Node in EditorInterface.get_base_control().find_children("*", _PAGE, true, false):
		_note(page)
	var _error: int = tree.node_added.connect(_note)


static func unwatch() -> void:
	var tree: SceneTree = Engine.get_main_loop()
	tree.node_added.disconnect(_note)


## The text fields by the paths of their files; shaders inside a scene have the scene's with their id.
static func fields() -> Dictionary:
	var found: Dictionary = {}
	var pages: TabContainer = instance_from_id(_pages) as TabContainer if is_instance_id_valid(_pages) else null
	var list: ItemList = _list_beside(pages) if pages != null else null
	if list == null or list.item_count != pages.get_tab_count():
		return found
	for at: int in list.item_count:
		var page: Control = pages.get_tab_control(at)
		if page.is_class(_PAGE):
			found[list.get_item_tooltip(at)] = page.find_children("*", "CodeEdit", true, false)[0]
	return found


static func _note(node: Node) -> void:
	if node is Control and node.is_class(_PAGE) and node.get_parent() is TabContainer:
		_pages = node.get_parent().get_instance_id()


## Its list of files, which stands in the order of the pages.
static func _list_beside(pages: TabContainer) -> ItemList:
	for beside: Node in pages.get_parent().get_children():
		if beside is ItemList:
			return beside
		for list: Node in beside.find_children("*", "ItemList", true, false) if beside != pages else []:
			return list
	return null
