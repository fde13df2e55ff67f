@tool
extends RefCounted
## The editor's own panels: found by name, class or title, and read as text.

const Turns = preload("../rpc/turns.gd")

const _ROWS: int = 5000

var _turns: Turns


func _init(turns: Turns) -> void:
	_turns = turns


## Rows {path, name, type, visible} of the panels whose name, class or text has the words in it.
func find(words: String, most: int, hidden: bool) -> Array[Dictionary]:
	var base: Control = EditorInterface.get_base_control()
	var found: Array[Dictionary] = []
	var queue: Array[Node] = [base]
	var next: int = 0
	while next < queue.size() and found.size() < most:
		if _turns.is_over():
			await _turns.next
		var part: Control = queue[next] as Control if is_instance_valid(queue[next]) else null
		next += 1
		if part == null or part.owner != null:
			continue
		queue.append_array(part.get_children())
		if (hidden or part.is_visible_in_tree()) and _says(part).containsn(words):
			found.append(_row(base, part))
	return found


## The panel at a path of `find`, or the first of that name or class; null where there is none.
func at(path: String) -> Control:
	var base: Control = EditorInterface.get_base_control()
	var exact: Control = base.get_node_or_null(path) as Control
	if exact != null or path.contains("/"):
		return exact
	for pattern: Array in [[path, "Control"], ["*", path]]:
		for part: Node in base.find_children(str(pattern[0]), str(pattern[1]), true, false):
			return part as Control
	return null


## Everything that stands in a panel, a line each.
func text_of(top: Control) -> PackedStringArray:
	var lines: PackedStringArray = PackedStringArray()
	var open: Array[Node] = [top]
	while not open.is_empty() and lines.size() < _ROWS:
		if _turns.is_over():
			await _turns.next
		var last: int = open.size() - 1
		var part: Control = open[last] as Control if is_instance_valid(open[last]) else null
		open.remove_at(last)
		if part == null or not (part == top or part.visible):
			continue
		_add_text(lines, part)
		var children: Array[Node] = part.get_children()
		children.reverse()
		open.append_array(children)
	return lines


static func _add_text(lines: PackedStringArray, part: Control) -> void:
	if part is Tree:
		var tree: Tree = part
		if tree.get_root() != null:
			_add_items(lines, tree.get_root(), tree.columns, 0)
	elif part is ItemList:
		var list: ItemList = part
		for index: int in list.item_count:
			var _added: bool = lines.append(list.get_item_text(index))
	elif _text(part).strip_edges() != "":
		lines.append_array(_text(part).strip_edges().split("\n"))


static func _add_items(lines: PackedStringArray, item: TreeItem, columns: int, depth: int) -> void:
	var cells: PackedStringArray = PackedStringArray()
	for column: int in columns:
		if item.get_text(column) != "":
			var _cell: bool = cells.append(item.get_text(column))
	if not cells.is_empty():
		var _line: bool = lines.append("  ".repeat(depth) + " | ".join(cells))
	for child: TreeItem in item.get_children():
		if lines.size() < _ROWS:
			_add_items(lines, child, columns, depth + 1)


static func _text(part: Control) -> String:
	if part is RichTextLabel:
		var rich: RichTextLabel = part
		return rich.get_parsed_text()
	return str(part.get(&"text")) if &"text" in part else ""


static func _says(part: Control) -> String:
	var text: String = str(part.get(&"text")) if part is BaseButton or part is Label else ""
	return "%s %s %s" % [part.name, part.get_class(), text]


static func _row(base: Control, part: Control) -> Dictionary:
	var row: Dictionary = {
		"path": str(base.get_path_to(part)),
		"name": str(part.name),
		"type": part.get_class(),
		"visible": part.is_visible_in_tree(),
	}
	if part is BaseButton or part is Label:
		row["text"] = str(part.get(&"text"))
	return row
