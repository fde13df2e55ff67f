extends Node
## Saves games to slots. A file that is half written is never taken for a saved game, and old ones are brought up to date.

signal saved(slot: int)
signal loaded(slot: int)

@export var folder: String = "user://saves"
@export var slots: int = 3
## Version of what is saved; raise it when the data changes, and add a migration.
@export var version: int = 1

var _migrations: Dictionary = {}


## Brings data of a version to the next: takes a Dictionary and returns one.
func add_migration(from: int, step: Callable) -> void:
	_migrations[from] = step


func has_slot(slot: int) -> bool:
	return FileAccess.file_exists(_path(slot))


func used_slots() -> Array[int]:
	var used: Array[int] = []
	for slot: int in range(1, slots + 1):
		if has_slot(slot):
			used.append(slot)
	return used


func save_slot(slot: int, data: Dictionary) -> Error:
	if slot < 1 or slot > slots:
		return ERR_PARAMETER_RANGE_ERROR
	DirAccess.make_dir_recursive_absolute(folder)
	var draft: String = _path(slot) + ".part"
	var file: FileAccess = FileAccess.open(draft, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string(JSON.stringify({"version": version, "data": data}))
	file.close()
	var error: Error = DirAccess.rename_absolute(draft, _path(slot))
	if error == OK:
		saved.emit(slot)
	return error


## The data of a slot, brought up to date; empty where there is none that can be read.
func load_slot(slot: int) -> Dictionary:
	if not has_slot(slot):
		return {}
	var parser: JSON = JSON.new()
	if parser.parse(FileAccess.get_file_as_string(_path(slot))) != OK or not parser.data is Dictionary:
		return {}
	var body: Dictionary = parser.data
	var data: Variant = body.get("data")
	if not data is Dictionary:
		return {}
	var current: Dictionary = _migrated(data, int(body.get("version", 0)))
	loaded.emit(slot)
	return current


func delete_slot(slot: int) -> Error:
	return DirAccess.remove_absolute(_path(slot)) if has_slot(slot) else ERR_FILE_NOT_FOUND


func _migrated(data: Dictionary, from: int) -> Dictionary:
	var current: Dictionary = data
	for step: int in range(from, version):
		if _migrations.has(step):
			var migrate: Callable = _migrations[step]
			current = migrate.call(current)
	return current


func _path(slot: int) -> String:
	return folder.path_join("slot_%d.json" % slot)
