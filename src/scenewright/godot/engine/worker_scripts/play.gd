extends "module.gd"
## A game that is played in lock step: begun once, then stepped, looked at and changed; between two requests no frame
## passes. Frame 0 is the scene as `_ready` has left it, frame n what n whole frames have made of it. Inputs and calls of
## frame n of a step come when n of its frames are over; the next is the first that sees them.
##
## Where the game goes on to another scene, or begins this one anew, the play goes with it; where it quits, what there
## was until then is told while the tree still stands.

signal _passed(why: String)

const MOST_NODES: int = 300
const MOST_CHANGES: int = 20
const MOST_ROLLED: int = 100_000  ## Changes that a film has, of all steps.
const TOLD: int = 120  ## Frames between two words of how far a step has got.
const DIGESTED: int = 1000  ## Milliseconds between two that come with a digest, for who is left with it if the game dies.
const FOLLOWED: Array[String] = ["watch", "until", "signals", "trail"]  ## What a step may ask of each frame.
const MARK: int = 4  ## Characters of a trail for each frame.
const Acting = preload("acting.gd")
const Changing: GDScript = preload("changing.gd")
const Checking: GDScript = preload("checking.gd")
const Digesting: GDScript = preload("digesting.gd")
const Listening: GDScript = preload("listening.gd")
const Looking: GDScript = preload("looking.gd")
const Monitoring = preload("monitoring.gd")
const Saying: GDScript = preload("saying.gd")
const Sighting: GDScript = preload("sighting.gd")
const Drawing: GDScript = preload("drawing.gd")

var _step: Dictionary = {}  ## What the step under way was asked.
var _most: int = 0
var _at: int = 0  ## Frames of it that are over.
var _due: int = 0  ## After which of them there is something to do again.
var _begun_at: int = 0  ## When the frame began that is under way, in microseconds.
var _scene: Node
var _first: int = 0  ## The scene that a step began with.
var _frame: int = 0
var _guard: Node
var _acting: Acting = Acting.new({})
var _checking: RefCounted
var _listening: RefCounted = Listening.new([])
var _monitoring: Monitoring = Monitoring.new()
var _singletons: Array = []
var _drawing: RefCounted
var _is_seen: bool = false  ## Where nobody looks, only what has to be is drawn.
var _logger: RefCounted
var _added: Array = []
var _removed: Array = []
var _rows: Array = []
var _returned: Array = []
var _pictures: Array = []
var _trail: String = ""
var _unclear: String = ""  ## Why what a step waits for had no value when it was last asked.
var _film: Array = []
var _rolled: int = 0
var _digested_at: int = 0
var _shot: Dictionary = {}  ## What the last row of the film stands upon.


func begin(params: Dictionary) -> Dictionary:
	if not _start(params):
		return {"loads": false}
	_draw_due()
	return {"loads": true, "pictures": _pictures}.merged(digest({}))


## Puts a scene into the tree; whether it could be loaded.
func _start(params: Dictionary) -> bool:
	if params.has("seed"):
		seed(int(params["seed"] as float))
	var packed: PackedScene = ResourceLoader.load(params["scene"] as String) as PackedScene
	_scene = packed.instantiate() if packed != null else null
	if _scene == null:
		return false
	_worker.root.size = window_size(params)
	OS.low_processor_usage_mode = false  # it draws only what has changed, and every frame is to be seen
	_singletons = params.get("singletons", [])
	_is_seen = params.get("is_seen", OS.get_environment("SCENEWRIGHT_OWN_SCREEN") == "")
	if DisplayServer.get_name() != "headless":
		_drawing = Drawing.new(_worker, _scene, params.get("picture", {}))
	_hear_errors()
	_acting.sight = func(wanted: Dictionary) -> Dictionary: return Sighting.new(_worker, _scene).aim(wanted)
	_begin_step(params)
	_worker.root.add_child(_scene)
	_worker.current_scene = _scene
	_set_guard()
	var _added_heard: Error = _worker.node_added.connect(_on_added) as Error
	var _removed_heard: Error = _worker.node_removed.connect(_on_removed) as Error
	return true


## Lets frames pass until a condition holds, or as many as are allowed.
func step(params: Dictionary) -> Dictionary:
	_begin_step(params)
	var stopped: String = await _pass(params)
	_draw_end(params, stopped)
	return _outcome(stopped)


