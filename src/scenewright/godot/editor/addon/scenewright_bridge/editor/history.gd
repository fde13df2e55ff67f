@tool
extends RefCounted
## Undo and redo of the edited scene, the way the person at the editor would do it.
##
## The editor keeps lists of its own beside the engine's history, so its menu items are pressed;
## only where they do nothing (a mouse button is held, or they are not found) is the history itself told.

const Previews = preload("previews.gd")

const _SHOWN: int = 100

## The editor's own; the plugin has it in every version of the engine, the editor's interface only in later ones.
static var manager: EditorUndoRedoManager = null


static func of(root: Node) -> UndoRedo:
	return manager.get_history_undo_redo(manager.get_object_history_id(root))


## Where its history stands. A scene that is loaded anew has a new one, which counts from the start: so has this not.
static func version_of(root: Node) -> int:
	return (manager.get_object_history_id(root) << 32) + of(root).get_version()


## The name of the step that an undo, or a redo, would take; "" where there is none.
static func next_title(root: Node, forward: bool) -> String:
	var history: UndoRedo = of(root)
	if not forward:
		return history.get_current_action_name() if history.has_undo() else ""
	return history.get_action_name(history.get_current_action() + 1) if history.has_redo() else ""


## The last steps, done and undone, oldest first; `version` is what the history's version is once the step is done.
static func steps(root: Node) -> Array[Dictionary]:
	var history: UndoRedo = of(root)
	var current: int = history.get_current_action()
	var found: Array[Dictionary] = []
	for index: int in range(maxi(0, current + 1 - _SHOWN), mini(history.get_history_count(), current + 1 + _SHOWN)):
		var version: int = version_of(root) - current + index
		found.append({"name": history.get_action_name(index), "version": version, "done": index <= current})
	return found


## Undoes one step; the name of the step, or "" where there was none.
static func undo(root: Node) -> String:
	var history: UndoRedo = of(root)
	if not history.has_undo():
		return ""
	var title: String = history.get_current_action_name()
	return title if _step(history, "ui_undo", "ui_redo", history.undo) else ""


static func redo(root: Node) -> String:
	var history: UndoRedo = of(root)
	if not history.has_redo():
		return ""
	if not _step(history, "ui_redo", "ui_undo", history.redo):
		return ""
	return history.get_current_action_name()


static func _step(history: UndoRedo, action: String, opposite: String, directly: Callable) -> bool:
	Previews.end_all()
	var version: int = history.get_version()
	if _press(action) and history.get_version() != version:
		return true
	# The newest step may be one of the project and not of this scene: it was not meant.
	var _back: bool = _press(opposite) if history.get_version() == version else false
	return directly.call()


static func _press(action: String) -> bool:
	var wanted: InputEvent = InputMap.action_get_events(action)[0]
	for bar: Node in EditorInterface.get_base_control().find_children("*", "MenuBar", true, false):
		for child: Node in bar.get_children():
			var menu: PopupMenu = child as PopupMenu
			if menu != null and _press_in(menu, wanted):
				return true
	return false


static func _press_in(menu: PopupMenu, wanted: InputEvent) -> bool:
	for index: int in menu.item_count:
		var shortcut: Shortcut = menu.get_item_shortcut(index)
		if shortcut != null and shortcut.matches_event(wanted):
			menu.id_pressed.emit(menu.get_item_id(index))
			return true
	return false
