@tool
extends RefCounted
## Asks the game that runs, through a guest in it which our side of the line brings along.

const Params = preload("../rpc/params.gd")
const Reply = preload("../rpc/reply.gd")
const Replies = preload("../rpc/replies.gd")
const Runs = preload("../game/runs.gd")
const Turns = preload("../rpc/turns.gd")

const _JOIN_TIME: int = 20_000

var _runs: Runs
var _turns: Turns
var _has_proof: Callable
var _asked: int = 0


func _init(runs: Runs, turns: Turns, has_proof: Callable) -> void:
	_runs = runs
	_turns = turns
	_has_proof = has_proof


func methods() -> Dictionary:
	return {"scenewright.ask_game": ask_game}


## What the guest answers, as it wrote it; `folder` has its script.
func ask_game(params: Params) -> Reply:
	var folder: String = params.text("folder", "")
	var method: String = params.text("method", "")
	var given: String = params.text("params", "{}")
	var patience: int = params.integer("timeout_ms", 15_000, 100, 3_600_000)
	if params.problem != null:
		return params.problem
	if not _has_proof.call(params.client):
		return Replies.refused("ask_game", "it runs code in the game", "Connect with the token")
	if not _runs.is_running():
		return Replies.no_game()
	var was_there: bool = _runs.has_guest
	var reply: Reply = await _joined(folder)
	if reply != null:
		return reply
	_asked += 1
	var number: int = _asked
	if not _runs.channel.tell("scenewright_game:ask", [number, method, given]):
		return Replies.broken("the game cannot be reached", "Stop it and run it again")
	var until: int = Time.get_ticks_msec() + patience
	while not _runs.answers.has(number):
		if not _runs.is_running():
			return Replies.no_game()
		if Time.get_ticks_msec() > until:
			var _told: bool = _runs.channel.tell("scenewright_game:cancel", [])
			return Replies.too_late("The game's answer", patience, "It may hang; stop_scene ends it")
		await _turns.next
	var answer: String = _runs.answers[number]
	var _there: bool = _runs.answers.erase(number)
	return Replies.ok({"answer": answer, "joined": not was_there})


## Waits for the helper of a game that has just started, and for the guest that it lets in.
func _joined(folder: String) -> Reply:
	var until: int = Time.get_ticks_msec() + _JOIN_TIME
	var is_asked: bool = false
	while not _runs.has_guest:
		if not _runs.is_running():
			return Replies.no_game()
		if _runs.cannot_be_joined():
			var suggestion: String = "Restart it with run_scene; an override.cfg of the project's own keeps helpers out"
			return Replies.broken("the running game was not joined by the bridge", suggestion)
		if _runs.has_helper and not is_asked:
			is_asked = _runs.channel.tell("scenewright:join", [folder])
		if Time.get_ticks_msec() > until:
			return Replies.too_late("The game's start", _JOIN_TIME, "See get_errors for what it says")
		await _turns.next
	return null
