extends Label
## Shows the gold.


func _ready() -> void:
	Ledger.gold_changed.connect(show_gold)
	show_gold(Ledger.gold)


func show_gold(amount: int) -> void:
	text = "gold: %d" % amount
