extends RefCounted
## What frames cost: of each monitor the least, the mean and the most over the frames since it was last told.

const TIME: String = "frameMs"
const NAMES: PackedStringArray = [
	"nodes", "orphanNodes", "objects", "memoryBytes", "drawCalls", "drawnObjects", "videoBytes",
	"physicsBodies2d", "physicsPairs2d", "physicsBodies3d", "physicsPairs3d",
]
const MONITORS: Array[Performance.Monitor] = [
	Performance.OBJECT_NODE_COUNT, Performance.OBJECT_ORPHAN_NODE_COUNT,
	Performance.OBJECT_COUNT, Performance.MEMORY_STATIC, Performance.RENDER_TOTAL_DRAW_CALLS_IN_FRAME,
	Performance.RENDER_TOTAL_OBJECTS_IN_FRAME, Performance.RENDER_VIDEO_MEM_USED,
	Performance.PHYSICS_2D_ACTIVE_OBJECTS, Performance.PHYSICS_2D_COLLISION_PAIRS,
	Performance.PHYSICS_3D_ACTIVE_OBJECTS, Performance.PHYSICS_3D_COLLISION_PAIRS,
]
const DRAWN: PackedInt32Array = [4, 5, 6]  ## What is nothing where nothing is drawn.

var _taken: PackedInt32Array = []  ## Which of the monitors change.
var _frames: int = 0
var _microseconds: int = 0
var _shortest: int = 0
var _longest: int = 0
var _values: PackedFloat64Array = []  ## Of each monitor, as it was in the last frame,
var _since: PackedInt64Array = []  ## the frames before the first that had it so,
var _sums: PackedFloat64Array = []  ## and the sum of what those had.
var _least: PackedFloat64Array = []
var _most: PackedFloat64Array = []


func _init() -> void:
	for at: int in NAMES.size():
		if not at in DRAWN or DisplayServer.get_name() != "headless":
			var _more: bool = _taken.push_back(at)
	_begin()


## Takes up a frame that took so long. This comes with each frame, and most monitors are as they were.
func note(microseconds: int) -> void:
	_microseconds += microseconds
	if microseconds > _longest:
		_longest = microseconds
	if microseconds < _shortest:
		_shortest = microseconds
	for at: int in _taken:
		var value: float = Performance.get_monitor(MONITORS[at])
		if value != _values[at]:
			_change(at, value)
	_frames += 1


## Tells of the frames that were taken up, and begins anew; of none, how things are.
func told() -> Dictionary:
	var frames: int = _frames
	if frames == 0:
		note(0)
	var values: Dictionary = {}
	for at: int in NAMES.size():
		values[NAMES[at]] = _told_of(at) if at in _taken else [0.0, 0.0, 0.0]
	if frames > 0:
		var times: Array[float] = [_shortest / 1000.0, _microseconds / 1000.0 / frames, _longest / 1000.0]
		values[TIME] = times
		values["fps"] = [_rate(times[2]), _rate(times[1]), _rate(times[0])]
	_begin()
	return {"frames": frames, "values": values}


func _told_of(at: int) -> Array[float]:
	_change(at, _values[at])
	return [_least[at], _sums[at] / _frames, _most[at]]


func _change(at: int, value: float) -> void:
	if _frames > _since[at]:
		_sums[at] += _values[at] * (_frames - _since[at])
	_since[at] = _frames
	_values[at] = value
	_least[at] = minf(_least[at], value)
	_most[at] = maxf(_most[at], value)


func _begin() -> void:
	_frames = 0
	_microseconds = 0
	_shortest = 1 << 62
	_longest = 0
	_since = []
	var _sized: int = _since.resize(NAMES.size())
	_values = _filled(NAN)  # which is like no other, so that the first frame counts as a change
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
