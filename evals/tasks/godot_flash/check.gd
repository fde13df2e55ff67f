# needs a screen
extends "res://_check/sentences.gd"

const BLUE := Color(0.2, 0.4, 0.8)


func uniforms(path: String) -> Dictionary:
	var shader: Shader = load(path) as Shader if ResourceLoader.exists(path) else null
	var found := {}
	if shader != null and shader.get_mode() == Shader.MODE_CANVAS_ITEM:
		for one: Dictionary in shader.get_shader_uniform_list():
			found[one["name"]] = one
	return found


# A picture of a sprite with a material, alone in front of nothing.
func drawn(material: Material, settings: Dictionary = {}) -> Image:
	var view := SubViewport.new()
	view.size = Vector2i(32, 32)
	view.transparent_bg = true
	view.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	var sprite := (load("res://target.tscn") as PackedScene).instantiate() as Sprite2D
	sprite.set_script(null)
	sprite.position = Vector2(16, 16)
	sprite.material = null
	if material != null:
		sprite.material = material.duplicate()
		for key: String in settings:
			(sprite.material as ShaderMaterial).set_shader_parameter(key, settings[key])
	view.add_child(sprite)
	add_child(view)
	for _i in 4:
		await RenderingServer.frame_post_draw
	var picture := view.get_texture().get_image()
	view.queue_free()
	return picture


func flashed(amount: float, tint: Color = Color.WHITE) -> Image:
	var material := ShaderMaterial.new()
	material.shader = load("res://flash.gdshader")
	return await drawn(material, {"amount": amount, "tint": tint})


func is_like(found: Color, expected: Color) -> bool:
	var gap := maxf(maxf(absf(found.r - expected.r), absf(found.g - expected.g)), absf(found.b - expected.b))
	return maxf(gap, absf(found.a - expected.a)) < 0.03


func sentence_1() -> String:
	var found := uniforms("res://flash.gdshader")
	if not found.has("amount") or not found.has("tint"):
		return "a canvas_item shader with 'amount' and 'tint' does not compile; found %s" % [found.keys()]
	var material := ShaderMaterial.new()
	material.shader = load("res://flash.gdshader")
	var plain: Color = (await drawn(material)).get_pixel(16, 16)
	var full: Color = (await drawn(material, {"amount": 1.0})).get_pixel(16, 16)
	return first([same(found["amount"]["type"], TYPE_FLOAT, "the type of amount"),
		same(str(found["tint"]["type"]), str(TYPE_COLOR), "the type of tint"),
		reach(found["amount"]),
		"" if is_like(plain, BLUE) else "amount is not 0 by default: the disc is %s" % plain,
		"" if is_like(full, Color.WHITE) else "tint is not white by default: the disc becomes %s" % full])


# What is wrong with the range of a uniform that is to go from 0 to 1.
func reach(uniform: Dictionary) -> String:
	var ends := str(uniform["hint_string"]).split(",")
	var right: bool = uniform["hint"] == PROPERTY_HINT_RANGE and float(ends[0]) == 0.0 and float(ends[1]) == 1.0
	return "" if right else "the range of %s is %s" % [uniform["name"], uniform["hint_string"]]


func sentence_2() -> String:
	if uniforms("res://flash.gdshader").is_empty():
		return "there is no shader that compiles"
	var plain: Image = await drawn(null)
	var with: Image = await flashed(0.0)
	for y in 32:
		for x in 32:
			if not is_like(with.get_pixel(x, y), plain.get_pixel(x, y)):
				return "(%d, %d) is %s, without a shader %s" % [x, y, with.get_pixel(x, y), plain.get_pixel(x, y)]
	return ""


func sentence_3() -> String:
	if uniforms("res://flash.gdshader").is_empty():
		return "there is no shader that compiles"
	var full: Image = await flashed(1.0, Color.RED)
	var half: Image = await flashed(0.5, Color.RED)
	for place: Vector2i in [Vector2i(16, 16), Vector2i(8, 16), Vector2i(16, 24)]:
		if not is_like(full.get_pixelv(place), Color.RED):
			return "with 1 %s is %s" % [place, full.get_pixelv(place)]
		if not is_like(half.get_pixelv(place), BLUE.lerp(Color.RED, 0.5)):
			return "with 0.5 %s is %s" % [place, half.get_pixelv(place)]
	return "" if full.get_pixel(0, 0).a < 0.02 and half.get_pixel(31, 31).a < 0.02 else "a corner is not transparent"


func targets() -> Array[Sprite2D]:
	await play("res://target.tscn")
	var found: Array[Sprite2D] = []
	for _i in 2:
		var one := (load("res://target.tscn") as PackedScene).instantiate() as Sprite2D
		get_tree().current_scene.add_child(one)
		found.append(one)
	await pass_frames(2)
	return found


func amount(one: Sprite2D) -> float:
	var value: Variant = (one.material as ShaderMaterial).get_shader_parameter("amount")
	return 0.0 if value == null else float(value)


func sentence_4() -> String:
	var both: Array[Sprite2D] = await targets()
	var material := both[0].material as ShaderMaterial
	if material == null or material.shader == null or material.shader.resource_path != "res://flash.gdshader":
		return "the sprite has no ShaderMaterial with res://flash.gdshader"
	both[0].call("flash")
	await pass_frames(1)
	return "" if amount(both[0]) > 0.5 and amount(both[1]) == 0.0 else "after one flashed, their amounts are %s and %s" % [amount(both[0]), amount(both[1])]


func sentence_5() -> String:
	var both: Array[Sprite2D] = await targets()
	var script := both[0].get_script() as Script
	if script == null or script.resource_path != "res://target.gd":
		return "the script is not res://target.gd"
	both[0].call("flash")
	if amount(both[0]) < 0.99:
		return "at once it is %s" % amount(both[0])
	await pass_frames(9)
	var half := amount(both[0])
	await pass_frames(13)
	return "" if absf(half - 0.5) < 0.12 and amount(both[0]) < 0.01 else "after 0.15 s it is %s, after 0.37 s %s" % [half, amount(both[0])]


func dissolve() -> ShaderMaterial:
	return load("res://dissolve.tres") as ShaderMaterial if ResourceLoader.exists("res://dissolve.tres") else null


func sentence_6() -> String:
	var found := uniforms("res://dissolve.gdshader")
	if not found.has("progress") or not found.has("noise"):
		return "a canvas_item shader with 'progress' and 'noise' does not compile; found %s" % [found.keys()]
	var material := dissolve()
	if material == null or material.shader == null or material.shader.resource_path != "res://dissolve.gdshader":
		return "res://dissolve.tres is no ShaderMaterial with res://dissolve.gdshader"
	return first([reach(found["progress"]),
		"" if material.get_shader_parameter("noise") is NoiseTexture2D else "its noise is no NoiseTexture2D"])


func opaque(picture: Image) -> int:
	var count := 0
	for y in 32:
		for x in 32:
			count += 1 if picture.get_pixel(x, y).a > 0.5 else 0
	return count


func sentence_7() -> String:
	var material := dissolve()
	if material == null:
		return "there is no res://dissolve.tres"
	var noise := material.get_shader_parameter("noise") as NoiseTexture2D
	if noise != null and noise.get_image() == null:
		await noise.changed
	var whole := opaque(await drawn(null))
	var left: Array[float] = []
	for progress: float in [0.0, 0.5, 1.0]:
		left.append(float(opaque(await drawn(material, {"progress": progress}))) / whole)
	var right := left[0] > 0.99 and left[1] > 0.2 and left[1] < 0.8 and left[2] < 0.01
	return "" if right else "of its pixels are left: %s" % [left]
