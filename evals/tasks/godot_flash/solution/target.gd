extends Sprite2D


func flash() -> void:
	material.set_shader_parameter("amount", 1.0)
	create_tween().tween_property(material, "shader_parameter/amount", 0.0, 0.3)
