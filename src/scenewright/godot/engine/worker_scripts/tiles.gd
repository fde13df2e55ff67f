extends "module.gd"
## Paints terrain: which tile goes where is the engine's own knowledge.
##
## The tile set comes as numbers and is built anew, so that what the caller has not saved yet counts, and no texture
## needs to be there.


func terrain(params: Dictionary) -> Dictionary:
	seed(int(params["seed"] as float))
	var layer: TileMapLayer = TileMapLayer.new()
	layer.tile_set = _tile_set(params["tile_set"] as Dictionary)
	var data: String = params["cells"]
	if not data.is_empty():
		layer.tile_map_data = Marshalls.base64_to_raw(data)
	var strokes: Array = params["strokes"]
	for stroke: Dictionary in strokes:
		var cells: Array[Vector2i] = _cells(stroke["cells"] as Array)
		var terrain_set: int = int(stroke["set"] as float)
		var number: int = int(stroke["terrain"] as float)
		if stroke["path"]:
			layer.set_cells_terrain_path(cells, terrain_set, number, stroke["ignore_empty"] as bool)
		else:
			layer.set_cells_terrain_connect(cells, terrain_set, number, stroke["ignore_empty"] as bool)
	var painted: String = "" if layer.get_used_cells().is_empty() else Marshalls.raw_to_base64(layer.tile_map_data)
	layer.free()
	return {"cells": painted}


func _tile_set(given: Dictionary) -> TileSet:
	var made: TileSet = TileSet.new()
	made.tile_shape = int(given["shape"] as float) as TileSet.TileShape
	made.tile_layout = int(given["layout"] as float) as TileSet.TileLayout
	made.tile_offset_axis = int(given["axis"] as float) as TileSet.TileOffsetAxis
	var terrain_sets: Array = given["terrain_sets"]
	for number: int in terrain_sets.size():
		var terrain_set: Dictionary = terrain_sets[number]
		made.add_terrain_set()
		made.set_terrain_set_mode(number, int(terrain_set["mode"] as float) as TileSet.TerrainMode)
		for terrain_number: int in int(terrain_set["terrains"] as float):
			made.add_terrain(number)
	var sources: Dictionary = given["sources"]
	for id: String in sources:
		var source: TileSetAtlasSource = TileSetAtlasSource.new()
		source.texture = _room_for(sources[id] as Array)
		made.add_source(source, id.to_int())
		for tile: Dictionary in sources[id]:
			_add_tile(source, tile)
	return made


## A tile outside its texture is refused.
func _room_for(tiles: Array) -> Texture2D:
	var size: Vector2 = Vector2.ONE
	for tile: Dictionary in tiles:
		size = size.max(Vector2(tile["x"] as float + 1.0, tile["y"] as float + 1.0))
	var texture: PlaceholderTexture2D = PlaceholderTexture2D.new()
	texture.size = size * 16.0
	return texture


func _add_tile(source: TileSetAtlasSource, tile: Dictionary) -> void:
	var at: Vector2i = Vector2i(int(tile["x"] as float), int(tile["y"] as float))
	var alternative: int = int(tile["alternative"] as float)
	if not source.has_tile(at):
		source.create_tile(at)
	if alternative > 0:
		source.create_alternative_tile(at, alternative)
	var data: TileData = source.get_tile_data(at, alternative)
	data.probability = tile["probability"]
	if tile["set"] < 0:
		return
	data.terrain_set = int(tile["set"] as float)
	data.terrain = int(tile["terrain"] as float)
	var bits: Dictionary = tile["bits"]
	for bit: String in bits:
		data.set_terrain_peering_bit(bit.to_int() as TileSet.CellNeighbor, int(bits[bit] as float))


func _cells(given: Array) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for at: Array in given:
		cells.append(Vector2i(int(at[0] as float), int(at[1] as float)))
	return cells
