extends "module.gd"
## Shaders, as the engine compiles them.


## Compiles shaders anew from disk; what is wrong with them is printed, with a mark before each.
func check(params: Dictionary) -> Array:
	var paths: Array = params["paths"]
	var found: Array = []
	for path: String in paths:
		printerr("@scenewright file ", path)
		var shader: Shader = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as Shader
		# The code is only compiled once somebody wants to know something of it.
		found.append([] if shader == null else shader.get_shader_uniform_list().map(_named))
	return found


func _named(uniform: Dictionary) -> String:
	return uniform["name"]
