extends "res://_check/sentences.gd"

const CLOSED := Vector3(0, 1.5, -5)
const OPEN := Vector3(0, 4.5, -5)


func hall() -> Node:
	return await play("res://hall.tscn")


func sentence_1() -> String:
	var scene: Node = await hall()
	var light := find(scene, "DirectionalLight3D") as DirectionalLight3D
	var world := find(scene, "WorldEnvironment") as WorldEnvironment
	if light == null or not light.shadow_enabled or not light.is_visible_in_tree():
		return "there is no DirectionalLight3D with shadows"
	if light.global_basis.z.y < 0.1:
		return "the light is not turned downwards"
	if world == null or world.environment == null or world.environment.background_mode != Environment.BG_SKY:
		return "there is no WorldEnvironment with a sky as its background"
	var sky := world.environment.sky
	return "" if sky != null and sky.sky_material is ProceduralSkyMaterial else "the sky has no ProceduralSkyMaterial"


func sentence_2() -> String:
	await hall()
	var camera := get_viewport().get_camera_3d()
	if camera == null:
		return "no camera is current"
	if camera.global_position.z <= -5.0:
		return "the camera is at %s" % camera.global_position
	return "" if camera.global_position.z > 0.0 and camera.is_position_in_frustum(CLOSED) else "it does not see the door from %s" % camera.global_position


func door(scene: Node) -> AnimatableBody3D:
	return find(scene, "AnimatableBody3D", "Door") as AnimatableBody3D


func is_near(body: Node3D, place: Vector3) -> bool:
	return body.global_position.distance_to(place) < 0.05


func sentence_3() -> String:
	var body := door(await hall())
	if body == null:
		return "there is no AnimatableBody3D 'Door'"
	var mesh := find(body, "MeshInstance3D") as MeshInstance3D
	var shape := find(body, "CollisionShape3D") as CollisionShape3D
	if mesh == null or not mesh.mesh is BoxMesh or shape == null or not shape.shape is BoxShape3D:
		return "the door has no box as its mesh, or none to collide with"
	return first([
		same((mesh.mesh as BoxMesh).size, Vector3(2, 3, 0.2), "the mesh's size"),
		same((shape.shape as BoxShape3D).size, Vector3(2, 3, 0.2), "the shape's size"),
		"" if is_near(mesh, body.global_position) and is_near(shape, body.global_position) else "mesh or shape is not where the door is",
		"" if is_near(body, CLOSED) else "the door is at %s" % body.global_position])


func sentence_4() -> String:
	var area := find(await hall(), "Area3D", "Trigger") as Area3D
	var shape := find(area, "CollisionShape3D") as CollisionShape3D
	if shape == null or not shape.shape is BoxShape3D:
		return "there is no Area3D 'Trigger' with a box"
	return first([
		same((shape.shape as BoxShape3D).size, Vector3(4, 2, 4), "the box's size"),
		"" if is_near(shape, Vector3(0, 1, -3)) else "the trigger is at %s" % shape.global_position,
		same(area.collision_mask, 2, "the collision mask"),
		same(ProjectSettings.get_setting("layer_names/3d_physics/layer_2", ""), "player", "the name of layer 2")])


func visitor(layer: int) -> CharacterBody3D:
	var body := CharacterBody3D.new()
	var shape := CollisionShape3D.new()
	shape.shape = CapsuleShape3D.new()
	body.add_child(shape)
	body.collision_layer = layer
	body.position = Vector3(0, 1.1, -3)
	return body


func sentence_5() -> String:
	var scene: Node = await hall()
	var body := door(scene)
	if not is_near(body, CLOSED):
		return "the door is not closed at first"
	scene.add_child(visitor(2))
	await pass_frames(8)
	if is_near(body, OPEN):
		return "the door jumps"
	await pass_frames(56)
	return "" if is_near(body, OPEN) else "after a second the door is at %s" % body.global_position


func sentence_6() -> String:
	var scene: Node = await hall()
	var body := door(scene)
	var guest := visitor(2)
	scene.add_child(guest)
	await pass_frames(90)
	if is_near(body, CLOSED):
		return "the door did not open"
	guest.global_position = Vector3(0, 1.1, 8)
	await pass_frames(64)
	return "" if is_near(body, CLOSED) else "a second later the door is at %s" % body.global_position


func sentence_7() -> String:
	var scene: Node = await hall()
	var body := door(scene)
	scene.add_child(visitor(1))
	await pass_frames(90)
	return "" if is_near(body, CLOSED) else "the door is at %s" % body.global_position


func sentence_8() -> String:
	var scene: Node = await hall()
	for number in range(1, 5):
		var pillar := find(scene, "MeshInstance3D", "Pillar%d" % number) as MeshInstance3D
		if pillar == null or pillar.mesh == null:
			return "there is no MeshInstance3D 'Pillar%d' with a mesh" % number
		var material := pillar.get_active_material(0) as StandardMaterial3D
		if material == null or material.resource_path != "res://stone.tres":
			return "Pillar%d does not have the material res://stone.tres" % number
		if not is_equal_approx(material.roughness, 0.9):
			return same(material.roughness, 0.9, "the roughness")
	return ""
