@tool
extends RefCounted
## Gives the open scene another root, by what the editor itself calls for "Make Scene Root" and "Change Type".

const Changes = preload("../edit/changes.gd")

const _METHOD: StringName = &"set_edited_scene"


static func can_exchange() -> bool:
	return _editor() != null


## The new one comes without a parent, as the old one is then; both stay alive while the history knows them.
static func exchange(old: Node, new: Node, changes: Changes) -> void:
	changes.apply(_editor(), _METHOD, [new], _METHOD, [old])


## The editor's own node, above all that it shows.
static func _editor() -> Node:
	var node: Node = EditorInterface.get_base_control()
	while node != null and not node.has_method(_METHOD):
		node = node.get_parent()
	return node
