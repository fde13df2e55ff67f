extends RefCounted
## What frames cost: of each monitor the least, the mean and the most over the frames since it was last told.

const NAMES: PackedStringArray = [
	"frameMs", "nodes", "orphanNodes", "objects", "memoryBytes", "drawCalls", "drawnObjects", "videoBytes",
	"physicsBodies2d", "physicsPairs2d", "physicsBodies3d", "physicsPairs3d",
]
const MONITORS: Array[Performance.Monitor] = [
	Performance.OBJECT_NODE_COUNT, Performance.OBJECT_NODE_COUNT, Performance.OBJECT_ORPHAN_NODE_COUNT,
	Performance.OBJECT_COUNT, Performance.MEMORY_STATIC, Performance.RENDER_TOTAL_DRAW_CALLS_IN_FRAME,
	Performance.RENDER_TOTAL_OBJECTS_IN_FRAME, Performance.RENDER_VIDEO_MEM_USED,
	Performance.PHYSICS_2D_ACTIVE_OBJECTS, Performance.PHYSICS_2D_COLLISION_PAIRS,
	Performance.PHYSICS_3D_ACTIVE_OBJECTS, Performance.PHYSICS_3D_COLLISION_PAIRS,
]

const FOLDED: int = 600  ## Frames that are kept one by one until they are taken together.
const DRAWN: PackedInt32Array = [5, 6, 7]  ## What is nothing where nothing is drawn.

var _taken: PackedInt32Array = []  ## Which of the monitors change.
var _frames: int = 0
var _rows: PackedFloat64Array = []
var _sums: PackedFloat64Array = []
var _least: PackedFloat64Array = []
var _most: PackedFloat64Array = []


func _init() -> void:
	for at: int in range(1, NAMES.size()):
		if not at in DRAWN or DisplayServer.get_name() != "headless":
			var _more: bool = _taken.push_back(at)
	_begin()


## Takes up a frame that took so long: only its figures, as this comes with each frame.
func note(microseconds: int) -> void:
	var _more: bool = _rows.push_back(microseconds / 1000.0)
	for at: int in _taken:
		_more = _rows.push_back(Performance.get_monitor(MONITORS[at]))
	_frames += 1
	if _frames % FOLDED == 0:
		_fold()


## Tells of the frames that were taken up, and begins anew; of none, how things are.
func told() -> Dictionary:
	if _frames == 0:
		note(0)
		_frames = 0
	_fold()
	var values: Dictionary = {}
	for at: int in NAMES.size():
		if at > 0 and not at in _taken:
			values[NAMES[at]] = [0.0, 0.0, 0.0]
			continue
		values[NAMES[at]] = [_least[at], _sums[at] / maxi(_frames, 1), _most[at]]
	if _frames > 0:
		values["fps"] = [_rate(_most[0]), _rate(_sums[0] / _frames), _rate(_least[0])]
	else:
		var _none: bool = values.erase("frameMs")
	var found: Dictionary = {"frames": _frames, "values": values}
	_begin()
	return found


func _fold() -> void:
	var count: int = _taken.size() + 1
	for index: int in _rows.size():
		var at: int = 0 if index % count == 0 else _taken[index % count - 1]
		var value: float = _rows[index]
		_sums[at] += value
		_least[at] = minf(_least[at], value)
		_most[at] = maxf(_most[at], value)
	_rows.clear()


func _begin() -> void:
	_frames = 0
	_rows = []
	_sums = _filled(0.0)
	_least = _filled(INF)
	_most = _filled(-INF)


static func _filled(value: float) -> PackedFloat64Array:
	var values: PackedFloat64Array = []
	var _sized: int = values.resize(NAMES.size())
	values.fill(value)
	return values


static func _rate(milliseconds: float) -> float:
	return snappedf(1000.0 / maxf(milliseconds, 0.001), 0.1)
