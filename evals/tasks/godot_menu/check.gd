extends "res://_check/sentences.gd"

const SAVED := "user://settings.cfg"


func menu() -> Control:
	if FileAccess.file_exists(SAVED):
		DirAccess.remove_absolute(SAVED)
	return await play("res://settings.tscn") as Control


func sentence_1() -> String:
	if await play_main() == null:
		return "there is no main scene that runs"
	if get_tree().current_scene.scene_file_path != "res://settings.tscn":
		return "the game starts with %s" % get_tree().current_scene.scene_file_path
	for size: Vector2i in [Vector2i(1280, 720), Vector2i(640, 360)]:
		get_window().size = size
		await menu()
		var root := get_tree().current_scene as Control
		var panel := find(root, "PanelContainer") as PanelContainer
		if panel == null:
			return "there is no PanelContainer"
		if root.get_global_rect() != get_viewport().get_visible_rect():
			return "at %s the root covers %s" % [size, root.get_global_rect()]
		var seen := get_viewport().get_visible_rect()  # as large as the window, unless the project stretches it
		if panel.size.x < 360.0 or panel.size.x > seen.size.x - 40.0:
			return "at %s the panel is %s wide" % [size, panel.size.x]
		var off := panel.get_global_rect().get_center().distance_to(seen.get_center())
		if off > 1.5:
			return "at %s the panel is %s off the middle" % [size, off]
	return ""


func sentence_2() -> String:
	var root: Control = await menu()
	var title := find(root, "Label", "Title") as Label
	if title == null:
		return "there is no Label 'Title'"
	if root.theme == null or root.theme.resource_path != "res://menu_theme.tres":
		return "the root has not the theme res://menu_theme.tres"
	var back := find(root, "Button", "Back") as Button
	return first([same(title.text, "Settings", "the title"),
		same(title.get_theme_font_size("font_size"), 32, "the title's font size"),
		"the size is set on the label, not in the theme" if title.has_theme_font_size_override("font_size") or title.label_settings != null else "",
		same(back.get_theme_font_size("font_size"), 16, "a button's font size")])


func slider(root: Node, named: String) -> HSlider:
	return find(root, "HSlider", named) as HSlider


func sentence_3() -> String:
	var root: Control = await menu()
	for named: String in ["Music", "Effects"]:
		var one := slider(root, named)
		if one == null:
			return "there is no HSlider '%s'" % named
		var found := [one.min_value, one.max_value, one.step, one.value]
		if found != [0.0, 100.0, 5.0, 80.0]:
			return same(found, [0.0, 100.0, 5.0, 80.0], "from, to, step and value of %s" % named)
	return ""


func sentence_4() -> String:
	var root: Control = await menu()
	for named: String in ["Music", "Effects"]:
		var bus := AudioServer.get_bus_index(named)
		for pair: Array in [[100.0, 0.0], [50.0, -6.02]]:
			slider(root, named).value = pair[0]
			await pass_frames(1)
			if AudioServer.is_bus_mute(bus) or absf(AudioServer.get_bus_volume_db(bus) - float(pair[1])) > 0.1:
				return "at %s the bus %s is at %s dB" % [pair[0], named, AudioServer.get_bus_volume_db(bus)]
		slider(root, named).value = 0.0
		await pass_frames(1)
		if not AudioServer.is_bus_mute(bus):
			return "at 0 the bus %s is not mute" % named
		slider(root, named).value = 60.0
		await pass_frames(1)
		if AudioServer.is_bus_mute(bus):
			return "the bus %s stays mute" % named
	return ""


func sentence_5() -> String:
	var language := find(await menu(), "OptionButton", "Language") as OptionButton
	if language == null:
		return "there is no OptionButton 'Language'"
	var offered: Array[String] = []
	for index in language.item_count:
		offered.append(language.get_item_text(index))
	return same(offered, ["English", "Deutsch", "Français"] as Array[String], "what it offers")


func sentence_6() -> String:
	var root: Control = await menu()
	var reset := find(root, "Button", "Reset") as Button
	var back := find(root, "Button", "Back") as Button
	if reset == null or back == null:
		return "there are no Buttons 'Reset' and 'Back'"
	if absf(reset.size.x - back.size.x) > 1.0 or absf(reset.global_position.y - back.global_position.y) > 1.0:
		return "Reset covers %s, Back %s" % [reset.get_global_rect(), back.get_global_rect()]
	var language := find(root, "OptionButton", "Language") as OptionButton
	slider(root, "Music").value = 10
	slider(root, "Effects").value = 20
	language.select(2)
	language.item_selected.emit(2)
	await pass_frames(1)
	reset.pressed.emit()
	await pass_frames(1)
	return same([slider(root, "Music").value, slider(root, "Effects").value, language.selected], [80.0, 80.0, 0], "after Reset, all")


func focus_after(action: String) -> String:
	await hold(action, 2)
	var owner_now := get_viewport().gui_get_focus_owner()
	return "nothing" if owner_now == null else str(owner_now.name)


func sentence_7() -> String:
	await menu()
	var at := get_viewport().gui_get_focus_owner()
	var order: Array[String] = ["nothing" if at == null else str(at.name)]
	for action: String in ["ui_down", "ui_down", "ui_down", "ui_right"]:
		order.append(await focus_after(action))
	return same(order, ["Music", "Effects", "Language", "Reset", "Back"] as Array[String], "the focus")


func sentence_8() -> String:
	var root: Control = await menu()
	slider(root, "Music").value = 35
	var language := find(root, "OptionButton", "Language") as OptionButton
	language.select(1)
	language.item_selected.emit(1)
	await pass_frames(2)
	await play("res://settings.tscn")
	root = get_tree().current_scene as Control
	language = find(root, "OptionButton", "Language") as OptionButton
	var bus := AudioServer.get_bus_volume_db(AudioServer.get_bus_index("Music"))
	return first([same(FileAccess.file_exists(SAVED), true, "that there is user://settings.cfg"),
		same([slider(root, "Music").value, slider(root, "Effects").value, language.selected], [35.0, 80.0, 1], "opened again, all"),
		"" if absf(bus - linear_to_db(0.35)) < 0.1 else "opened again, the bus Music is at %s dB" % bus])
