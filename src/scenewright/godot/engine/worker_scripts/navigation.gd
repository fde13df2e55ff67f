extends "module.gd"
## Navigation, as the engine bakes it.


## Bakes the region of a scene with the mesh as it is given, and returns the vertices and polygons as text.
## The scene's scripts are taken off before it enters the tree, so that no `_ready` or `_process` runs.
func bake(params: Dictionary) -> Dictionary:
	var packed: PackedScene = ResourceLoader.load(params["scene"] as String, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP)
	var scene: Node = packed.instantiate() if packed != null else null
	if scene == null:
		return {"loads": false}
	_without_scripts(scene)
	_worker.root.add_child(scene)
	# Tile maps and CSG shapes put their geometry together a frame later.
	for _frame: int in 3:
		await _worker.process_frame
	var found: Dictionary = _baked(scene.get_node(params["node"] as String), params["settings"] as Dictionary)
	scene.queue_free()
	await _worker.process_frame
	return found


func _baked(region: Node, settings: Dictionary) -> Dictionary:
	var is_flat: bool = region is NavigationRegion2D
	var property: String = "navigation_polygon" if is_flat else "navigation_mesh"
	var mesh: Resource = region.get(property)
	if mesh == null:
		mesh = NavigationPolygon.new() if is_flat else NavigationMesh.new()
	for name: String in settings:
		mesh.set(name, str_to_var(settings[name] as String))
	if is_flat:
		var outlines: NavigationPolygon = mesh
		var region_2d: NavigationRegion2D = region
		region_2d.navigation_polygon = outlines
		region_2d.bake_navigation_polygon(false)
	else:
		var region_3d: NavigationRegion3D = region
		region_3d.navigation_mesh = mesh as NavigationMesh
		region_3d.bake_navigation_mesh(false)
	mesh = region.get(property)
	var polygons: Array = mesh.get("polygons")
	return {"loads": true, "vertices": var_to_str(mesh.get("vertices")), "polygons": var_to_str(polygons),
		"count": polygons.size()}


func _without_scripts(node: Node) -> void:
	node.set_script(null)
	node.process_mode = Node.PROCESS_MODE_DISABLED
	for child: Node in node.get_children(true):
		_without_scripts(child)
