extends RefCounted
## Where things are in a running game: near a node, on the screen, and where a click has to go.
##
## Places on the screen are those of the window, as pictures show it and as the mouse goes to them: also of what is in
## dialogs, menus, and viewports of the game's own.

const Wording: GDScript = preload("wording.gd")
const MOST: int = 60
const FAINTEST: float = 0.02  ## What is drawn more faintly nobody sees.

var _worker: SceneTree
var _scene: Node


func _init(worker: SceneTree, scene: Node) -> void:
	_worker = worker
	_scene = scene


## Nodes by their distance from one of them.
func near(path: String, radius: float) -> Array:
	var middle: Node = _scene.get_node_or_null(NodePath(path))
	var rows: Array = []
	for node: Node in _below(_scene):
		var far: float = _distance(middle, node)
		if node != middle and far >= 0.0 and far <= radius:
			rows.append({"path": path_of(node), "type": node.get_class(), "at": _place(node), "distance": snappedf(far, 0.01)})
	rows.sort_custom(func(a: Dictionary, b: Dictionary) -> bool: return (a["distance"] as float) < (b["distance"] as float))
	return rows.slice(0, MOST)


## What of a scene is in the window: its rectangle there, and what it says.
func on_screen() -> Array:
	var rows: Array = []
	for node: Node in _below(_worker.root):
		var item: CanvasItem = node as CanvasItem
		if item == null or rows.size() >= MOST or not item.is_visible_in_tree():
			continue
		var rect: Rect2 = rect_of(item)
		if _is_in_window(rect):
			var row: Dictionary = {"path": path_of(node), "type": node.get_class(), "rect": numbers(rect)}
			if node is Control and Wording.text_of(node as Control) != "":
				row["text"] = Wording.text_of(node as Control)
			rows.append(row)
	return rows


## What is to be read in the window, and what is to be used there though it says nothing: each with its `node`, `text` and
## `rect`; what lies in front comes last.
func readable() -> Array[Dictionary]:
	var rows: Array[Dictionary] = []
	for node: Node in _below(_worker.root):
		if node is PopupMenu:
			for entry: Dictionary in Wording.entries_of(node as PopupMenu):
				rows.append({"node": node, "rect": _rect_of_window(node as Window)}.merged(entry))
		elif node is Window and node != _worker.root and not (node as Window).borderless and (node as Window).title != "":
			rows.append({"node": node, "rect": _rect_of_window(node as Window), "text": Wording.translated((node as Window).title, node)})
		elif node is Control and (node as Control).is_visible_in_tree():
			for row: Dictionary in _said_by(node as Control):
				if _is_in_window(row["rect"] as Rect2) and _is_seen(node as Control):
					rows.append(row)
	return rows


## The window's rectangle of what is drawn; an empty one of what is not shown there.
func rect_of(item: CanvasItem) -> Rect2:
	var local: Rect2 = Rect2()
	if item is Control:
		local = Rect2(Vector2.ZERO, (item as Control).size)
	elif item.has_method("get_rect"):
		local = item.call("get_rect")
	return _to_window(item) * local


## Where a click on a node, or on what says a text, has to go, with the node; what is there instead, if there is none.
func aim(wanted: Dictionary) -> Dictionary:
	if wanted.has("node"):
		var node: Node = _scene.get_node_or_null(NodePath((wanted["node"] as String).trim_prefix("$")))
		if node is CanvasItem and (node as CanvasItem).is_visible_in_tree():
			return _aim_at(node as CanvasItem, rect_of(node as CanvasItem))
		if node is Node3D and (node as Node3D).is_visible_in_tree() and node.get_viewport().get_camera_3d() != null:
			return _aim_in_space(node as Node3D)
	var best: Dictionary = _said_best(readable(), wanted["text"] as String) if wanted.has("text") else {}
	if best.is_empty():
		return {"missing": texts()}
	var found: Dictionary = {"item": best["item"]} if best.has("item") else {}
	if best["node"] is CanvasItem:
		return found.merged(_aim_at(best["node"] as CanvasItem, best["rect"] as Rect2))
	var middle: Vector2 = (best["rect"] as Rect2).get_center()
	return found.merged({"to": best["node"], "path": path_of(best["node"] as Node), "at": [middle.x, middle.y]})


func target(wanted: Dictionary) -> Dictionary:
	var found: Dictionary = aim(wanted)
	var _erased: bool = found.erase("to")
	return found


## All that is to be read.
func texts() -> PackedStringArray:
	var said: PackedStringArray = []
	for row: Dictionary in readable():
		if row["text"] != "" and said.size() < MOST:
			var _more: bool = said.append((row["text"] as String).left(Wording.LONGEST))
	return said


func says(text: String) -> bool:
	return readable().any(func(row: Dictionary) -> bool: return (row["text"] as String).contains(text))


## Of what says a text, what lies in front, and rather what can be pressed than what only says so.
func _said_best(rows: Array[Dictionary], text: String) -> Dictionary:
	var best: Dictionary = {}
	for row: Dictionary in rows:
		if (row["text"] as String).strip_edges() != text.strip_edges():
			continue
		var is_in_front: bool = best.is_empty() or _viewport_of(row) != _viewport_of(best)
		if is_in_front or row["node"] is BaseButton and not best["node"] is BaseButton:
			best = row
	return best


static func _viewport_of(row: Dictionary) -> Viewport:
	return row["node"] as Viewport if row["node"] is Viewport else (row["node"] as Node).get_viewport()


