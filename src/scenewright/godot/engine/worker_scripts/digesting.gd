extends RefCounted
## What matters of a running game on one page, and a hash of its whole state, by which two runs are compared.

const Saying: GDScript = preload("saying.gd")
const Sighting: GDScript = preload("sighting.gd")
const Wording: GDScript = preload("wording.gd")
const MOST_NODES: int = 200
const MOST_STATES: int = 20
const MOST_TEXTS: int = 30
const MOST_VALUES: int = 12

static var _variables_of: Dictionary = {}

var _worker: SceneTree
var _scene: Node
var _nodes: Array = []
var _texts: Array = []
var _state: Dictionary = {}
var _left_out: int = 0
var _seen: PackedStringArray = []  ## What a player would notice.
var _kept: PackedStringArray = []  ## What only scripts know.


func _init(worker: SceneTree, scene: Node) -> void:
	_worker = worker
	_scene = scene


## All of it; without its texts where only its mark is asked for, as with each frame of a tape that is played again.
func digest(is_read: bool = true) -> Dictionary:
	if _scene == null:
		return {"scene": "", "hash": ""}
	for child: Node in _worker.root.get_children():
		if child != _scene:
			_collect(child)
	_collect(_scene)
	if is_read:
		_collect_texts()
	var found: Dictionary = {"scene": _scene.scene_file_path, "nodes": _nodes, "texts": _texts, "state": _state, "left_out": _left_out}
	if _worker.paused:
		found["paused"] = true
	for node: Node in [_scene] + _worker.root.get_children():
		if not found.has("own") and node.has_method("_play_state"):
			found["own"] = Saying.say(node.call("_play_state"), _scene)
			_kept.append(found["own"] as String)
	var seen: String = "\n".join(_seen)
	found["hash"] = (seen + "\n".join(_kept)).md5_text().left(12)
	found["mark"] = seen.md5_text().left(4)
	return found


func _collect(node: Node) -> void:
	var is_shown: bool = not node is CanvasItem or (node as CanvasItem).is_visible_in_tree()
	_seen.append("%s %s %s" % [_path(node), node.get_class(), is_shown])
	_collect_place(node, is_shown)
	if node is Control:
		_see_control(node as Control)
	_collect_state(node)
	for child: Node in node.get_children(Sighting.holds_parts(node)):
		_collect(child)


## Bodies, areas and what has a script are told by their place; of the rest only the hash knows.
func _collect_place(node: Node, is_shown: bool) -> void:
	if not (node is Node2D or node is Node3D):
		return
	_seen.append(var_to_str((node as Node2D).global_transform if node is Node2D else (node as Node3D).global_transform))
	var marks: Array = _movement(node)
	for sprite: Node in [node] + node.get_children():
		if sprite is AnimatedSprite2D or sprite is AnimatedSprite3D:
			marks.append("%s %d" % [sprite.get("animation"), sprite.get("frame")])
	_seen.append(str(marks))
	if not is_shown:
		marks.append("hidden")
	if node != _scene and (node is CollisionObject2D or node is CollisionObject3D or node.get_script() != null) and not _stands(node):
		if _nodes.size() < MOST_NODES:
			_nodes.append([_path(node), node.get_class(), _place(node), " ".join(PackedStringArray(marks))])
		else:
			_left_out += 1


## A digest by what it tells of: each node, text and state under its own key.
static func shot(found: Dictionary) -> Dictionary:
	var rows: Dictionary = {"scene": found["scene"]}
	for part: String in ["own", "paused"]:
		if found.has(part):
			rows[part] = found[part]
	for row: Array in found.get("nodes", []):
		rows["node " + (row[0] as String)] = row.slice(1)
	for row: Dictionary in found.get("texts", []):
		var said: Dictionary = row.duplicate()
		var _erased: bool = said.erase("node")
		var key: String = "text " + (row["node"] as String)
		var count: int = 1
		while rows.has(key if count == 1 else "%s #%d" % [key, count]):  # tabs and items of one node
			count += 1
		rows[key if count == 1 else "%s #%d" % [key, count]] = said
	for path: String in found.get("state", {}):
		rows["state " + path] = found["state"][path]
	return rows


