extends "module.gd"
## Resources as the engine saves them, into a folder outside of the project: what becomes of them is not decided here.

var _older: MeshLibrary


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
		_tell(number + 1, paths.size(), path)
	return saved


## Makes a mesh library of a scene's meshes, as the editor does. What an older one has keeps its number, by which the
## cells of a grid know it.
func mesh_library(params: Dictionary) -> Dictionary:
	var packed: PackedScene = ResourceLoader.load(
		params["scene"] as String, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP
	) as PackedScene
	var root: Node = packed.instantiate() if packed != null else null
	if root == null:
		return {"loads": false}
	var library: MeshLibrary = MeshLibrary.new()
	_older = null
	if params.has("older"):
		_older = ResourceLoader.load(params["older"] as String, "", ResourceLoader.CACHE_MODE_IGNORE) as MeshLibrary
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
		var named: String = str(_whole(instance).name)
		known.append(named)
		if names.is_empty() or names.has(named):
			_add(instance, library)
	for child: Node in node.get_children():
		_collect(child, library, names, known)


## What a mesh stands for: the body around it, if it is the only mesh of one.
func _whole(instance: MeshInstance3D) -> Node3D:
	var body: StaticBody3D = instance.get_parent() as StaticBody3D
	if body == null or body.get_parent() == null:
		return instance
	var others: Array = body.get_children().filter(func(child: Node) -> bool: return child is MeshInstance3D)
	return body if others.size() == 1 else instance


func _number(named: String, library: MeshLibrary) -> int:
	var old: int = _older.find_item_by_name(named) if _older != null else -1
	if old >= 0 and not library.get_item_list().has(old):
		return old
	var next: int = library.get_last_unused_item_id()
	return next if _older == null else maxi(next, _older.get_last_unused_item_id())


func _add(instance: MeshInstance3D, library: MeshLibrary) -> void:
	var whole: Node3D = _whole(instance)
	var id: int = _number(whole.name, library)
	library.create_item(id)
	library.set_item_name(id, whole.name)
	library.set_item_mesh(id, _dressed(instance))
	# Asked for by name: a script that named it would not load in an engine that is too old to have it.
	if library.has_method(&"set_item_mesh_cast_shadow"):
		library.call(&"set_item_mesh_cast_shadow", id, _shadow(instance))
	var shapes: Array = []
	if whole is StaticBody3D:
		library.set_item_mesh_transform(id, instance.transform)
		_add_shapes(whole as StaticBody3D, Transform3D.IDENTITY, shapes)
	for child: Node in instance.get_children():
		if child is StaticBody3D:
			_add_shapes(child as StaticBody3D, (child as StaticBody3D).transform, shapes)
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


func _add_shapes(body: StaticBody3D, at: Transform3D, shapes: Array) -> void:
	for owner_id: int in body.get_shape_owners():
		if body.is_shape_owner_disabled(owner_id):
			continue
		var place: Transform3D = at * body.shape_owner_get_transform(owner_id)
		for number: int in body.shape_owner_get_shape_count(owner_id):
			shapes.append(body.shape_owner_get_shape(owner_id, number))
			shapes.append(place)
