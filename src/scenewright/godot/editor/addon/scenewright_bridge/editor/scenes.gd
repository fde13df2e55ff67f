@tool
extends RefCounted
## The edited scene by the protocol's paths: `/root/Main/Player` is the node Player of the scene
## whose root is Main, wherever the editor keeps it in its own tree.

const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")

const _LOOKED_AT: int = 3000
const _SHOWN: int = 5

## Why `find` or `root` came back with nothing.
var problem: Reply = null


func root() -> Node:
	var found: Node = EditorInterface.get_edited_scene_root()
	problem = Replies.no_scene() if found == null else null
	return found


## The root of the scene that a call means: the current one, or the open one named by `scene`,
## which is brought to the front.
func choose(params: Params) -> Node:
	var wanted: String = params.text("scene", "")
	if params.problem != null:
		problem = params.problem
		return null
	if wanted.begins_with("uid://") and ResourceUID.has_id(ResourceUID.text_to_id(wanted)):
		wanted = ResourceUID.get_id_path(ResourceUID.text_to_id(wanted))
	if wanted != "" and wanted != scene_path():
		if not wanted in EditorInterface.get_open_scenes():
			problem = Replies.bad_path(wanted, "the scene is not open", "Open it with scenewright.open_scene")
			return null
		EditorInterface.open_scene_from_path(wanted)
	return root()


## The root of the open scene named by `scene` that is not in front, left where it is; null where
## there is none, and in older engines, which do not show it.
func behind(params: Params) -> Node:
	var wanted: String = params.text("scene", "")
	if wanted in ["", scene_path()] or not EditorInterface.has_method(&"get_open_scene_roots"):
		return null
	for found: Node in EditorInterface.call(&"get_open_scene_roots"):
		if found.scene_file_path == wanted:
			return found
	return null


func scene_path() -> String:
	var found: Node = EditorInterface.get_edited_scene_root()
	return "" if found == null else found.scene_file_path


## Whether a path stays in the project. The engine itself takes res://../ for the folder above.
static func is_inside(path: String) -> bool:
	if path.begins_with("uid://"):
		var id: int = ResourceUID.text_to_id(path)
		return not ResourceUID.has_id(id) or is_inside(ResourceUID.get_id_path(id))
	return path.begins_with("res://") and not ".." in path.replace("\\", "/").split("/")


## Whether there is a file that can be loaded as this type. The loader itself does not look at the
## type while it is asked whether something exists.
static func is_file(path: String, type: String) -> bool:
	if not is_inside(path) or not ResourceLoader.exists(path):
		return false
	return path.begins_with("uid://") or path.get_extension() in ResourceLoader.get_recognized_extensions_for_type(type)


func path_of(node: Node) -> String:
	var top: Node = EditorInterface.get_edited_scene_root()
	if top == null or node == top or not top.is_ancestor_of(node):
		return "/root/%s" % node.name
	return "/root/%s/%s" % [top.name, top.get_path_to(node)]


## The node at a path, which may be `/root/Main/Player`, `Main/Player`, `Player`, `.` or `%Unique`.
func find(path: String) -> Node:
	var top: Node = root()
	if top == null:
		return null
	problem = _malformed(path)
	if problem != null:
		return null
	var found: Node = _look(top, path.trim_suffix("/"))
	if found == null or not (found == top or top.is_ancestor_of(found)):
		problem = Replies.no_node(path, similar(path))
		return null
	return found


## Paths of the edited scene that a mistaken one could have meant, the likeliest first.
func similar(path: String) -> Array:
	var top: Node = EditorInterface.get_edited_scene_root()
	var wanted: String = path.get_file().to_lower()
	var scored: Array = []
	var queue: Array[Node] = [top]
	var at: int = 0
	while at < queue.size() and at < _LOOKED_AT:
		var node: Node = queue[at]
		at += 1
		queue.append_array(node.get_children())
		var candidate: String = path_of(node)
		var score: float = str(node.name).to_lower().similarity(wanted) + candidate.similarity(path) * 0.5
		scored.append([score, candidate])
	scored.sort_custom(func(a: Array, b: Array) -> bool: return a[0] > b[0])
	return scored.slice(0, _SHOWN).map(func(entry: Array) -> String: return str(entry[1]))


func _look(top: Node, path: String) -> Node:
	var own: String = "/root/%s" % top.name
	if path in ["", ".", "/root", own, str(top.name)] and not (path == str(top.name) and top.has_node(path)):
		return top
	if path.begins_with(own + "/"):
		return top.get_node_or_null(path.substr(own.length() + 1))
	if path.begins_with("/"):
		return top.get_node_or_null(path)
	var found: Node = top.get_node_or_null(path)
	if found == null and path.begins_with(str(top.name) + "/"):
		found = top.get_node_or_null(path.substr(str(top.name).length() + 1))
	return found


static func _malformed(path: String) -> Reply:
	var suggestion: String = "Use a path such as /root/Main/Player, or one relative to the scene's root"
	if path.contains("://"):
		return Replies.bad_path(path, "a file is not a node", suggestion)
	if path.contains(":") or path.contains("//") or path.contains('"') or path.contains("@"):
		return Replies.bad_path(path, "not a node path", suggestion)
	return null
