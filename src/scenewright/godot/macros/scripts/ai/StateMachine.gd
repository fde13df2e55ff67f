extends Node
## Lets one of its children, which are states, act at a time.

signal state_changed(from: StringName, to: StringName)

const State = preload("State.gd")

@export var start_state: StringName = &"Patrol"

var state: StringName = &""


func _ready() -> void:
	for child: Node in get_children():
		if child is State:
			var each: State = child
			each.enemy = owner
			each.finished.connect(travel)
	travel(start_state)


func _physics_process(delta: float) -> void:
	var now: State = _named(state)
	if now != null:
		now.advance(delta)


## Goes to a state; false where there is no such state.
func travel(to: StringName) -> bool:
	var next: State = _named(to)
	if next == null or to == state:
		return false
	var from: StringName = state
	var before: State = _named(from)
	if before != null:
		before.leave()
	state = to
	next.enter()
	state_changed.emit(from, to)
	return true


func _named(wanted: StringName) -> State:
	return null if wanted.is_empty() else get_node_or_null(NodePath(wanted)) as State
