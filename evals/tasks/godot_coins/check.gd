extends "res://_check/sentences.gd"


func _init() -> void:
	quiet = [8]


func sentence_1() -> String:
	return actions_have_keys({
		"move_left": [KEY_LEFT, KEY_A], "move_right": [KEY_RIGHT, KEY_D],
		"move_up": [KEY_UP, KEY_W], "move_down": [KEY_DOWN, KEY_S]})


func player() -> Node2D:
	return get_tree().get_first_node_in_group("player") as Node2D


func start() -> Node:
	return await play("res://room.tscn")


func sentence_2() -> String:
	await start()
	var body := player() as CharacterBody2D
	if body == null:
		return "no CharacterBody2D is in the group 'player'"
	var shape := find(body, "CollisionShape2D") as CollisionShape2D
	if shape == null or not shape.shape is CircleShape2D:
		return "the player has no CollisionShape2D with a circle"
	return first([same((shape.shape as CircleShape2D).radius, 12.0, "the radius"),
		same(body.scene_file_path, "res://player.tscn", "the player's scene"),
		"" if body.global_position.distance_to(Vector2(320, 180)) < 1.0 else "it stands at %s" % body.global_position])


func moved(actions: Array) -> Vector2:
	await start()
	for coin in get_tree().get_nodes_in_group("coins"):
		coin.queue_free()
	await pass_frames(2)
	var from := player().global_position
	for action: String in actions:
		press(action)
	await pass_frames(60)
	for action: String in actions:
		press(action, false)
	await pass_frames(2)
	return player().global_position - from


func sentence_3() -> String:
	var right := await moved(["move_right"])
	if absf(right.x - 200.0) > 15.0 or absf(right.y) > 2.0:
		return "it moved by %s" % right
	await start()
	player().global_position = Vector2(100, 60)
	var from := player().global_position
	press("move_right")
	press("move_down")
	await pass_frames(60)
	press("move_right", false)
	press("move_down", false)
	var both := player().global_position - from
	return "" if absf(both.length() - 200.0) < 15.0 and both.x > 100 and both.y > 100 else "in both directions it moved by %s" % both


func sentence_4() -> String:
	await start()
	await hold("move_right", 240)
	var at := player().global_position.x
	return "" if at > 600.0 and at < 625.0 else "after four seconds of move_right its x is %s" % at


func sentence_5() -> String:
	await start()
	var coins := get_tree().get_nodes_in_group("coins")
	if coins.size() != 8:
		return same(coins.size(), 8, "the number of coins")
	var places: Array[Vector2] = [Vector2(320, 180)]
	for coin: Node in coins:
		var area := coin as Area2D
		if area == null or area.scene_file_path != "res://coin.tscn":
			return "'%s' is not an instance of res://coin.tscn with an Area2D as its root" % coin.name
		var at := area.global_position
		if not Rect2(16, 16, 608, 328).has_point(at):
			return "a coin is at %s" % at
		for other in places:
			if at.distance_to(other) < 39.9:
				return "%s and %s are too near to each other" % [at, other]
		places.append(at)
	return ""


func text(named: String) -> Label:
	return find(get_tree().current_scene, "Label", named) as Label


func take(coin: Node2D) -> void:
	player().global_position = coin.global_position
	await pass_frames(4)


func sentence_6() -> String:
	await start()
	var score := text("Score")
	if score == null or not score.get_parent() is CanvasLayer:
		return "there is no Label 'Score' in a CanvasLayer"
	if score.text != "Score: 0":
		return same(score.text, "Score: 0", "the text at first")
	var coin := get_tree().get_first_node_in_group("coins") as Node2D
	await take(coin)
	if is_instance_valid(coin):
		return "the coin is still there"
	return same(score.text, "Score: 10", "the text after a coin")


func sentence_7() -> String:
	await start()
	var won := text("Won")
	if won == null or not won.get_parent() is CanvasLayer or won.is_visible_in_tree():
		return "there is no hidden Label 'Won' in a CanvasLayer"
	while get_tree().get_nodes_in_group("coins").size() > 1:
		var before := get_tree().get_nodes_in_group("coins").size()
		await take(get_tree().get_first_node_in_group("coins") as Node2D)
		if get_tree().get_nodes_in_group("coins").size() == before:
			return "a coin cannot be taken"
	if won.is_visible_in_tree():
		return "it is shown before the last coin"
	await take(get_tree().get_first_node_in_group("coins") as Node2D)
	return "" if won.is_visible_in_tree() else "it is not shown after the last coin"


func sentence_8() -> String:
	var main: Node = await play_main()
	if main == null:
		return "there is no main scene that runs"
	await hold("move_left", 30)
	return same(main.scene_file_path, "res://room.tscn", "the main scene")
