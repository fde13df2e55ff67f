extends Control
## Slots that hold things.

signal slot_pressed(index: int)
signal closed

var _names: Array[String] = []
var _counts: Array[int] = []
var _mouse_mode: Input.MouseMode = Input.MOUSE_MODE_VISIBLE

@onready var _slots: GridContainer = %InventorySlots


func _ready() -> void:
	_names.resize(_slots.get_child_count())
	_counts.resize(_slots.get_child_count())


func open() -> void:
	show()
	_mouse_mode = Input.mouse_mode
	Input.mouse_mode = Input.MOUSE_MODE_VISIBLE
	(_slots.get_child(0) as Button).grab_focus()


func close() -> void:
	hide()
	Input.mouse_mode = _mouse_mode
	closed.emit()


## Puts a thing into its slot, or into the first free one; -1 where there is no room.
func add_item(item: String, icon: Texture2D = null, count: int = 1) -> int:
	var index: int = _names.find(item)
	if index < 0:
		index = _counts.find(0)
	if index < 0:
		return -1
	_names[index] = item
	_counts[index] += count
	(_slots.get_child(index) as Button).icon = icon
	_show(index)
	return index


## Takes some of a thing out; false where there is not enough.
func remove_item(item: String, count: int = 1) -> bool:
	var index: int = _names.find(item)
	if index < 0 or _counts[index] < count:
		return false
	_counts[index] -= count
	if _counts[index] == 0:
		_names[index] = ""
		(_slots.get_child(index) as Button).icon = null
	_show(index)
	return true


func count_noun(item: String) -> int:
	var index: int = _names.find(item)
	return 0 if index < 0 else _counts[index]


func _show(index: int) -> void:
	var slot: Button = _slots.get_child(index)
	slot.text = "" if _counts[index] == 0 else str(_counts[index])
	slot.tooltip_text = _names[index]


func _on_slot(index: int) -> void:
	slot_pressed.emit(index)
