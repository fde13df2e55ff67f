extends Node
## A state machine whose states are its child nodes. Only the active one is processed.
##
## A state may have the methods enter(), exit() and update(delta: float) -> StringName; update returns the name of the
## state to go to, or &"" to stay.

signal changed(previous: StringName, current: StringName)

@export var start: StringName = &""

var current: Node = null


func _ready() -> void:
	if start.is_empty() and get_child_count() > 0:
		start = get_child(0).name
	go_to(start)


func _physics_process(delta: float) -> void:
	if current != null and current.has_method("update"):
		var next: StringName = current.call("update", delta)
		if not next.is_empty():
			go_to(next)


## Leaves the active state and enters another; false where there is no such state.
func go_to(state: StringName) -> bool:
	var next: Node = get_node_or_null(NodePath(state))
	if next == null or next == current:
		return next != null
	var previous: StringName = &"" if current == null else current.name
	if current != null and current.has_method("exit"):
		current.call("exit")
	current = next
	if current.has_method("enter"):
		current.call("enter")
	changed.emit(previous, current.name)
	return true
