@tool
extends RefCounted
## Which nodes the edited scene may change, and who owns what: the rules of instanced scenes.

const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Scenes = preload("../editor/scenes.gd")


## Whether children may be put under this node and properties be set on it.
static func is_open(root: Node, node: Node) -> bool:
	if node == root or node.owner == root:
		return true
	var inner: Node = node.owner
	while inner != null and inner != root:
		if not root.is_editable_instance(inner):
			return false
		inner = inner.owner
	return inner == root


## How many nodes below this one the scene's dock does not show.
static func count_closed(root: Node, node: Node) -> int:
	var found: int = 0
	for child: Node in node.get_children():
		if not is_open(root, child):
			found += _count(child)
	return found


## Why the node may not be changed, or null.
static func refuse_change(scenes: Scenes, root: Node, node: Node, action: String) -> Reply:
	if is_open(root, node):
		return null
	var source: String = node.owner.scene_file_path if node.owner != null else "the editor"
	var how: String = "Open that scene and change it there, or make its children editable: edit_node with editableChildren"
	return Replies.refused(action, "%s belongs to %s" % [scenes.path_of(node), source], how)


## Why the node may not be removed, renamed or moved, or null.
static func refuse_structure(scenes: Scenes, root: Node, node: Node, action: String) -> Reply:
	if node == root and action != "rename_node":
		return Replies.refused(action, "%s is the root of the scene" % scenes.path_of(node), "Name another node")
	if node != root and node.owner != root:
		var source: String = node.owner.scene_file_path if node.owner != null else "the editor"
		var reason: String = "%s belongs to %s" % [scenes.path_of(node), source]
		return Replies.refused(action, reason, "Open that scene and change it there")
	return null


## The node and all below it that this scene owns. They lose their owner when they leave the tree.
static func owned(root: Node, node: Node) -> Array[Node]:
	var found: Array[Node] = []
	var queue: Array[Node] = [node]
	while not queue.is_empty():
		var next: Node = queue.pop_back()
		if next.owner == root:
			found.append(next)
		queue.append_array(next.get_children())
	return found


static func _count(node: Node) -> int:
	var found: int = 0
	var queue: Array[Node] = [node]
	while not queue.is_empty():
		var next: Node = queue.pop_back()
		queue.append_array(next.get_children())
		found += 1
	return found


## A name that no child of this parent has yet.
static func free_name(parent: Node, wanted: String, but: Node = null) -> String:
	var holder: Node = parent.get_node_or_null(wanted)
	if holder == null or holder == but:
		return wanted
	var base: String = wanted.rstrip("0123456789")
	var number: int = maxi(wanted.substr(base.length()).to_int(), 1)
	while parent.has_node(base + str(number + 1)):
		number += 1
	return base + str(number + 1)


## Why this cannot be a node's name, or null.
static func refuse_name(title: String) -> Reply:
	if title == "" or title.validate_node_name() != title:
		return Replies.invalid("name", 'a name without . : @ / " %% such as "%s"' % title.validate_node_name())
	return null
