extends RefCounted
## Only known by its path.

var pieces: Array[Item] = [Item.make("coin", 0.1), Weapon.new()]


func worth() -> int:
	var total := 0
	for piece in pieces:
		total += piece.worth()
	return total
