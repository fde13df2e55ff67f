extends "module.gd"
## Scenes, as the engine loads and instantiates them.


## Loads scenes and other resources anew from disk and makes each scene's nodes, outside of the tree so that none of
## their code runs on entering; what is wrong is printed, with a mark before each.
func check(params: Dictionary) -> Array:
	var paths: Array = params["paths"]
	var replies: Array = []
	for path: String in paths:
		printerr("@scenewright file ", path)
		var resource: Resource = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP)
		var reply: Dictionary = {"loads": resource != null, "type": resource.get_class() if resource else "", "nodes": 0}
		if resource is PackedScene:
			var root: Node = (resource as PackedScene).instantiate()
			reply["loads"] = root != null
			if root != null:
				reply["nodes"] = _count(root)
				root.free()
		replies.append(reply)
	return replies


func _count(node: Node) -> int:
	var number: int = 1
	for child: Node in node.get_children(true):
		number += _count(child)
	return number