func look(params: Dictionary) -> Dictionary:
	if _scene == null:
		return _nothing()
	var found: Dictionary = {"frame": _frame}
	if params.has("near"):
		if not _scene.has_node(NodePath(params["near"] as String)):
			return found.merged({"missing": params["near"]})
		found["nodes"] = Sighting.new(_worker, _scene).near(params["near"] as String, params.get("radius", 100.0) as float)
	elif params.get("screen", false):
		found["nodes"] = Sighting.new(_worker, _scene).on_screen()
	else:
		found.merge(_look_at(params))
	return found


func _look_at(params: Dictionary) -> Dictionary:
	if params.has("properties"):
		return {"properties": Looking.new(_scene, _scene).properties(params["properties"] as Dictionary)}
	var from: Node = _scene.get_node_or_null(NodePath(params["node"] as String))
	if from == null:
		return {"missing": params["node"]}
	var looking: RefCounted = Looking.new(_scene, from)
	return {"nodes": looking.nodes(MOST_NODES, int(params.get("depth", -1) as float)), "total": looking.total()}


## Sets properties; each is told with the value that it has then, or why it was refused.
func change(params: Dictionary) -> Dictionary:
	if _scene == null:
		return _nothing()
	var changing: RefCounted = Changing.new(_scene)
	var rows: Array = []
	var wanted: Dictionary = params["properties"]
	for path: String in wanted:
		var node: Node = _scene.get_node_or_null(NodePath(path))
		for name: String in wanted[path]:
			rows.append({"node": path, "property": name}.merged(changing.set_one(node, name, (wanted[path] as Dictionary)[name] as String) as Dictionary))
	_follow()
	return {"frame": _frame, "set": rows}


func calls(params: Dictionary) -> Dictionary:
	_listening.frame = _frame
	var returned: Array = _acting.make(_scene, params["calls"] as Array)
	_follow()
	return {"frame": _frame, "calls": returned}


func evaluate(params: Dictionary) -> Dictionary:
	if _scene == null:
		return _nothing()
	var rows: Array = []
	for each: Dictionary in params["expressions"]:
		var found: Dictionary = _checks().evaluate(each["text"] as String)
		rows.append(found if found.has("error") else {"value": Saying.say(found["value"], _scene)})
	return {"frame": _frame, "values": rows}


func digest(_params: Dictionary) -> Dictionary:
	return Digesting.new(_worker, _scene).digest().merged({"frame": _frame})


## Draws the game as it is; no frame passes.
func picture(params: Dictionary) -> Dictionary:
	if _drawing == null or _scene == null:
		return _nothing()
	_drawing.want(params)
	_drawing.show(_scene)
	var drawn: Array = _drawing.draw(_frame)
	_drawing.want({})
	return {"frame": _frame, "pictures": drawn}


func target(params: Dictionary) -> Dictionary:
	if _scene == null:
		return _nothing()
	return Sighting.new(_worker, _scene).target(params)


## Whether a condition holds, or a text is to be read, as things are.
func expect(params: Dictionary) -> Dictionary:
	if _scene == null:
		return _nothing()
	var row: Dictionary = {}
	if params.has("says"):
		var sighting: RefCounted = Sighting.new(_worker, _scene)
		row["holds"] = sighting.says(params["says"] as String)
		row["texts"] = sighting.texts()
	else:
		row = _checks().check([params])[0]
	return row.merged({"frame": _frame})


func monitors(_params: Dictionary) -> Dictionary:
	return {"frame": _frame}.merged(_monitoring.told() as Dictionary)


## What there is to say while one scene is gone and no other has come.
func _nothing() -> Dictionary:
	return {"frame": _frame, "gone": true}


## Takes the frames of a step; says why it is over.
func _pass(params: Dictionary) -> String:
	_step = params
	_most = int(params["frames"] as float)
	_at = 0
	if _most == 0:
		return "limit"
	_prepare_frame()
	var ended: Signal = _frame_ended()
	var _heard: int = ended.connect(_end_frame)
	var why: String = await _passed
	ended.disconnect(_end_frame)
	return why


func _frame_ended() -> Signal:
	return Signal(_worker, "frame_ended")


func _prepare_frame() -> void:
	_act(_at)
	_due = _next_due()
	if _drawing != null and not _is_seen:
		_drawing.prepare(_frame + 1)
	_begun_at = Time.get_ticks_usec()


