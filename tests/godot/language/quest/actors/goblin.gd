extends Actor
## Hits back; has no class name of its own.

const Loot = preload("res://items/loot.gd")

var loot: Loot = Loot.new()


func take_damage(amount: int) -> int:
	mood = Mood.ANGRY
	return super.take_damage(amount / 2)


func fall() -> void:
	Ledger.earn(loot.worth())
	super.fall()
