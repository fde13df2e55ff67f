@tool
extends RefCounted
## JSON-RPC: reads messages, finds the method, keeps the work within a frame's budget.
##
## What is cheap and changes nothing is answered on the spot; the rest waits its turn. A method may
## await; each call answers when it is done, and none is forgotten.

## A call came that has to wait its turn.
signal queued
signal answered(client: int, text: String)
signal called(client: int, method: String, code: int, usec: int)

const Lines = preload("lines.gd")
const Params = preload("params.gd")
const Reply = preload("reply.gd")
const Replies = preload("replies.gd")

## Calls of one client that may be unanswered; the others are served however much it sends.
const _QUOTA: int = 10_000
const _REMEMBERED: int = 512

## Awaited before every call that waits its turn, but for those that see to it themselves.
var before: Callable = Callable()

var _methods: Dictionary = {}
var _instant: Dictionary = {}
var _waiting: Lines = Lines.new()
var _unanswered: Dictionary = {}
var _running: int = 0
var _remembered: Dictionary = {}


## A method of the protocol. `instant` ones are answered before anything that waits.
func offer(method: String, answer: Callable, instant: bool = false) -> void:
	_methods[method] = answer
	if instant:
		_instant[method] = true


func methods() -> Array:
	return _methods.keys()


## Whether calls wait or run.
func is_busy() -> bool:
	return not _waiting.is_empty() or _running > 0


## A text of a client that may call. Requests are queued, notifications too.
func take(client: int, text: String) -> void:
	var json: JSON = JSON.new()
	if json.parse(text) != OK:
		var details: String = "%s (line %d)" % [json.get_error_message(), json.get_error_line()]
		_refuse(client, null, Replies.error(Replies.PARSE_ERROR, "Parse error", {"details": details}))
		return
	_take_one(client, json.data)


## Works off what waits until the deadline, at least one call.
func work(deadline: int) -> void:
	while not _waiting.is_empty():
		_run_waiting.call(_waiting.take())
		if Time.get_ticks_usec() >= deadline:
			break


## Forgets what a client that left was still to be told.
func forget(client: int) -> void:
	_waiting.drop(client)
	var _known: bool = _unanswered.erase(client)


## A call that has not begun is not carried out, nor answered: nobody waits for it any more.
func _withdraw(request: Dictionary) -> void:
	var params: Dictionary = request["params"]
	var client: int = request["client"]
	for waiting: Dictionary in _waiting.of(client):
		if str(waiting["id"]) == str(Reply.as_sent(params.get("id"))):
			waiting["method"] = ""


func _take_one(client: int, message: Variant) -> void:
	if not message is Dictionary:
		var data: Dictionary = {"suggestion": "Send one object per message; several calls go into scenewright.batch"}
		_refuse(client, null, Replies.error(Replies.INVALID_REQUEST, "Invalid request: not an object", data))
		return
	var request: Dictionary = message
	var id: Variant = request.get("id")
	var problem: String = _problem_of(request)
	if problem != "":
		var known: Variant = id if id is String or id is float or id is int else null
		_refuse(client, known, Replies.error(Replies.INVALID_REQUEST, "Invalid request: " + problem))
		return
	var entry: Dictionary = {
		"client": client,
		"wants_answer": request.has("id"),
		"id": Reply.as_sent(id),
		"method": request["method"],
		"params": {} if request.get("params") == null else request["params"],
	}
	if request["method"] == "scenewright.cancel":
		_withdraw(entry)
	elif _instant.has(request["method"]):
		_run.call(entry)
	elif _unanswered.get(client, 0) >= _QUOTA:
		var data: Dictionary = {"unanswered": _QUOTA, "retry_after_ms": 1000}
		data["suggestion"] = "Wait for answers before sending more"
		_refuse(client, entry["id"], Replies.error(Replies.QUOTA_EXCEEDED, "Too many calls are waiting", data))
	else:
		_unanswered[client] = _unanswered.get(client, 0) + 1
		_waiting.add(client, entry)
		queued.emit()


## What keeps this from being a request, or nothing.
static func _problem_of(request: Dictionary) -> String:
	var id: Variant = request.get("id")
	if request.get("jsonrpc") != "2.0":
		return "'jsonrpc' must be \"2.0\""
	if not request.get("method") is String:
		return "'method' must be a string"
	if not (id == null or id is String or id is float or id is int):
		return "'id' must be a string or a number"
	if not (request.get("params") == null or request["params"] is Dictionary):
		return "'params' must be an object"
	return ""


func _run_waiting(request: Dictionary) -> void:
	await _run(request)
	var client: int = request["client"]
	if _unanswered.has(client):
		_unanswered[client] -= 1


func _run(request: Dictionary) -> void:
	var method: String = request["method"]
	if method == "":
		return
	var started: int = Time.get_ticks_usec()
	_running += 1
	var client: int = request["client"]
	var values: Dictionary = request["params"]
	var reply: Reply = await _outcome(method, values, client)
	_running -= 1
	called.emit(client, method, reply.code, Time.get_ticks_usec() - started)
	if request["wants_answer"]:
		answered.emit(client, reply.to_text(request["id"]))


func _outcome(method: String, values: Dictionary, client: int) -> Reply:
	if not _methods.has(method):
		return _unknown(method)
	var key: String = str(values.get("idempotency_key", ""))
	if key == "":
		return await _call(method, values, client)
	if _remembered.has(key):
		return await _repeat(key, method)
	var memory: Dictionary = {"method": method, "reply": null, "waiting": []}
	_remembered[key] = memory
	var reply: Reply = await _call(method, values, client)
	memory["reply"] = reply
	_trim_memory()
	return reply


func _call(method: String, values: Dictionary, client: int) -> Reply:
	if before.is_valid() and not _instant.has(method) and method != "scenewright.reload_files":
		await before.call()
	var handler_of_method: Callable = _methods[method]
	var params: Params = Params.new(values)
	params.client = client
	var outcome: Variant = await handler_of_method.call(params)
	if outcome is Reply:
		return outcome
	var suggestion: String = "See the editor's Output panel for the error"
	return Replies.broken("the method '%s' failed in the editor" % method, suggestion)


## The answer a call with this key got before.
func _repeat(key: String, method: String) -> Reply:
	var memory: Dictionary = _remembered[key]
	if memory["method"] != method:
		return Replies.invalid("idempotency_key", "a key that was not used for another method")
	while memory["reply"] == null:
		var tree: SceneTree = Engine.get_main_loop()
		await tree.process_frame
	return memory["reply"]


func _trim_memory() -> void:
	for key: String in _remembered.keys():
		if _remembered.size() <= _REMEMBERED:
			return
		var memory: Dictionary = _remembered[key]
		if memory["reply"] != null:
			var _there: bool = _remembered.erase(key)


func _unknown(method: String) -> Reply:
	var similar: Array[String] = []
	for known: String in _methods:
		if known.similarity(method) > 0.5:
			similar.append(known)
	var data: Dictionary = {"method": method, "similar_methods": similar}
	return Replies.error(Replies.METHOD_NOT_FOUND, "Method not found: %s" % method, data)


func _refuse(client: int, id: Variant, reply: Reply) -> void:
	called.emit(client, "", reply.code, 0)
	answered.emit(client, reply.to_text(id))