## Little is done while nothing is due, so that a game runs about as fast as without us.
func _end_frame() -> void:
	var now: int = Time.get_ticks_usec()
	_monitoring.note(now - _begun_at)
	_begun_at = now
	_at += 1
	_frame += 1
	if _at == _due or not _is_as_before():
		_look_around()


## Whether the same scene runs, and no script has failed.
func _is_as_before() -> bool:
	var current: Node = _worker.current_scene
	return current != null and current == _scene and not (_logger != null and _logger.get("failed"))


## After a frame of which something may have come: ends the step, or prepares for the next.
func _look_around() -> void:
	_follow()
	if _drawing != null:
		_draw_due()
	_watch(_step, _at)
	if _at % TOLD == 0:
		_tell_progress()
	var why: String = _reason(_step, _at)
	if why == "" and _at == _most:
		why = "limit"
	if why == "":
		_prepare_frame()
	else:
		_passed.emit(why)


## The next frame after which there is something to do: each, where something is followed.
func _next_due() -> int:
	if _drawing != null or FOLLOWED.any(func(what: String) -> bool: return true if _step.get(what) else false):
		return _at + 1
	@warning_ignore("integer_division")
	var told: int = (_at / TOLD + 1) * TOLD
	return _acting.next_due(_at, mini(_most, told))


func _tell_progress() -> void:
	_tell(_at, _most, _late_digest())


## A digest, if none was told for a while.
func _late_digest() -> String:
	if Time.get_ticks_msec() - _digested_at < DIGESTED:
		return ""
	_digested_at = Time.get_ticks_msec()
	return JSON.stringify(digest({}))


## Sends and calls what is due when so many frames of the step are over.
func _act(at: int) -> void:
	_returned.append_array(_acting.act(_scene, at) as Array)
	_listening.frame = _frame + 1


func _begin_step(params: Dictionary) -> void:
	_added = []
	_removed = []
	_rows = []
	_returned = []
	_pictures = []
	_trail = ""
	_unclear = ""
	_film = []
	_first = _scene.get_instance_id() if _scene != null else 0
	_checking = null
	_acting.take(params)
	_listening.stop()
	_listening = Listening.new(params.get("signals", []) as Array)
	_listening.frame = _frame
	if _logger != null:
		_logger.set("failed", false)
	if _scene != null:
		_listening.attach(_scene)


## Why a step is over; nothing while it is not.
func _reason(params: Dictionary, at: int) -> String:
	if params.get("trail", false) and not _is_as_expected(params, at):
		return "differs"
	if params.has("until") and _scene != null and _holds(params["until"] as Dictionary):
		return "condition"
	if _scene != null and _scene.get_instance_id() != _first:
		return "scene changed"
	if _logger != null and _logger.get("failed"):
		return "error"
	return ""


## Marks a frame by what a player would notice of it; whether it is what is to come here, where that is known.
func _is_as_expected(params: Dictionary, at: int) -> bool:
	var found: Dictionary = Digesting.new(_worker, _scene).digest(params.get("film", false) as bool)
	var mark: String = found.get("mark", "none")
	_trail += mark
	if params.get("film", false):
		_roll(found)
	var expected: String = (params.get("expected", "") as String).substr((at - 1) * MARK, MARK)
	return expected == "" or expected == mark


## Keeps what of the digest is otherwise than a frame before, by which the digest of each frame can be had again.
func _roll(found: Dictionary) -> void:
	if _rolled > MOST_ROLLED:
		return
	var shot: Dictionary = Digesting.shot(found)
	var changed: Dictionary = {}
	for key: String in shot:
		if _shot.get(key) != shot[key]:
			changed[key] = shot[key]
	for key: String in _shot:
		if not shot.has(key):
			changed[key] = null
	_shot = shot
	_rolled += changed.size()
	if _rolled > MOST_ROLLED:
		changed = {"cut": true}
	if not changed.is_empty():
		_film.append([_frame, changed])


func _draw_due() -> void:
	if _drawing != null and _scene != null:
		_drawing.show(_scene)
		if _drawing.wants(_frame):
			_pictures.append_array(_drawing.draw(_frame) as Array)


## Draws the end of a step, where its picture was asked for.
func _draw_end(params: Dictionary, stopped: String) -> void:
	var wanted: String = params.get("pictured", "none")
	if wanted == "none" or wanted == "onMet" and stopped != "condition" or _drawing == null or _scene == null:
		return
	_drawing.want(params["picture"])
	_drawing.show(_scene)
	_pictures.append_array(_drawing.draw(_frame) as Array)
	_drawing.want({})


