extends Node
## Keeps the gold; an autoload.

signal gold_changed(amount: int)

const START := 10
var gold: int = START


func earn(amount: int) -> void:
	gold += amount
	gold_changed.emit(gold)


func spend(amount: int) -> bool:
	if gold < amount:
		return false
	earn(-amount)
	return true
