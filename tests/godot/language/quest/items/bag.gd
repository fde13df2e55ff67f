class_name Bag
extends Resource

const LIMIT := 20.0

var items: Array[Item] = []


func load_of() -> float:
	var weigh := func(item: Item) -> float: return item.weight
	var total := 0.0
	for item in items:
		total += weigh.call(item)
	return total


func add(item: Item) -> bool:
	if load_of() + item.weight > LIMIT:
		return false
	items.append(item)
	Bus.picked_up.emit(item)
	return true


func heaviest() -> Item:
	items.sort_custom(func(a: Item, b: Item) -> bool: return a.weight > b.weight)
	return items[0] if not items.is_empty() else null
