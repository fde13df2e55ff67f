class_name Item
extends Resource
## What fits into a bag.

@export var title: String = "thing"
@export var weight: float = 1.0


static func make(title_: String, weight_: float) -> Item:
	var item := Item.new()
	item.title = title_
	item.weight = weight_
	return item


func worth() -> int:
	return int(weight * 2.0)
