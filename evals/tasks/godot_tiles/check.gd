extends "res://_check/sentences.gd"

const TILES := [Vector2i(0, 0), Vector2i(1, 0), Vector2i(2, 0), Vector2i(3, 0)]


var tiles_held: TileSet  # an atlas forgets its layers when its tile set goes


func tile_set() -> TileSet:
	if tiles_held == null and ResourceLoader.exists("res://tiles.tres"):
		tiles_held = load("res://tiles.tres") as TileSet
	return tiles_held


func source() -> TileSetAtlasSource:
	var tiles := tile_set()
	return tiles.get_source(tiles.get_source_id(0)) as TileSetAtlasSource if tiles != null and tiles.get_source_count() > 0 else null


func sentence_1() -> String:
	var tiles := tile_set()
	if tiles == null or source() == null:
		return "res://tiles.tres is no tile set with an atlas"
	for tile: Vector2i in TILES:
		if not source().has_tile(tile):
			return "the atlas has no tile %s" % tile
	return first([same(tiles.tile_size, Vector2i(16, 16), "the size of a tile"),
		same(source().texture.resource_path, "res://tiles.png", "the texture"),
		same(source().texture_region_size, Vector2i(16, 16), "the size of a tile in the texture"),
		same(tiles.get_physics_layers_count(), 1, "the number of physics layers")])


func covered(tile: Vector2i) -> Rect2:
	var data := source().get_tile_data(tile, 0)
	var area := Rect2()
	for polygon in data.get_collision_polygons_count(0):
		var points := data.get_collision_polygon_points(0, polygon)
		var own := Rect2(points[0], Vector2.ZERO)
		for point in points:
			own = own.expand(point)
		area = own if area == Rect2() else area.merge(own)
	return area


func sentence_2() -> String:
	if source() == null:
		return "there is no atlas"
	for tile: Vector2i in [TILES[0], TILES[1]]:
		if covered(tile) != Rect2(-8, -8, 16, 16):
			return "the shape of %s covers %s" % [tile, covered(tile)]
		if source().get_tile_data(tile, 0).is_collision_polygon_one_way(0, 0):
			return "%s is one-way" % tile
	var plank := source().get_tile_data(TILES[2], 0)
	if plank.get_collision_polygons_count(0) == 0 or not plank.is_collision_polygon_one_way(0, 0):
		return "the plank is not one-way"
	return same(source().get_tile_data(TILES[3], 0).get_collision_polygons_count(0), 0, "the number of shapes of the spikes")


func sentence_3() -> String:
	if source() == null:
		return "there is no atlas"
	var layer := tile_set().get_custom_data_layer_by_name("damage")
	if layer < 0:
		return "there is no custom data layer 'damage'"
	var found: Array = TILES.map(func(tile: Vector2i) -> Variant: return source().get_tile_data(tile, 0).get_custom_data("damage"))
	return first([same(tile_set().get_custom_data_layer_type(layer), TYPE_INT, "its type"), same(found, [0, 0, 0, 2], "the damage")])


func ground() -> TileMapLayer:
	return find(await play("res://level.tscn"), "TileMapLayer", "Ground") as TileMapLayer


func painted(cells: TileMapLayer, columns: Array, rows: Array, tile: Vector2i) -> String:
	for row: int in rows:
		for column: int in columns:
			var found := cells.get_cell_atlas_coords(Vector2i(column, row))
			if found != tile:
				return same(found, tile, "the tile in column %d of row %d" % [column, row])
	return ""


func sentence_4() -> String:
	var cells: TileMapLayer = await ground()
	if cells == null or cells.tile_set == null or cells.tile_set.resource_path != "res://tiles.tres":
		return "there is no TileMapLayer 'Ground' with res://tiles.tres"
	var columns := range(0, 18) + range(22, 40)
	return first([same(cells.global_position, Vector2.ZERO, "its place"),
		painted(cells, columns, [10], TILES[0]), painted(cells, columns, [11, 12], TILES[1])])


func sentence_5() -> String:
	var cells: TileMapLayer = await ground()
	return first([painted(cells, range(18, 22), [12], TILES[3]), painted(cells, range(18, 22), range(0, 12), Vector2i(-1, -1))])


func sentence_6() -> String:
	var cells: TileMapLayer = await ground()
	return first([painted(cells, range(5, 10), [7], TILES[2]), painted(cells, range(13, 18), [5], TILES[2]),
		painted(cells, range(26, 31), [7], TILES[2]), same(cells.get_used_cells().size(), 36 * 3 + 4 + 15, "the number of tiles")])


func ball(place: Vector2) -> CharacterBody2D:
	var body := CharacterBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	(shape.shape as CircleShape2D).radius = 6.0
	body.add_child(shape)
	body.position = place
	get_tree().current_scene.add_child(body)
	return body


func move(body: CharacterBody2D, frames: int) -> void:
	for _i in frames:
		body.velocity.y += 900.0 / 60.0
		body.move_and_slide()
		await get_tree().physics_frame


func sentence_7() -> String:
	await ground()
	var body := ball(Vector2(48, 100))
	await move(body, 90)
	if absf(body.position.y - 154.0) > 1.5:
		return "the falling body ends at y = %s" % body.position.y
	body.position = Vector2(120, 150)
	body.velocity = Vector2(0, -430)
	await move(body, 120)
	return "" if absf(body.position.y - 106.0) < 9.0 else "the rising body ends at y = %s" % body.position.y


func sentence_8() -> String:
	var main: Node = await play_main()
	if main == null:
		return "there is no main scene that runs"
	var start := find(main, "Marker2D", "Start") as Marker2D
	return first([same(main.scene_file_path, "res://level.tscn", "the main scene"),
		"there is no Marker2D 'Start'" if start == null else same(start.global_position, Vector2(40, 140), "the place of Start")])
