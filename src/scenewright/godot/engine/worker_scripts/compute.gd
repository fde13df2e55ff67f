extends "module.gd"
## Compute and other bare GLSL shaders, compiled to SPIR-V as the importer does.


## What is wrong with each stage, empty where nothing is; null where there is no Vulkan, Metal or Direct3D 12 to be had.
func compile(params: Dictionary) -> Variant:
	var device: RenderingDevice = RenderingServer.create_local_rendering_device()
	if device == null:
		return null
	var found: Array = (params["stages"] as Array).map(func(stage: Dictionary) -> String: return _error(device, stage))
	device.free()
	return found


func _error(device: RenderingDevice, stage: Dictionary) -> String:
	var source: RDShaderSource = RDShaderSource.new()
	source.set("source_" + stage["name"], stage["text"])
	return device.shader_compile_spirv_from_source(source, false).get("compile_error_" + stage["name"])