func _holds(until: Dictionary) -> bool:
	if until.has("says"):
		return Sighting.new(_worker, _scene).says(until["says"] as String)
	var found: Dictionary = _checks().evaluate(until["text"] as String)
	_unclear = found.get("error", "")
	return true if found.get("value", false) else false


## What evaluates expressions on the scene that runs; made anew where that is another.
func _checks() -> RefCounted:
	if _checking == null or _checking.get("scene") != _scene:
		_checking = Checking.new(_scene, _singletons)
	return _checking


func _watch(params: Dictionary, at: int) -> void:
	var watched: Array = params.get("watch", [])
	if watched.is_empty() or _scene == null or at % int(params.get("every", 1) as float) != 0:
		return
	var values: Array = []
	for each: Dictionary in watched:
		var found: Dictionary = _checks().evaluate(each["text"] as String)
		values.append(found.get("error", Saying.say(found.get("value"), _scene)))
	_rows.append([_frame, values])


func _outcome(stopped: String) -> Dictionary:
	_digested_at = Time.get_ticks_msec()
	return {
		"frame": _frame, "stopped": stopped, "watch": _rows, "calls": _returned, "signals": _listening.told(),
		"added": _added, "removed": _removed, "alive": _scene != null, "trail": _trail, "film": _film,
		"pictures": _pictures, "missed": _acting.missed, "unclear": _unclear,
	}.merged(digest({}))


## The scene that runs now; none while one goes and the next comes.
func _follow() -> void:
	var before: Node = _scene if is_instance_valid(_scene) else null
	if _worker.current_scene != null:
		_scene = _worker.current_scene
	elif before == null or not before.is_inside_tree():
		_scene = _own_scene()
	if _scene != null and _scene != before:
		_set_guard()
	if _scene != null:
		_listening.attach(_scene)


## The scene that a game has put into the tree by itself, without making it the current one; the last, where it has several.
func _own_scene() -> Node:
	var children: Array[Node] = _worker.root.get_children()
	children.reverse()
	for child: Node in children:
		if child.scene_file_path != "" and not child.is_queued_for_deletion() and not ProjectSettings.has_setting("autoload/" + child.name):
			return child
	return null


## When the game quits, what joined the root last leaves the tree first: the moment to answer, as no later one comes.
func _set_guard() -> void:
	_lift_guard()
	_guard = Node.new()
	_worker.root.add_child(_guard, false, Node.INTERNAL_MODE_BACK)
	var _heard: Error = _guard.tree_exiting.connect(_on_quit) as Error


func _lift_guard() -> void:
	if is_instance_valid(_guard):
		_guard.tree_exiting.disconnect(_on_quit)
		_guard.free()


func _on_quit() -> void:
	if not is_instance_valid(_scene) or not _scene.is_inside_tree():
		_scene = null
	_answer(_outcome("quit"))


func _hear_errors() -> void:
	if not ClassDB.class_exists("Logger"):
		return
	var own: Script = get_script()
	var script: GDScript = load(own.resource_path.get_base_dir().path_join("erring.gd"))
	_logger = script.new()
	OS.call("add_logger", _logger)


func _on_added(node: Node) -> void:
	if _added.size() < MOST_CHANGES and node != _guard:
		_added.append(_name(node))


func _on_removed(node: Node) -> void:
	if _removed.size() < MOST_CHANGES and node != _guard:
		_removed.append(_name(node))


func _name(node: Node) -> String:
	var near: bool = is_instance_valid(_scene) and _scene.is_inside_tree() and node.is_inside_tree() and (node == _scene or _scene.is_ancestor_of(node))
	return str(_scene.get_path_to(node)) if near else str(node.name)


## The size that was asked for, or that the game's window would have; without a screen the engine makes it tiny.
static func window_size(params: Dictionary) -> Vector2i:
	if params.has("size"):
		var given: Array = params["size"]
		return Vector2i(int(given[0] as float), int(given[1] as float))
	var size: Vector2i = Vector2i.ZERO
	for side: int in 2:
		var name: String = "display/window/size/window_%s_override" % ["width", "height"][side]
		size[side] = ProjectSettings.get_setting(name, 0)
		if size[side] <= 0:
			size[side] = ProjectSettings.get_setting("display/window/size/viewport_%s" % ["width", "height"][side], 648)
	return size
