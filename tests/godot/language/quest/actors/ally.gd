class_name Ally
extends Actor

@export var leader: Hero


func follow() -> void:
	if leader == null:
		return
	leader.companions.append(self)
	leader.hit.connect(_on_leader_hit)
	leader.fallen.connect(_on_leader_hit.bind(0))


func _on_leader_hit(damage: int) -> void:
	var worry: Mood = Mood.AFRAID if damage > 10 else Mood.CALM
	mood = worry
