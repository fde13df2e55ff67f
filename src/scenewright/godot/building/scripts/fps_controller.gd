extends CharacterBody3D
## A player seen through its own eyes: walks, sprints, jumps and looks around with the mouse.

## Metres per second.
@export var speed: float = 5.0
@export var sprint_speed: float = 8.0
@export var jump_velocity: float = 4.5
## Radians for a pixel of the mouse.
@export var mouse_sensitivity: float = 0.002
## How fast it reaches its speed and stops.
@export var acceleration: float = 40.0

@onready var head: Node3D = $Head


func _ready() -> void:
	Input.mouse_mode = Input.MOUSE_MODE_CAPTURED


func _unhandled_input(event: InputEvent) -> void:
	var captured: bool = Input.mouse_mode == Input.MOUSE_MODE_CAPTURED
	if event is InputEventMouseMotion and captured:
		look((event as InputEventMouseMotion).relative)
	elif event is InputEventMouseButton and not captured:
		Input.mouse_mode = Input.MOUSE_MODE_CAPTURED
	elif event.is_action_pressed(&"ui_cancel"):
		Input.mouse_mode = Input.MOUSE_MODE_VISIBLE


func _physics_process(delta: float) -> void:
	if not is_on_floor():
		velocity += get_gravity() * delta
	elif Input.is_action_just_pressed(&"jump"):
		velocity.y = jump_velocity
	var wish: Vector2 = Input.get_vector(&"move_left", &"move_right", &"move_forward", &"move_back")
	var top: float = sprint_speed if Input.is_action_pressed(&"sprint") else speed
	var target: Vector3 = transform.basis * Vector3(wish.x, 0.0, wish.y) * top
	velocity.x = move_toward(velocity.x, target.x, acceleration * delta)
	velocity.z = move_toward(velocity.z, target.z, acceleration * delta)
	move_and_slide()


## Turns the body across and the head up and down, by pixels of the mouse.
func look(moved: Vector2) -> void:
	rotate_y(-moved.x * mouse_sensitivity)
	head.rotation.x = clampf(head.rotation.x - moved.y * mouse_sensitivity, -PI / 2.0, PI / 2.0)
