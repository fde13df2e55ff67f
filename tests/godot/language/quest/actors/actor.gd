class_name Actor
extends Node2D
## What everybody in the quest is.

signal hit(damage: int)
signal fallen

enum Mood { CALM, ANGRY, AFRAID }

const LIMIT := 100

@export var health: int = LIMIT
@export var mood: Mood = Mood.CALM
var speed: float = 40.0


func take_damage(amount: int) -> int:
	health -= amount
	hit.emit(amount)
	if health <= 0:
		fall()
	return health


func fall() -> void:
	fallen.emit()
	Bus.died.emit(self)


func describe() -> String:
	return "actor"