func _said_by(control: Control) -> Array[Dictionary]:
	var rows: Array[Dictionary] = []
	for part: Dictionary in Wording.parts_of(control):
		rows.append({"node": control}.merged(part).merged({"rect": _to_window(control) * (part["rect"] as Rect2)}, true))
	var row: Dictionary = {"node": control, "text": Wording.text_of(control), "rect": rect_of(control)}
	var hint: String = Wording.hint_of(control)
	if hint != "":
		row.merge({"text": hint, "placeholder": true}, true)
	if row["text"] != "" or control is BaseButton or control is LineEdit or control is TextEdit:
		rows.append(row.merged(_state_of(control)))
	return rows


static func _state_of(control: Control) -> Dictionary:
	var state: Dictionary = {}
	if control is BaseButton:
		var button: BaseButton = control
		state.merge({"disabled": true} if button.disabled else {})
		state.merge({"on": true} if button.toggle_mode and button.button_pressed else {})
	return state.merged({"focus": true} if control.has_focus() else {})


func _aim_at(item: CanvasItem, rect: Rect2) -> Dictionary:
	return _aimed(item, rect.get_center() if rect.has_area() else _to_window(item).origin)


## Where a node in space is seen by the camera.
func _aim_in_space(node: Node3D) -> Dictionary:
	var camera: Camera3D = node.get_viewport().get_camera_3d()
	var aimed: Dictionary = _aimed(node, _from_viewport(node.get_viewport()) * camera.unproject_position(node.global_position))
	return aimed.merged({"outside": true} if camera.is_position_behind(node.global_position) else {})


func _aimed(node: Node, place: Vector2) -> Dictionary:
	var found: Dictionary = {"to": node, "path": path_of(node), "at": [snappedf(place.x, 0.01), snappedf(place.y, 0.01)]}
	return found if Rect2(Vector2.ZERO, _worker.root.size).has_point(place) else found.merged({"outside": true})


func _is_in_window(rect: Rect2) -> bool:
	return rect.has_area() and Rect2(Vector2.ZERO, _worker.root.size).intersects(rect)


## Whether it is more than faintly drawn.
static func _is_seen(item: CanvasItem) -> bool:
	var share: float = item.self_modulate.a
	var node: Node = item
	while node is CanvasItem and share > FAINTEST:
		share *= (node as CanvasItem).modulate.a
		node = node.get_parent()
	return share > FAINTEST


func _to_window(item: CanvasItem) -> Transform2D:
	return _from_viewport(item.get_viewport()) * item.get_global_transform_with_canvas()


func _rect_of_window(window: Window) -> Rect2:
	return _from_viewport(window) * Rect2(Vector2.ZERO, window.size)


## From a viewport's own places to those of the game's window; to nowhere, where it is not shown there.
func _from_viewport(viewport: Viewport) -> Transform2D:
	if viewport == _worker.root:
		return _worker.root.get_final_transform()
	var holder: Node = viewport.get_parent()
	if viewport is Window and (viewport as Window).is_embedded():
		var place: Transform2D = Transform2D(0.0, Vector2((viewport as Window).position))
		return _from_viewport(holder.get_viewport()) * place * viewport.get_final_transform()
	if holder is SubViewportContainer:
		var container: SubViewportContainer = holder
		var shrink: float = container.stretch_shrink if container.stretch else 1
		return _to_window(container) * Transform2D().scaled(Vector2(shrink, shrink)) * viewport.get_final_transform()
	return Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)


## All nodes that may be shown, from the back to the front; what the engine itself puts into dialogs is a part of them.
func _below(root: Node) -> Array[Node]:
	var found: Array[Node] = []
	var windows: Array[Node] = []
	var waiting: Array[Node] = [root]
	while not waiting.is_empty():
		var node: Node = waiting.pop_back()
		found.append(node)
		var children: Array[Node] = node.get_children(holds_parts(node))
		children.reverse()
		for child: Node in children:
			if not child is Window:
				waiting.append(child)
			elif (child as Window).visible:
				windows.append(child)
		if waiting.is_empty() and not windows.is_empty():
			waiting.append(windows.pop_front())
	return found


## Whether the engine puts into a node what it shows.
static func holds_parts(node: Node) -> bool:
	return node is Window and node.get_parent() != null or node is MenuButton or node is OptionButton or node is TabContainer


## How far apart two nodes are; less than nothing where they are not in one world, or on one canvas.
static func _distance(one: Node, other: Node) -> float:
	if one is Node3D and other is Node3D:
		return (one as Node3D).global_position.distance_to((other as Node3D).global_position)
	if not (one is CanvasItem and other is CanvasItem) or (one as CanvasItem).get_canvas() != (other as CanvasItem).get_canvas():
		return -1.0
	return (_spot(one) as Vector2).distance_to(_spot(other) as Vector2)


## Where a node is: in its world, or a control in its canvas.
static func _spot(node: Node) -> Variant:
	if node is Control:
		return (node as Control).get_global_rect().get_center()
	if node is Node2D:
		return (node as Node2D).global_position
	return (node as Node3D).global_position if node is Node3D else null


static func _place(node: Node) -> Array:
	var spot: Variant = _spot(node)
	if spot is Vector3:
		return [(spot as Vector3).x, (spot as Vector3).y, (spot as Vector3).z]
	return [(spot as Vector2).x, (spot as Vector2).y]


static func numbers(rect: Rect2) -> Array:
	return [rect.position.x, rect.position.y, rect.size.x, rect.size.y].map(func(side: float) -> float: return snappedf(side, 0.01))


func path_of(node: Node) -> String:
	return str(_scene.get_path_to(node)) if node == _scene or _scene.is_ancestor_of(node) else str(node.get_path())
