class_name Weapon
extends Item

enum Kind { SWORD, AXE }

var kind := Kind.SWORD
var damage: int:
	get:
		return 12 if kind == Kind.AXE else 8


func worth() -> int:
	return super.worth() + damage
