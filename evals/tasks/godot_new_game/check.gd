extends "res://_check/sentences.gd"


func _init() -> void:
	quiet = [3]


func setting(named: String) -> Variant:
	return ProjectSettings.get_setting(named, null)


func sentence_1() -> String:
	return first([same(setting("application/config/name"), "Star Catcher", "the name"),
		same(setting("rendering/renderer/rendering_method"), "gl_compatibility", "the renderer"),
		same(Vector2i(setting("display/window/size/viewport_width"), setting("display/window/size/viewport_height")), Vector2i(480, 800), "the window"),
		same(setting("display/window/stretch/mode"), "canvas_items", "the stretch mode")])


func sentence_2() -> String:
	return actions_have_keys({"move_left": [KEY_LEFT, KEY_A], "move_right": [KEY_RIGHT, KEY_D]})


func scripts_outside(folder: String) -> Array[String]:
	var found: Array[String] = []
	for name in DirAccess.get_files_at(folder):
		if name.ends_with(".gd") and not folder.begins_with("res://scripts"):
			found.append(folder.path_join(name))
	for name in DirAccess.get_directories_at(folder):
		if name not in ["_check", "addons", ".godot"]:
			found.append_array(scripts_outside(folder.path_join(name)))
	return found


func sentence_3() -> String:
	var root: Node = await play_main(120)
	if root == null:
		return "there is no main scene that runs"
	return first([same(root.scene_file_path, "res://scenes/game.tscn", "the main scene"),
		same(scripts_outside("res://"), [] as Array[String], "the scripts elsewhere")])


func game(frames: int = 3) -> Node:
	return await play("res://scenes/game.tscn", frames)


func basket(root: Node) -> Node2D:
	return find(root, "Node2D", "Basket") as Node2D


func sentence_4() -> String:
	var body := basket(await game())
	if body == null or absf(body.global_position.y - 740.0) > 1.0:
		return "there is no Basket at y = 740"
	body.global_position.x = 240
	await hold("move_right", 15)
	var moved := body.global_position.x - 240
	await hold("move_right", 60)
	var right := body.global_position.x
	await hold("move_left", 120)
	var reached := [snappedf(body.global_position.x, 1.0), snappedf(right, 1.0)]
	return first(["" if absf(moved - 100.0) < 12.0 else "in a quarter of a second it moves %s pixels" % moved,
		same(reached, [40.0, 440.0], "how far it goes")])


func stars() -> Array[Node]:
	return get_tree().get_nodes_in_group("stars").filter(func(star: Node) -> bool: return not star.is_queued_for_deletion())


func sentence_5() -> String:
	await game(0)
	var seen := {}
	for _i in 195:
		await pass_frames(1)
		for star: Node2D in stars():
			if not seen.has(star):
				seen[star] = star.global_position
				if star.global_position.y > 40.0 or star.global_position.x < 20.0 or star.global_position.x > 460.0:
					return "a star appears at %s" % star.global_position
	if seen.size() < 5 or seen.size() > 7:
		return "in 3.25 seconds appear %d stars" % seen.size()
	var places := {}
	for place: Vector2 in seen.values():
		places[roundi(place.x)] = true
	if places.size() < 3:
		return "the stars are not at random places"
	var one := stars()[-1] as Node2D
	var from := one.global_position
	await pass_frames(30)
	return "" if absf(one.global_position.y - from.y - 100.0) < 10.0 else "in half a second a star falls %s" % (one.global_position.y - from.y)


func some_star(root: Node) -> Node2D:
	for _i in 60:
		if not stars().is_empty():
			break
		await pass_frames(1)
	return null if stars().is_empty() else stars()[0] as Node2D


func text(root: Node, named: String) -> String:
	var label := find(root, "Label", named) as Label
	return "(no Label %s)" % named if label == null else label.text


func sentence_6() -> String:
	var root: Node = await game()
	var star: Node2D = await some_star(root)
	if star == null:
		return "there is no star"
	star.global_position = basket(root).global_position - Vector2(0, 60)
	await pass_frames(40)
	return first([same(text(root, "Score"), "Score: 1", "the text"),
		"" if not is_instance_valid(star) else "the star is still there"])


func miss(root: Node) -> void:
	var star: Node2D = await some_star(root)
	if star != null:
		basket(root).global_position.x = 440
		star.global_position = Vector2(60, 800)
		await pass_frames(12)


func sentence_7() -> String:
	var root: Node = await game()
	if text(root, "Lives") != "Lives: 3":
		return same(text(root, "Lives"), "Lives: 3", "the text at first")
	await miss(root)
	return same(text(root, "Lives"), "Lives: 2", "the text")


func sentence_8() -> String:
	var root: Node = await game()
	var over := find(root, "Label", "GameOver") as Label
	if over == null or over.is_visible_in_tree():
		return "there is no hidden Label 'GameOver'"
	for _i in 3:
		await miss(root)
	if not over.is_visible_in_tree():
		return "after three misses it is not shown"
	var before := stars()
	await pass_frames(90)
	for star in stars():
		if star not in before:
			return "a new star appears"
	return ""
