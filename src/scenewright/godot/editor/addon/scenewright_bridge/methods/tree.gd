@tool
extends RefCounted
## The scene tree: nested as the protocol has it, or in pages. Written over several frames if big.

const Inspection = preload("inspection.gd")
const Ownership = preload("../edit/ownership.gd")
const Params = preload("../rpc/params.gd")
const Properties = preload("../editor/properties.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Revisions = preload("../editor/revisions.gd")
const Scenes = preload("../editor/scenes.gd")
const Setting = preload("../edit/setting.gd")
const Turns = preload("../rpc/turns.gd")

const _MOST_NODES: int = 20_000
const _PAGE: int = 1000

var _scenes: Scenes
var _revisions: Revisions
var _turns: Turns


func _init(scenes: Scenes, revisions: Revisions, turns: Turns) -> void:
	_scenes = scenes
	_revisions = revisions
	_turns = turns


func methods() -> Dictionary:
	return {"get_scene_tree": get_scene_tree, "scenewright.get_tree": get_tree}


func get_scene_tree(params: Params) -> Reply:
	var path: String = params.text("root_path", "/root")
	var depth: int = params.integer("max_depth", -1, -1, 100_000)
	var with_properties: bool = params.flag("include_properties", false)
	var expand: bool = params.flag("expand", true)
	var most: int = params.integer("max_nodes", _MOST_NODES, 1, 10_000_000)
	var twice: bool = params.flag("aliases", true)
	if params.problem != null:
		return params.problem
	var top: Node = _scenes.find(path)
	if top == null:
		return _scenes.problem
	var head: Dictionary = {"scene_path": _scenes.scene_path(), "revision": _revisions.of(_scenes.root())}
	var parts: PackedStringArray = PackedStringArray()
	var root: Node = _hiding(top, expand)
	var left: int = await _write(parts, top, depth, with_properties, most, root)
	head["truncated"] = left < 0
	await _turns.with_time()
	var tree: String = "".join(parts)
	# Godoty's own client reads `root` where its document says `tree`.
	var named: String = '"tree":%s,"root":%s' % [tree, tree] if twice else '"tree":%s' % tree
	return Replies.written('{"success":true,%s,%s' % [named, JSON.stringify(head, "", false).substr(1)])


func get_tree(params: Params) -> Reply:
	var path: String = params.text("root_path", "/root")
	var depth: int = params.integer("max_depth", -1, -1, 100_000)
	var limit: int = params.integer("limit", _PAGE, 1, 100_000)
	var cursor: String = params.text("cursor", "")
	var since: int = params.integer("since", -1, -1, 1 << 52)
	var expand: bool = params.flag("expand", false)
	if params.problem != null:
		return params.problem
	var root: Node = _scenes.choose(params)
	var top: Node = _scenes.find(path) if root != null else null
	var next: Node = _scenes.find(cursor) if top != null and cursor != "" else top
	if next == null:
		return _scenes.problem
	var revision: int = _revisions.of(root)
	if since == revision:
		return Replies.ok({"unchanged": true, "revision": revision})
	var rows: PackedStringArray = PackedStringArray()
	var hiding: Node = _hiding(top, expand)
	while next != null and rows.size() < limit:
		var level: int = _level(top, next)
		var _added: bool = rows.append(JSON.stringify(_row(next, level, hiding), "", false))
		next = _after(top, next, depth < 0 or level < depth, hiding)
		if _turns.is_over():
			var id: int = next.get_instance_id() if next != null else 0
			await _turns.next
			if id != 0 and not is_instance_id_valid(id):
				return _gone()
	var head: Dictionary = {"scene_path": root.scene_file_path, "revision": revision, "next_cursor": null}
	if next != null:
		head["next_cursor"] = _scenes.path_of(next)
	await _turns.with_time()
	return Replies.written('{"success":true,"nodes":[%s],%s' % [",".join(rows), JSON.stringify(head, "", false).substr(1)])


## The root of the scene whose dock decides what is shown, or null to show all: who names a node
## inside an instance wants to see it.
func _hiding(top: Node, expand: bool) -> Node:
	var root: Node = _scenes.root()
	return null if expand or not Ownership.is_open(root, top) else root


## One node and all below it. Returns how many more may be written, or -1 if some were left out.
func _write(
	parts: PackedStringArray, top: Node, depth: int, with_properties: bool, most: int, hiding: Node
) -> int:
	var left: int = most
	var open: Array[Array] = [[top.get_instance_id(), 0]]
	while not open.is_empty():
		if _turns.is_over():
			await _turns.next
		var entry: Array = open.back()
		var id: int = entry[0]
		var at: int = entry[1]
		var node: Node = instance_from_id(id) if is_instance_id_valid(id) else null
		if at == 0:
			var row: Dictionary = {} if node == null else Inspection.summary(_scenes, node, with_properties)
			_count_hidden(row, node, hiding)
			var _added: bool = parts.append(JSON.stringify(row, "", false, true).trim_suffix("}") + ',"children":[')
			left -= 1
		var deep: bool = depth < 0 or open.size() <= depth
		var child: Node = _child_from(node, at, hiding) if node != null and deep else null
		if child != null:
			if left <= 0:
				left = -1
			else:
				entry[1] = child.get_index() + 1
				if at > 0:
					var _comma: bool = parts.append(",")
				open.append([child.get_instance_id(), 0])
				continue
		var _closed: bool = parts.append("]}")
		var _last: Variant = open.pop_back()
	return left


func _row(node: Node, level: int, hiding: Node) -> Dictionary:
	var row: Dictionary = {
		"path": _scenes.path_of(node),
		"name": str(node.name),
		"type": node.get_class(),
		"depth": level,
		"child_count": node.get_child_count(),
	}
	_count_hidden(row, node, hiding)
	if Properties.script_of(node) != "":
		row["script"] = Properties.script_of(node)
	if node.scene_file_path != "" and level > 0:
		row["instance"] = node.scene_file_path
	if node.unique_name_in_owner:
		row["unique"] = true
	var groups: Array = Setting.groups_of(node)
	if not groups.is_empty():
		row["groups"] = groups
	return row


static func _level(top: Node, node: Node) -> int:
	return 0 if node == top else top.get_path_to(node).get_name_count()


## The node after this one in the order of the scene.
static func _after(top: Node, node: Node, deeper: bool, hiding: Node) -> Node:
	var found: Node = _child_from(node, 0, hiding) if deeper else null
	var next: Node = node
	while found == null and next != top:
		found = _child_from(next.get_parent(), next.get_index() + 1, hiding)
		next = next.get_parent()
	return found


## The first child at this index or behind it that is shown.
static func _child_from(parent: Node, index: int, hiding: Node) -> Node:
	for at: int in range(index, parent.get_child_count()):
		if hiding == null or Ownership.is_open(hiding, parent.get_child(at)):
			return parent.get_child(at)
	return null


static func _count_hidden(row: Dictionary, node: Node, hiding: Node) -> void:
	var hidden: int = Ownership.count_closed(hiding, node) if hiding != null and node != null else 0
	if hidden > 0:
		row["hidden_nodes"] = hidden


static func _gone() -> Reply:
	var suggestion: String = "Ask again from the start: the scene changed meanwhile"
	return Replies.error(Replies.NODE_NOT_FOUND, "The scene changed while it was read", {"suggestion": suggestion})
