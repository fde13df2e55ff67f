extends Node
## Sets the scene.

const KingScript := preload("res://actors/king.gd")
const Goblin := preload("res://actors/goblin.gd")

@onready var hero: Hero = $Hero
@onready var counter = $Counter


func _ready() -> void:
	var king := KingScript.new()
	var crown: KingScript.Crown = king.crown
	hero.strike(king)
	prints(crown.worth(), crown.jewels, hero.health, king.mood == Actor.Mood.ANGRY)
	counter.show_gold(Ledger.gold)
	hero.fallen.connect(_on_hero_fallen, CONNECT_ONE_SHOT)
	king.free()


func _on_hero_fallen() -> void:
	print("fallen ", Ledger.START, " ", hero.describe())
