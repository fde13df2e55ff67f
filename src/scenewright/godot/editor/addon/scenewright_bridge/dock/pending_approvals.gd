@tool
extends RefCounted
## What waits for the person's answer about this project: files in the user's own folder, which no
## tool reaches. The server files the questions; an answer is the same as that of `scenewright approve`.

const Records = preload("../editor/records.gd")

const _APPROVED_SECONDS: int = 3600
const _ASKED_SECONDS: int = 86_400
const _MOST: int = 1 << 20  # bytes of a question

## The end of each file, all that an answer changes: the rest stays as it is, to the last byte.
var _end: RegEx = RegEx.create_from_string('"expiresAt": [0-9.e+]+, "verdict": null\\}$')


## The open questions, oldest first: `id`, `tool`, `text`.
func waiting() -> Array[Dictionary]:
	var open: Array[Dictionary] = []
	var project: String = ProjectSettings.globalize_path("res://").trim_suffix("/")
	if not DirAccess.dir_exists_absolute(_folder()):
		return open
	for file: String in DirAccess.get_files_at(_folder()):
		var question: Dictionary = _read(file)
		if question.get("project") == project and _is_open(question):
			open.append(question)
	open.sort_custom(func(one: Dictionary, other: Dictionary) -> bool: return one["askedAt"] < other["askedAt"])
	return open


## Whether the answer was kept. A question whose text changed since it was shown is not answered.
func answer(question: Dictionary, approved: bool) -> bool:
	var path: String = _folder().path_join("%s.json" % question["id"])
	var raw: String = FileAccess.get_file_as_string(path)
	var ending: RegExMatch = _end.search(raw)
	if ending == null or JSON.parse_string(raw) != question:
		return false
	var seconds: int = _APPROVED_SECONDS if approved else _ASKED_SECONDS
	var until: int = floori(Time.get_unix_time_from_system()) + seconds
	var verdict: String = "approved" if approved else "rejected"
	return Records.replace(path, raw.left(ending.get_start()) + '"expiresAt": %d.0, "verdict": "%s"}' % [until, verdict])


static func _is_open(question: Dictionary) -> bool:
	var expires: float = question.get("expiresAt", 0.0)
	return question.get("verdict") == null and expires > Time.get_unix_time_from_system()


## A question, or nothing: also where a file says that it is another's.
func _read(file: String) -> Dictionary:
	if file.get_extension() != "json":
		return {}
	var opened: FileAccess = FileAccess.open(_folder().path_join(file), FileAccess.READ)
	if opened == null or opened.get_length() > _MOST:
		return {}
	var parsed: Variant = JSON.parse_string(opened.get_as_text())
	if not parsed is Dictionary:
		return {}
	var question: Dictionary = parsed
	return question if question.get("id") == file.get_basename() else {}


static func _folder() -> String:
	return Records.folder().path_join("approvals")
