@tool
extends RefCounted
## What the person does in the game that the editor runs, to be kept as a tape.

const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Runs = preload("../game/runs.gd")
const Turns = preload("../rpc/turns.gd")

const _ANSWER_TIME: int = 10_000

var _runs: Runs
var _turns: Turns


func _init(runs: Runs, turns: Turns) -> void:
	_runs = runs
	_turns = turns


func methods() -> Dictionary:
	return {"scenewright.get_game_inputs": get_game_inputs}


func get_game_inputs(_params: Params) -> Reply:
	var until: int = Time.get_ticks_msec() + _ANSWER_TIME
	while _runs.is_running() and not (_runs.has_helper and _runs.can_be_told()):
		if Time.get_ticks_msec() > until:
			return Replies.broken("the game was not joined by the bridge", "Stop it and run it again")
		await _turns.next
	if not _runs.is_running():
		return Replies.no_game()
	var id: int = _runs.ask_for_inputs()
	while _runs.is_running() and not _runs.states.has(id):
		if Time.get_ticks_msec() > until:
			return Replies.too_late("The game's inputs", _ANSWER_TIME, "The game may be halted; resume it")
		await _turns.next
	if not _runs.states.has(id):
		return Replies.no_game()
	var answer: Array = _runs.states[id]
	var _taken: bool = _runs.states.erase(id)
	var facts: Array = answer[1]
	var rows: Array = answer[2]
	var told: Callable = func(row: Array) -> Dictionary: return {"at": row[0], "event": row[1], "position": [row[2], row[3]]}
	return Replies.ok({
		"scene_path": facts[0], "seconds": facts[1], "size": [facts[2], facts[3]], "left_out": facts[4],
		"inputs": rows.map(told),
	})
