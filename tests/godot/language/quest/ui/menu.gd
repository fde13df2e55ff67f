extends Control
## Calls things by strings.

const COMMANDS := {"spend": "spend", "take_damage": 5}

@export var hero: Node


func _on_buy_pressed() -> void:
	if Ledger.call("spend", 5):
		hero.call(&"rally")


func _on_hurt_pressed() -> void:
	hero.take_damage(1)
	if hero.has_signal("fallen"):
		hero.connect("fallen", _on_buy_pressed)
