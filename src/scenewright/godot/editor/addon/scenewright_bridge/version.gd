@tool
extends RefCounted
## Which versions these are, and what they can do.

const PLUGIN: String = "1.0.0"
const PROTOCOL: String = "1.2.0"
const OLDEST_PROTOCOL: String = "1.0.0"
const CAPABILITIES: Array[String] = ["capture", "docs", "scene", "actions", "debug", "edit", "batch", "history"]


static func engine() -> Dictionary:
	var info: Dictionary = Engine.get_version_info()
	return {
		"major": info["major"],
		"minor": info["minor"],
		"patch": info["patch"],
		"status": info["status"],
		"string": "%s.%s" % [engine_number(), info["status"]],
	}


static func engine_number() -> String:
	var info: Dictionary = Engine.get_version_info()
	return "%d.%d.%d" % [info["major"], info["minor"], info["patch"]]


static func is_at_least(major: int, minor: int) -> bool:
	var info: Dictionary = Engine.get_version_info()
	var own: int = info["major"] * 1000 + info["minor"]
	return own >= major * 1000 + minor
