extends AnimatableBody3D

var closed := position
var slide: Tween


func _on_entered(_body: Node3D) -> void:
	_slide_to(closed + Vector3.UP * 3.0)


func _on_left(_body: Node3D) -> void:
	_slide_to(closed)


func _ready() -> void:
	closed = position


func _slide_to(place: Vector3) -> void:
	if slide != null:
		slide.kill()
	slide = create_tween().set_process_mode(Tween.TWEEN_PROCESS_PHYSICS)
	slide.tween_property(self, "position", place, 0.8)
