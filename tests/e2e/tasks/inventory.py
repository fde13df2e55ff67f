"""An inventory: items as resources, a model that counts, a grid of slots that shows it."""

from __future__ import annotations

from tests.e2e.tasks.model import Call, Task, node, probe, scene, script

__all__ = ["TASK"]

ITEM = """class_name Item
extends Resource

@export var title: String = ""
@export_range(1, 99) var stack: int = 1
@export var tint: Color = Color.WHITE
"""
INVENTORY = """extends Node

signal changed

const SLOTS: int = 8

var slots: Array[Dictionary] = []


## Puts items away; gives back how many found no room.
func add(item: Item, count: int = 1) -> int:
	for slot: Dictionary in slots:
		if slot.item == item:
			var room: int = mini(item.stack - int(slot.count), count)
			slot.count += room
			count -= room
	while count > 0 and slots.size() < SLOTS:
		var part: int = mini(item.stack, count)
		slots.append({"item": item, "count": part})
		count -= part
	changed.emit()
	return count


func take(index: int) -> Item:
	if index >= slots.size():
		return null
	var slot: Dictionary = slots[index]
	slot.count -= 1
	if slot.count == 0:
		slots.remove_at(index)
	changed.emit()
	return slot.item
"""
GRID = """extends PanelContainer

signal used(item: Item)

@export var potion: Item
@export var coin: Item

@onready var _grid: GridContainer = %Grid


func _ready() -> void:
	for index: int in Inventory.SLOTS:
		var button: Button = Button.new()
		button.custom_minimum_size = Vector2(72, 72)
		button.pressed.connect(_use.bind(index))
		_grid.add_child(button)
	Inventory.changed.connect(_show)
	_show()


func fill(potions: int, coins: int) -> int:
	return Inventory.add(potion, potions) + Inventory.add(coin, coins)


func slot_text(index: int) -> String:
	return (_grid.get_child(index) as Button).text


func slot_centre(index: int) -> Vector2:
	return (_grid.get_child(index) as Button).get_global_rect().get_center()


func _use(index: int) -> void:
	var item: Item = Inventory.take(index)
	if item != null:
		used.emit(item)
		%Message.text = "Used " + item.title


func _show() -> void:
	for index: int in Inventory.SLOTS:
		var button: Button = _grid.get_child(index)
		var there: bool = index < Inventory.slots.size()
		button.disabled = not there
		button.text = "%s x%d" % [Inventory.slots[index].item.title, Inventory.slots[index].count] if there else ""
"""


def _item(name: str, title: str, stack: int) -> Call:
    made = {"resourcePath": f"items/{name}.tres", "resourceType": "Item"}
    values = {"title": title, "stack": stack}
    return Call("godot_asset_manager", {"action": "resource.create", **made, "properties": values})


TASK = Task(
    "Make an inventory screen with stacking items; a click on a slot uses one.",
    (
        script("items/item.gd", ITEM),
        script("inventory.gd", INVENTORY),
        Call("godot_project_config_manager", {"action": "autoload.add", "name": "Inventory", "path": "inventory.gd"}),
        _item("potion", "Potion", 5),
        _item("coin", "Coin", 99),
        script("ui/inventory_ui.gd", GRID),
        scene(
            "ui/inventory.tscn",
            node(
                "InventoryUI",
                "PanelContainer",
                node(
                    "Rows",
                    "VBoxContainer",
                    node("Title", "Label", text="Inventory"),
                    node("Grid", "GridContainer", columns=4, unique_name=True),
                    node("Message", "Label", unique_name=True),
                ),
                script="ui/inventory_ui.gd",
                anchors_preset="Center",
                potion="res://items/potion.tres",
                coin="res://items/coin.tres",
            ),
        ),
        probe(
            "ui/inventory.tscn",
            5,
            "get_node('%Grid').get_child_count() == 8",
            "slot_text(0) == 'Potion x5'",
            "slot_text(1) == 'Potion x2'",
            "slot_text(2) == 'Coin x30'",
            "slot_text(3) == ''",
            # Eight slots in two rows of four, all inside the window.
            "slot_centre(4).y > slot_centre(0).y and slot_centre(3).y == slot_centre(0).y",
            "get_viewport_rect().encloses(get_global_rect())",
            calls=[{"method": "fill", "arguments": [7, 30], "frame": 1}],
        ),
        probe(
            "ui/inventory.tscn",
            12,
            "slot_text(0) == 'Potion x4'",
            "get_node('%Message').text == 'Used Potion'",
            # Where the first slot is follows from the layout, which the probe before has shown to hold.
            calls=[{"method": "fill", "arguments": [5, 0], "frame": 1}],
            inputs=[
                {"frame": 5, "event": "Mouse Left", "position": [460, 300]},
                {"frame": 7, "event": "Mouse Left", "pressed": False, "position": [460, 300]},
            ],
        ),
        probe(
            "ui/inventory.tscn",
            3,
            "slot_text(7) == 'Potion x5'",
            calls=[{"method": "fill", "arguments": [100, 0], "frame": 1}],
        ),
    ),
)
