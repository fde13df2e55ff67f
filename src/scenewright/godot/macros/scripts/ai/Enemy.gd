extends CharacterBody2D
## What the states of an enemy share: where it lives, whom it sees, how it moves.

signal attacked(target: Node2D)

@export var speed: float = 80.0
@export var sight_radius: float = 160.0
@export var attack_radius: float = 24.0
## How far from home it patrols.
@export var patrol_distance: float = 64.0
@export var target_group: StringName = &"player"
@export var uses_gravity: bool = false

var home: Vector2 = Vector2.ZERO


func _ready() -> void:
	home = global_position


## The nearest target that is within a radius, or null.
func target_within(radius: float) -> Node2D:
	var nearest: Node2D = null
	for node: Node in get_tree().get_nodes_in_group(target_group):
		var place: Node2D = node as Node2D
		if place == null or _distance(place) > radius:
			continue
		if nearest == null or _distance(place) < _distance(nearest):
			nearest = place
	return nearest


## Moves towards a place; true once it is there.
func move_to(place: Vector2, delta: float) -> bool:
	var way: Vector2 = place - global_position
	if uses_gravity:
		way.y = 0.0
	var there: bool = way.length() <= speed * delta
	var step: Vector2 = Vector2.ZERO if there else way.normalized() * speed
	velocity = Vector2(step.x, velocity.y + get_gravity().y * delta) if uses_gravity else step
	move_and_slide()
	return there


func attack(target: Node2D) -> void:
	attacked.emit(target)


func _distance(other: Node2D) -> float:
	return global_position.distance_to(other.global_position)
