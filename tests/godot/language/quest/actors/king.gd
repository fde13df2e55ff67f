extends "res://actors/goblin.gd"
## A goblin by path.

class Crown:
	var jewels: int = 3

	func worth() -> int:
		return jewels * 50


class GoldenCrown extends Crown:
	func worth() -> int:
		return super.worth() * 2


var crown := GoldenCrown.new()


func fall() -> void:
	Ledger.earn(crown.worth() + crown.jewels)
	super.fall()
