extends Node2D
## A level: layers of tiles, a place to start, and triggers that tell who entered them.

signal triggered(trigger: StringName, body: Node2D)

@export var spawn_path: NodePath = ^"SpawnPoint"


## Puts an instance of a scene where the level starts.
func spawn(scene: PackedScene) -> Node2D:
	var made: Node = scene.instantiate()
	var placed: Node2D = made as Node2D
	if placed == null:
		made.free()
		return null
	placed.position = (get_node(spawn_path) as Node2D).position
	add_child(placed)
	return placed


func tile_layer(layer: String) -> TileMapLayer:
	return get_node_or_null(NodePath("TileLayers/" + layer)) as TileMapLayer


func _on_triggered(trigger: StringName, body: Node2D) -> void:
	triggered.emit(trigger, body)
