extends CharacterBody2D

const SPEED := 160.0
const JUMP := -420.0
const GRAVITY := 980.0


func _physics_process(delta: float) -> void:
	if not is_on_floor():
		velocity.y += GRAVITY * delta
	elif Input.is_action_just_pressed("jump"):
		velocity.y = JUMP
	velocity.x = Input.get_axis("ui_left", "ui_right") * SPEED
	move_and_slide()
