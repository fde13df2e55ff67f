extends "module.gd"
## Pictures, as the engine reads them.


## Saves a picture of whatever kind as png; gives its size, which is all where it has too many pixels.
func decode(params: Dictionary) -> Dictionary:
	var image: Image = Image.new()
	if _load(image, params["path"] as String, params["scale"] as float) != OK:
		return {"loads": false}
	var size: Vector2i = image.get_size()
	var fits: bool = size.x * size.y <= int(params["most"] as float)
	if fits:
		if image.is_compressed() and image.decompress() != OK:
			return {"loads": false}
		image.convert(Image.FORMAT_RGBA8)
		fits = image.save_png(params["target"] as String) == OK
	return {"loads": true, "fits": fits, "width": size.x, "height": size.y}


## A drawing has the size that its import gives it.
func _load(image: Image, path: String, scale: float) -> Error:
	var kind: String = path.get_extension()
	var loader: String = "load_%s_from_buffer" % kind
	if kind == "svg":
		return image.load_svg_from_buffer(FileAccess.get_file_as_bytes(path), scale)
	if image.has_method(loader):  # those of textures, which load() does not know
		return image.call(loader, FileAccess.get_file_as_bytes(path)) as Error
	return image.load(path)
