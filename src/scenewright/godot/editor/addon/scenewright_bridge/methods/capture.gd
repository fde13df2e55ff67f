@tool
extends RefCounted
## capture_viewport and capture_game.

const Params = preload("../rpc/params.gd")
const Pictures = preload("../editor/pictures.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Runs = preload("../game/runs.gd")
const Settings = preload("../editor/settings.gd")
const Turns = preload("../rpc/turns.gd")

const _JOIN_TIME: int = 20_000
const _PICTURE_TIME: int = 10_000
const _PATIENCE: int = 2500

var _pictures: Pictures
var _runs: Runs
var _settings: Settings
var _turns: Turns
var _last: int = 0


func _init(pictures: Pictures, runs: Runs, settings: Settings, turns: Turns) -> void:
	_pictures = pictures
	_runs = runs
	_settings = settings
	_turns = turns


func methods() -> Dictionary:
	return {"capture_viewport": capture_viewport, "capture_game": capture_game}


func capture_viewport(params: Params) -> Reply:
	var kind: String = params.choice("viewport_type", ["2d", "3d", "both", "front"], "3d")
	var most: Dictionary = _limits(params, 2048, 2048)
	if params.problem != null:
		return params.problem
	if kind == "front":
		kind = Pictures.in_front()
	var kinds: Array = ["2d", "3d"] if kind == "both" else [kind]
	var images: Dictionary = {}
	for one: String in kinds:
		var image: Image = await _pictures.of_viewport(one)
		if image == null:
			return Replies.no_picture(_pictures.problem, "Start the editor with a screen, and do not minimize it")
		images[one] = await _encoded(image, most)
	var result: Dictionary = {"viewport_type": kind}
	if kind == "both":
		result["images"] = images
	else:
		var picture: Dictionary = images[kind]
		result.merge(picture)
	result["timestamp"] = Time.get_unix_time_from_system()
	return Replies.ok(result)


func capture_game(params: Params) -> Reply:
	var most: Dictionary = _limits(params, 1920, 1080)
	var patience: int = params.integer("timeout_ms", _PICTURE_TIME, 100, 120_000)
	if params.problem != null:
		return params.problem
	if not _runs.is_running():
		return Replies.no_game()
	var reply: Reply = await _joined()
	if reply != null:
		return reply
	_last += 1
	var id: int = _last
	var asked: int = Time.get_ticks_msec()
	_ask(id, most, false)
	var forced: bool = false
	while not _has_picture(id):
		if not _runs.is_running():
			return Replies.no_game()
		var waited: int = Time.get_ticks_msec() - asked
		if waited > patience:
			var suggestion: String = "The game does not answer; stop it with execute_action stop_scene"
			return Replies.too_late("The game's picture", patience, suggestion)
		if waited > _PATIENCE and not forced:
			# A window that is covered or minimized is not drawn by itself.
			forced = true
			_ask(id, most, true)
		await _turns.next
	return _answer(id, most)


func _answer(id: int, most: Dictionary) -> Reply:
	var picture: Dictionary = _runs.pictures[id]
	var _there: bool = _runs.pictures.erase(id)
	if picture.has("problem"):
		return Replies.no_picture(str(picture["problem"]), "Run the editor and the game with a screen")
	var bytes: PackedByteArray = picture["bytes"]
	return Replies.ok(
		{
			"image": Pictures.data_uri(bytes, str(most["format"])),
			"width": picture["width"],
			"height": picture["height"],
			"scene_path": picture["scene_path"] if picture["scene_path"] != "" else _runs.scene_path(),
			"timestamp": Time.get_unix_time_from_system(),
		}
	)


## Waits for the helper in a game that has just started.
func _joined() -> Reply:
	var until: int = Time.get_ticks_msec() + _JOIN_TIME
	while not _runs.has_helper:
		if not _runs.is_running():
			return Replies.no_game()
		if _runs.cannot_be_joined():
			var suggestion: String = "Restart it with run_scene; an override.cfg of the project's own keeps helpers out"
			return Replies.no_picture("the running game was not joined by the bridge", suggestion)
		if Time.get_ticks_msec() > until:
			return Replies.too_late("The game's start", _JOIN_TIME, "See get_errors and get_editor_log for what it says")
		await _turns.next
	return null


func _has_picture(id: int) -> bool:
	var picture: Dictionary = _runs.pictures.get(id, {})
	return picture.has("problem") or picture.get("complete", false)


func _ask(id: int, most: Dictionary, forced: bool) -> void:
	var request: Array = [id, most["width"], most["height"], most["format"], most["quality"], forced]
	var _told: bool = _runs.channel.tell("scenewright:capture", request)


func _encoded(image: Image, most: Dictionary) -> Dictionary:
	var width: int = most["width"]
	var height: int = most["height"]
	var quality: float = most["quality"]
	return await _pictures.encoded(image, width, height, str(most["format"]), quality)


func _limits(params: Params, width: int, height: int) -> Dictionary:
	var largest: int = _settings.integer(Settings.CAPTURE)
	var format: String = params.choice("format", ["png", "jpg", "jpeg"], "png")
	return {
		"width": mini(params.integer("max_width", width, 1, 16384), largest),
		"height": mini(params.integer("max_height", height, 1, 16384), largest),
		"format": "jpg" if format == "jpeg" else format,
		"quality": clampf(params.number("quality", 0.85), 0.01, 1.0),
	}
