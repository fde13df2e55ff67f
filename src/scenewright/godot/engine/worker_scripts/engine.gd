extends "module.gd"
## The worker itself.


func ping(_params: Dictionary) -> bool:
	return true


## Makes the uids of the project's files known, which only the editor collects by itself.
func learn_uids(params: Dictionary) -> bool:
	var uids: Dictionary = params["uids"]
	for path: String in uids:
		var id: int = ResourceUID.text_to_id(uids[path] as String)
		if not ResourceUID.has_id(id):
			ResourceUID.add_id(id, path)
		else:
			ResourceUID.set_id(id, path)
	return true
