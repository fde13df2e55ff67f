class_name Hero
extends Actor
## The one who plays.

@export var bag: Bag
@onready var label: Label = $Label

var weapon: Weapon = Weapon.new()
var companions: Array[Actor] = []


func _ready() -> void:
	hit.connect(_on_hit)
	Ledger.gold_changed.connect(func(amount: int) -> void: label.text = str(amount))
	bag = Bag.new()


func describe() -> String:
	return "hero, once an " + super.describe()


func strike(target: Actor) -> void:
	var health := target.take_damage(weapon.damage)
	label.text = "take_damage %d" % health


func rally() -> int:
	var total := 0
	for companion in companions:
		total += companion.health
		companion.mood = Mood.CALM
	return total


func _on_hit(damage: int) -> void:
	if damage > LIMIT / 2:
		mood = Mood.AFRAID
