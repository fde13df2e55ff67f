extends "module.gd"
## Scripts, as the engine compiles them.


## Compiles scripts anew from disk; what is wrong with them is printed, with a mark before each.
func check(params: Dictionary) -> Array:
	var paths: Array = params["paths"]
	var found: Array = []
	for path: String in paths:
		printerr("@scenewright file ", path)
		var script: Script = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as Script
		found.append(script != null)
	return found
