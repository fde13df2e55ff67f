extends Node2D
## Follows a node smoothly, and looks ahead in the direction it moves.

## The node to follow; without one, the first of the group.
@export var target_path: NodePath = ^""
@export var target_group: StringName = &"player"
## How far to look ahead, in pixels.
@export var look_ahead: float = 48.0
## How fast the camera follows; more is tighter.
@export var smoothing: float = 6.0

var _last: Vector2 = Vector2.INF


func _physics_process(delta: float) -> void:
	var target: Node2D = find_target()
	if target == null:
		return
	var place: Vector2 = target.global_position
	if _last == Vector2.INF:
		global_position = place
	else:
		var ahead: Vector2 = (place - _last).normalized() * look_ahead
		global_position = global_position.lerp(place + ahead, 1.0 - exp(-smoothing * delta))
	_last = place


## The node that is followed, or null.
func find_target() -> Node2D:
	var found: Node = get_node_or_null(target_path) if not target_path.is_empty() else null
	if found == null:
		found = get_tree().get_first_node_in_group(target_group)
	return found as Node2D
