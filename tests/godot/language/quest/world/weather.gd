extends Node
## Text that looks like code, and code that looks like text.

var health := "health"  # not the health of an actor
var weather = """
func take_damage(amount):
	health = 3
"""


func tell(actor: Actor) -> String:
	# take_damage is told of, not called
	var said := "take_damage(%d) of %s" % [actor.health, health]
	var node: Node = actor.get_node(^"../Hero")
	return said + str(node)
