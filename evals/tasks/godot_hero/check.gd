extends "res://_check/sentences.gd"


func hero() -> Node:
	return await play("res://hero.tscn")


func body(root: Node) -> AnimatedSprite2D:
	return find(root, "AnimatedSprite2D", "Body") as AnimatedSprite2D


func sentence_1() -> String:
	var sprite := body(await hero())
	if sprite == null or sprite.sprite_frames == null:
		return "there is no AnimatedSprite2D 'Body' with frames"
	var frames := sprite.sprite_frames
	var names := Array(frames.get_animation_names())
	names.sort()
	if names != ["idle", "walk"]:
		return same(names, ["idle", "walk"], "the animations")
	for one: Array in [["idle", 4.0, [0, 1]], ["walk", 10.0, [2, 3, 4, 5]]]:
		var places: Array[Rect2] = []
		for index in frames.get_frame_count(one[0]):
			var part := frames.get_frame_texture(one[0], index) as AtlasTexture
			if part == null or part.atlas == null or part.atlas.resource_path != "res://hero.png":
				return "frame %d of %s is no part of res://hero.png" % [index, one[0]]
			if frames.get_frame_duration(one[0], index) != 1.0:
				return "frame %d of %s does not last as long as the others" % [index, one[0]]
			places.append(part.region)
		var expected: Array[Rect2] = []
		for column: int in one[2]:
			expected.append(Rect2(column * 16, 0, 16, 16))
		var fault := first([same(places, expected, "the parts of %s" % one[0]),
			same(frames.get_animation_speed(one[0]), one[1], "the speed of %s" % one[0]),
			same(frames.get_animation_loop(one[0]), true, "that %s loops" % one[0])])
		if fault != "":
			return fault
	return ""


func playing(root: Node) -> String:
	return str(body(root).animation) if body(root).is_playing() else "nothing"


func sentence_2() -> String:
	var root: Node = await hero()
	var played := [playing(root)]
	for walking: bool in [true, false]:
		root.set("walking", walking)
		await pass_frames(2)
		played.append(playing(root))
	return same(played, ["idle", "walk", "idle"], "what is played")


func sentence_3() -> String:
	var root: Node = await hero()
	var mirrored: Array[bool] = []
	for direction: int in [-1, 1]:
		root.set("direction", direction)
		await pass_frames(2)
		mirrored.append(body(root).flip_h or body(root).global_transform.get_scale().x < 0 or body(root).scale.x < 0)
	return same(mirrored, [true, false] as Array[bool], "whether it is mirrored")


func actions(root: Node) -> AnimationPlayer:
	return find(root, "AnimationPlayer", "Actions") as AnimationPlayer


func sentence_4() -> String:
	var player := actions(await hero())
	if player == null or not player.has_animation("hit"):
		return "there is no AnimationPlayer 'Actions' with an animation 'hit'"
	var hit := player.get_animation("hit")
	return first([same(hit.length, 0.6, "its length") if not is_equal_approx(hit.length, 0.6) else "",
		same(hit.loop_mode, Animation.LOOP_NONE, "its loop mode"),
		same(player.has_animation("RESET"), true, "that there is RESET")])


func at(seconds: float) -> AnimatedSprite2D:
	var root: Node = await hero()
	actions(root).play("hit")
	actions(root).seek(seconds, true)
	return body(root)


func sentence_5() -> String:
	for pair: Array in [[0.0, Color.WHITE], [0.1, Color.RED], [0.4, Color.WHITE]]:
		var sprite: AnimatedSprite2D = await at(pair[0])
		var tint := sprite.modulate * sprite.self_modulate
		if not tint.is_equal_approx(pair[1]):
			return same(tint, pair[1], "the tint at %s" % pair[0])
	return ""


func sentence_6() -> String:
	for pair: Array in [[0.2, Vector2(4, 0)], [0.3, Vector2(-4, 0)], [0.6, Vector2.ZERO]]:
		var sprite: AnimatedSprite2D = await at(pair[0])
		if not sprite.position.is_equal_approx(pair[1]) and not (sprite.position + sprite.offset).is_equal_approx(pair[1]):
			return same(sprite.position, pair[1], "the position at %s" % pair[0])
	return ""


func sentence_7() -> String:
	var root: Node = await hero()
	var hit := actions(root).get_animation("hit")
	var methods := range(hit.get_track_count()).any(func(track: int) -> bool: return hit.track_get_type(track) == Animation.TYPE_METHOD)
	if not methods:
		return "'hit' has no method track"
	if not root.has_signal("recovered"):
		return "there is no signal 'recovered'"
	var times: Array[int] = [0, 0]
	var count := func() -> void: times[0] += 1
	root.connect("recovered", count)
	root.call("hurt")
	await pass_frames(20)
	times[1] = times[0]
	await pass_frames(40)
	return same([times[1], times[0]], [0, 1], "how often it was emitted after 0.33 s and after 1 s")


func sentence_8() -> String:
	var sprite := body(await hero())
	var own: int = sprite.texture_filter
	var of_project: int = ProjectSettings.get_setting("rendering/textures/canvas_textures/default_texture_filter", 1)
	if own == CanvasItem.TEXTURE_FILTER_NEAREST or own == CanvasItem.TEXTURE_FILTER_PARENT_NODE and of_project == 0:
		return ""
	var above := sprite.get_parent() as CanvasItem
	return "" if above != null and above.texture_filter == CanvasItem.TEXTURE_FILTER_NEAREST else "the filter is %s" % own
