extends "module.gd"
## Resources as the engine saves them, into a folder outside of the project: what becomes of them is not decided here.


## Saves files of the project anew; each under its number. What is wrong is printed, with a mark before each.
func again(params: Dictionary) -> Array:
	var paths: Array = params["paths"]
	var saved: Array = []
	for number: int in paths.size():
		var path: String = paths[number]
		printerr("@scenewright file ", path)
		var resource: Resource = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		var place: String = (params["folder"] as String).path_join("%d.%s" % [number, path.get_extension()])
		saved.append(place if resource != null and ResourceSaver.save(resource, place) == OK else "")
		_worker.tell(number + 1, paths.size(), path)
	return saved


## Makes a mesh library of a scene's meshes, as the editor does.
func mesh_library(params: Dictionary) -> Dictionary:
	var packed: PackedScene = ResourceLoader.load(
		params["scene"] as String, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP
	) as PackedScene
	var root: Node = packed.instantiate() if packed != null else null
	if root == null:
		return {"loads": false}
	var library: MeshLibrary = MeshLibrary.new()
	var names: Array = params["names"]
	var known: Array = []
	_collect(root, library, names, known)
	root.free()
	var saved: bool = ResourceSaver.save(library, params["place"] as String) == OK
	var items: Array = []
	for id: int in library.get_item_list():
		items.append({
			"id": id, "name": library.get_item_name(id), "shapes": library.get_item_shapes(id).size() >> 1,
			"navigation": library.get_item_navigation_mesh(id) != null,
		})
	return {"loads": true, "saved": saved, "items": items, "known": known}


func _collect(node: Node, library: MeshLibrary, names: Array, known: Array) -> void:
	var instance: MeshInstance3D = node as MeshInstance3D
	if instance != null and instance.mesh != null:
		known.append(str(node.name))
		if names.is_empty() or names.has(str(node.name)):
			_add(instance, library)
	for child: Node in node.get_children():
		_collect(child, library, names, known)


func _add(instance: MeshInstance3D, library: MeshLibrary) -> void:
	var id: int = library.get_last_unused_item_id()
	library.create_item(id)
	library.set_item_name(id, instance.name)
	library.set_item_mesh(id, _dressed(instance))
	# Asked for by name: a script that named it would not load in an engine that is too old to have it.
	if library.has_method(&"set_item_mesh_cast_shadow"):
		library.call(&"set_item_mesh_cast_shadow", id, _shadow(instance))
	var shapes: Array = []
	for child: Node in instance.get_children():
		if child is StaticBody3D:
			_add_shapes(child as StaticBody3D, shapes)
		elif child is NavigationRegion3D and (child as NavigationRegion3D).navigation_mesh != null:
			var region: NavigationRegion3D = child as NavigationRegion3D
			library.set_item_navigation_mesh(id, region.navigation_mesh)
			library.set_item_navigation_mesh_transform(id, region.transform)
			library.set_item_navigation_layers(id, region.navigation_layers)
	library.set_item_shapes(id, shapes)


## The mesh with the materials that the node lays over it.
func _dressed(instance: MeshInstance3D) -> Mesh:
	var mesh: Mesh = instance.mesh
	var copied: bool = false
	for surface: int in mesh.get_surface_count():
		var over: Material = instance.get_surface_override_material(surface)
		if instance.material_override != null:
			over = instance.material_override
		if over != null:
			if not copied:
				mesh = mesh.duplicate() as Mesh
				copied = true
			mesh.surface_set_material(surface, over)
	return mesh


func _shadow(instance: MeshInstance3D) -> RenderingServer.ShadowCastingSetting:
	return instance.cast_shadow as int as RenderingServer.ShadowCastingSetting


func _add_shapes(body: StaticBody3D, shapes: Array) -> void:
	for owner_id: int in body.get_shape_owners():
		if body.is_shape_owner_disabled(owner_id):
			continue
		var place: Transform3D = body.transform * body.shape_owner_get_transform(owner_id)
		for number: int in body.shape_owner_get_shape_count(owner_id):
			shapes.append(body.shape_owner_get_shape(owner_id, number))
			shapes.append(place)
