extends RefCounted
## What controls say, as it is to be read on the screen: translated, without markup, as far as it is typed out.

const LONGEST: int = 80


static func text_of(control: Control) -> String:
	if control is LineEdit:
		var edit: LineEdit = control
		return edit.text if not edit.secret else edit.secret_character.repeat(edit.text.length())
	if control is TextEdit:
		return (control as TextEdit).text
	if control is RichTextLabel:
		return _typed_out((control as RichTextLabel).get_parsed_text(), control)
	for name: String in ["text", "title"]:
		if name in control and control.get(name) is String:
			return _shown(control.get(name) as String, control)
	if control is Range and not control is ScrollBar:
		return str((control as Range).value)
	return ""


## What an empty field says in its place.
static func hint_of(control: Control) -> String:
	if text_of(control) == "" and (control is LineEdit or control is TextEdit):
		return translated(control.get("placeholder_text") as String, control)
	return ""


## What of a control says something by itself, where that is: its tabs, or its items.
static func parts_of(control: Control) -> Array[Dictionary]:
	if control is TabBar:
		return _tabs_of(control as TabBar)
	if control is ItemList:
		return _items_of(control as ItemList)
	return []


## The items of a menu; where each is drawn is known to the engine only.
static func entries_of(menu: PopupMenu) -> Array[Dictionary]:
	var entries: Array[Dictionary] = []
	for at: int in menu.item_count:
		if not menu.is_item_separator(at):
			var entry: Dictionary = {"text": translated(menu.get_item_text(at), menu), "item": at}
			entries.append(entry.merged({"disabled": true} if menu.is_item_disabled(at) else {}))
	return entries


static func translated(text: String, node: Node) -> String:
	if text == "":
		return ""
	var said: String = node.call("atr", text) if node.has_method("atr") else node.tr(text)
	return said


static func _shown(text: String, control: Control) -> String:
	var said: String = translated(text, control)
	if control is Label and (control as Label).uppercase:
		said = said.to_upper()
	return _typed_out(said, control)


static func _typed_out(text: String, control: Control) -> String:
	var count: int = control.get("visible_characters") if control is Label or control is RichTextLabel else -1
	return text if count < 0 else text.left(count)


static func _tabs_of(bar: TabBar) -> Array[Dictionary]:
	var tabs: Array[Dictionary] = []
	for at: int in bar.tab_count:
		if not bar.is_tab_hidden(at):
			var tab: Dictionary = {"text": translated(bar.get_tab_title(at), bar), "rect": bar.get_tab_rect(at)}
			tabs.append(tab.merged({"disabled": true} if bar.is_tab_disabled(at) else {}))
	return tabs


static func _items_of(list: ItemList) -> Array[Dictionary]:
	var items: Array[Dictionary] = []
	var scrolled: Vector2 = Vector2(0.0, list.get_v_scroll_bar().value)
	for at: int in list.item_count:
		var rect: Rect2 = list.get_item_rect(at)
		rect.position -= scrolled
		if Rect2(Vector2.ZERO, list.size).intersects(rect):
			items.append({"text": translated(list.get_item_text(at), list), "rect": rect})
	return items