static func _stands(node: Node) -> bool:
	return (node is StaticBody2D or node is StaticBody3D) and node.get_script() == null


func _movement(node: Node) -> Array:
	var moves: bool = node is CharacterBody2D or node is CharacterBody3D
	if not (moves or node is RigidBody2D or node is RigidBody3D):
		return []
	var velocity: Variant = node.get("velocity" if moves else "linear_velocity")
	_seen.append(var_to_str(velocity))
	var marks: Array = ["velocity " + _short(velocity)]
	if moves:
		marks.append_array(["floor"] if node.call("is_on_floor") else [])
		marks.append_array(["wall"] if node.call("is_on_wall") else [])
	return marks


func _see_control(control: Control) -> void:
	_seen.append(var_to_str(control.get_global_rect()))
	_seen.append(Wording.text_of(control))
	for part: Dictionary in Wording.parts_of(control):
		_seen.append(part["text"] as String)


## What is to be read on the screen, what to be pressed or written to, and where.
func _collect_texts() -> void:
	for read: Dictionary in Sighting.new(_worker, _scene).readable():
		if _texts.size() >= MOST_TEXTS:
			_left_out += 1
			continue
		var node: Node = read["node"]
		var row: Dictionary = {"node": _path(node), "text": (read["text"] as String).left(Wording.LONGEST), "rect": Sighting.numbers(read["rect"] as Rect2)}
		if row["text"] == "":
			row["type"] = node.get_class()
		for mark: String in ["placeholder", "disabled", "on", "focus"]:
			row.merge({mark: true} if read.get(mark, false) else {})
		_texts.append(row)


## The plain values that scripts keep: counters, names, flags.
func _collect_state(node: Node) -> void:
	var script: Script = node.get_script()
	if script == null or (script.resource_path == "" and script.source_code == ""):
		return
	var values: PackedStringArray = []
	for name: StringName in _variables(script):
		var value: Variant = node.get(name)
		if not _is_plain(value):
			continue
		_kept.append("%s=%s" % [name, var_to_str(value)])
		if values.size() < MOST_VALUES:
			var _more: bool = values.append("%s=%s" % [name, _short(value).left(Wording.LONGEST)])
	if not values.is_empty() and _state.size() < MOST_STATES:
		_state[_path(node)] = ", ".join(values)


## Looked up once for each script, as an object's own list of properties is long.
static func _variables(script: Script) -> Array:
	if not _variables_of.has(script):
		var names: Array = []
		for property: Dictionary in script.get_script_property_list():
			if int(property["usage"] as int) & PROPERTY_USAGE_SCRIPT_VARIABLE != 0:
				names.append(property["name"])
		_variables_of[script] = names
	return _variables_of[script]


static func _is_plain(value: Variant) -> bool:
	var type: int = typeof(value)
	return type in [TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_STRING_NAME] or type >= TYPE_VECTOR2 and type <= TYPE_VECTOR4I


func _place(node: Node) -> String:
	return _short((node as Node2D).global_position if node is Node2D else (node as Node3D).global_position)


## Numbers to two places, which a reader can take in; the hash has them whole.
static func _short(value: Variant) -> String:
	if value is float:
		return String.num(value as float, 2).trim_suffix(".0")
	if value is Vector2:
		return "%s,%s" % [_short((value as Vector2).x), _short((value as Vector2).y)]
	if value is Vector3:
		var place: Vector3 = value
		return "%s,%s,%s" % [_short(place.x), _short(place.y), _short(place.z)]
	return str(value)


func _path(node: Node) -> String:
	return str(_scene.get_path_to(node)) if node == _scene or _scene.is_ancestor_of(node) else str(node.get_path())
