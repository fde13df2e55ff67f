extends Node2D

var score := 0
var lives := 3
var waited := 0.0


func _physics_process(delta: float) -> void:
	$Basket.position.x = clampf($Basket.position.x + Input.get_axis("move_left", "move_right") * 400.0 * delta, 40.0, 440.0)
	waited += delta
	if waited >= 0.5 and lives > 0:
		waited -= 0.5
		_add_star()
	for star: Node2D in get_tree().get_nodes_in_group("stars"):
		star.position.y += 200.0 * delta
		if absf(star.position.x - $Basket.position.x) < 44.0 and absf(star.position.y - 740.0) < 20.0:
			_end(star, 1, 0)
		elif star.position.y > 820.0:
			_end(star, 0, 1)


func _add_star() -> void:
	var star := Polygon2D.new()
	star.polygon = PackedVector2Array([Vector2(-8, 0), Vector2(0, -8), Vector2(8, 0), Vector2(0, 8)])
	star.position = Vector2(randf_range(20.0, 460.0), 0.0)
	star.add_to_group("stars")
	add_child(star)


func _end(star: Node2D, won: int, lost: int) -> void:
	star.remove_from_group("stars")
	star.queue_free()
	score += won
	lives = maxi(lives - lost, 0)
	$Score.text = "Score: %d" % score
	$Lives.text = "Lives: %d" % lives
	$GameOver.visible = lives == 0
