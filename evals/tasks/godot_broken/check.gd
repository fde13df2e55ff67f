extends "res://_check/sentences.gd"


func _init() -> void:
	quiet = [1, 2, 3, 4, 5, 6, 7]


func state() -> Node:
	return get_node_or_null("/root/GameState")


func main() -> Node:
	if state() != null:
		state().set("keys", 0)
	return await play("res://scenes/main.tscn", 20)


func hero(root: Node) -> CharacterBody2D:
	return find(root, "CharacterBody2D", "Hero") as CharacterBody2D


func sentence_1() -> String:
	var root: Node = await play_main()
	if root == null:
		return "the main scene does not start"
	await hold("ui_right", 60)
	await hold("jump", 10)
	return first([same(root.scene_file_path, "res://scenes/main.tscn", "the main scene"),
		"" if state() != null else "there is no GameState"])


func sentence_2() -> String:
	var body := hero(await main())
	var from := body.global_position.x
	await hold("ui_right", 30)
	return "" if body.global_position.x - from >= 60.0 else "it went %s pixels" % (body.global_position.x - from)


func sentence_3() -> String:
	var fault := actions_have_keys({"jump": [KEY_SPACE]})
	if fault != "":
		return fault
	var body := hero(await main())
	await pass_frames(30)
	var from := body.global_position.y
	press("jump")
	await pass_frames(12)
	press("jump", false)
	return "" if body.global_position.y < from - 20.0 else "after 0.2 s it is %s pixels higher" % (from - body.global_position.y)


func touch(root: Node, key: String) -> void:
	hero(root).global_position = (find(root, "Area2D", key) as Node2D).global_position - Vector2(0, 5)
	await pass_frames(5)


func sentence_4() -> String:
	var root: Node = await main()
	await touch(root, "Key1")
	return first([same(state().get("keys"), 1, "GameState.keys"),
		"" if find(root, "Area2D", "Key1") == null else "the key is still there"])


func label(root: Node, named: String) -> Label:
	return find(find(root, "CanvasLayer", "Display"), "Label", named) as Label


func sentence_5() -> String:
	var root: Node = await main()
	var texts := [label(root, "Keys").text]
	await touch(root, "Key1")
	texts.append(label(root, "Keys").text)
	return same(texts, ["Keys: 0 / 3", "Keys: 1 / 3"], "the texts")


func sentence_6() -> String:
	var root: Node = await main()
	var door := find(root, "StaticBody2D", "Door") as Node2D
	var shape := find(door, "CollisionShape2D") as CollisionShape2D
	for key: String in ["Key1", "Key2"]:
		await touch(root, key)
	if shape.disabled or not door.visible:
		return "with two keys the door is open"
	await touch(root, "Key3")
	return "" if shape.disabled and not door.visible else "with three keys the door is not open"


func sentence_7() -> String:
	var root: Node = await main()
	if label(root, "Message").visible:
		return "the message is shown at first"
	for key: String in ["Key1", "Key2", "Key3"]:
		await touch(root, key)
	return "" if label(root, "Message").is_visible_in_tree() else "the message is not shown"


func sentence_8() -> String:
	var root: Node = await main()
	for path: String in ["Hero/Shape", "Ground/Shape", "Key1/Shape", "Key2/Shape", "Key3/Shape", "Door/Shape", "Display/Rows/Keys", "Display/Rows/Message"]:
		if root == null or not root.has_node(path):
			return "there is no %s" % path
	return ""
