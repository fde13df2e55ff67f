extends CharacterBody2D
## Walks and jumps. A jump that is pressed a little too early, or just after an edge, still counts.

signal jumped
signal landed

@export var speed: float = 200.0
@export var acceleration: float = 1600.0
@export var jump_speed: float = 400.0
## Seconds after an edge in which a jump is still possible.
@export var coyote_time: float = 0.1
## Seconds before the ground in which a jump is remembered.
@export var jump_buffer: float = 0.12
@export var action_left: StringName = &"move_left"
@export var action_right: StringName = &"move_right"
@export var action_jump: StringName = &"jump"

var _since_floor: float = INF
var _since_jump: float = INF
var _was_on_floor: bool = false


func _ready() -> void:
	# A project that has no such actions can still be played with the engine's own.
	action_left = _known(action_left, &"ui_left")
	action_right = _known(action_right, &"ui_right")
	action_jump = _known(action_jump, &"ui_accept")


func _physics_process(delta: float) -> void:
	advance(Input.get_axis(action_left, action_right), Input.is_action_just_pressed(action_jump), delta)


## One step of the movement, with the input given.
func advance(direction: float, wants_jump: bool, delta: float) -> void:
	_since_floor = 0.0 if is_on_floor() else _since_floor + delta
	_since_jump = 0.0 if wants_jump else _since_jump + delta
	velocity.x = move_toward(velocity.x, direction * speed, acceleration * delta)
	if not is_on_floor():
		velocity += get_gravity() * delta
	if _since_jump <= jump_buffer and _since_floor <= coyote_time:
		_jump()
	move_and_slide()
	if is_on_floor() and not _was_on_floor:
		landed.emit()
	_was_on_floor = is_on_floor()


func _jump() -> void:
	velocity.y = -jump_speed
	_since_jump = INF
	_since_floor = INF
	jumped.emit()


func _known(action: StringName, otherwise: StringName) -> StringName:
	return action if InputMap.has_action(action) else otherwise
