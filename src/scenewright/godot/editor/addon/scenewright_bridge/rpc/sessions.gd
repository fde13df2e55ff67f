@tool
extends RefCounted
## Who is connected and who may call: the handshake, the token, and events to those inside.

signal said(client: int, text: String)
signal dismissed(client: int, code: int, reason: String)
signal admitted(client: int, text: String)
signal let_in(client: int)
signal changed

const Records = preload("../editor/records.gd")
const Reply = preload("reply.gd")
const Replies = preload("replies.gd")
const Settings = preload("../editor/settings.gd")

const _FAILURES: int = 5
const _MOST_NONCE: int = 128
const _MOST_NAME: int = 100

## Where this editor listens; part of what it proves.
var port: int = 0

var _settings: Settings
var _greeting: Callable
var _clients: Dictionary = {}


func _init(settings: Settings, greeting: Callable) -> void:
	_settings = settings
	_greeting = greeting


func open(id: int) -> void:
	_clients[id] = {"name": "", "inside": not _settings.checks_token(), "proven": false, "extended": false, "failures": 0}
	if not _settings.checks_token():
		let_in.emit(id)
	var greeting: Dictionary = _greeting.call()
	said.emit(id, _message("godoty.connected", greeting))
	changed.emit()


func close(id: int) -> void:
	var _known: bool = _clients.erase(id)
	changed.emit()


## A text of a client: on to the methods once it is inside, otherwise refused.
func hear(id: int, text: String) -> void:
	var client: Dictionary = _clients[id]
	if client["inside"] and not text.contains("godoty.ready") and not text.contains("scenewright.prove"):
		admitted.emit(id, text)
		return
	var message: Variant = JSON.parse_string(text) if text.begins_with("{") else null
	var request: Dictionary = message if message is Dictionary else {}
	if request.get("method") == "godoty.ready":
		_ready(id, client, request)
	elif request.get("method") == "scenewright.prove":
		_prove(id, request)
	elif client["inside"]:
		admitted.emit(id, text)
	else:
		_refuse(id, request.get("id"))


## Whether this client showed the token, which says more than that none was asked for.
func has_proof(id: int) -> bool:
	var client: Dictionary = _clients.get(id, {})
	return client.get("proven", false)


## To everyone inside; `extended` only to those who asked for more than the protocol's events.
func broadcast(method: String, params: Dictionary, extended: bool) -> void:
	var text: String = _message(method, params)
	for id: int in _clients:
		var client: Dictionary = _clients[id]
		if client["inside"] and (client["extended"] or not extended):
			said.emit(id, text)


func names() -> PackedStringArray:
	var found: PackedStringArray = PackedStringArray()
	for id: int in _clients:
		var client: Dictionary = _clients[id]
		var title: String = str(client["name"])
		if not client["inside"]:
			title += " (waiting for the token)"
		var _added: bool = found.append("#%d %s" % [id, title])
	return found


## The version of this addon that a client brings along, "" where none says so.
func wanted_addon() -> String:
	for id: int in _clients:
		var client: Dictionary = _clients[id]
		if client["inside"] and client.get("addon", "") != "":
			return client["addon"]
	return ""


func _ready(id: int, client: Dictionary, request: Dictionary) -> void:
	var params: Dictionary = request["params"] if request.get("params") is Dictionary else {}
	var shown: bool = _is_token(str(params.get("token", "")))
	if _settings.checks_token() and not shown:
		client["inside"] = false
		_refuse(id, request.get("id"))
		return
	client["name"] = _name_of(params)
	client["addon"] = str(params.get("addon_version", "")).left(_MOST_NAME)
	client["inside"] = true
	client["proven"] = shown
	let_in.emit(id)
	client["extended"] = params.get("extended_events") == true
	if request.has("id"):
		var reply: Reply = Replies.ok({"project": ProjectSettings.globalize_path("res://").trim_suffix("/")})
		said.emit(id, reply.to_text(request["id"]))
	changed.emit()


## A server of tools says for whom it calls; that is whom the person knows.
static func _name_of(params: Dictionary) -> String:
	var title: String = ("%s %s" % [params.get("client_name", ""), params.get("client_version", "")]).strip_edges()
	var behind: String = str(params.get("on_behalf_of", "")).strip_edges()
	return (title if behind == "" else "%s through %s" % [behind, title]).left(_MOST_NAME)


## Shows a client that we know the token before it tells it to us. The port is part of the proof, so
## that no other program can pass our answer on as its own.
func _prove(id: int, request: Dictionary) -> void:
	var params: Dictionary = request["params"] if request.get("params") is Dictionary else {}
	var nonce: String = str(params.get("nonce", ""))
	var token: String = _token()
	if token == "" or nonce.length() > _MOST_NONCE:
		_refuse(id, request.get("id"))
		return
	var said_over: PackedByteArray = ("scenewright bridge\n%d\n%s" % [port, nonce]).to_utf8_buffer()
	var proof: PackedByteArray = Crypto.new().hmac_digest(HashingContext.HASH_SHA256, token.to_utf8_buffer(), said_over)
	said.emit(id, Replies.ok({"proof": proof.hex_encode()}).to_text(_plain_id(request.get("id"))))


func _token() -> String:
	var given: String = _settings.token()
	return Records.token() if given == "" or given == "off" else given


func _is_token(given: String) -> bool:
	var wanted: String = _token()
	# Hashes are compared, so that the time it takes tells nothing about the token.
	return wanted != "" and given != "" and given.sha256_buffer() == wanted.sha256_buffer()


func _refuse(id: int, request_id: Variant) -> void:
	var data: Dictionary = {
		"reason": "This editor's bridge requires your token",
		"suggestion": "Send godoty.ready with params.token, read from the token_file of the editor's announcement",
	}
	said.emit(id, Replies.error(Replies.AUTH_REQUIRED, "Authentication required", data).to_text(_plain_id(request_id)))
	var client: Dictionary = _clients.get(id, {"failures": 0})
	client["failures"] += 1
	if client["failures"] >= _FAILURES:
		dismissed.emit(id, 1008, "The token was missing or wrong too often.")


static func _plain_id(request_id: Variant) -> Variant:
	if request_id is float:
		var number: float = request_id
		return int(number)
	return request_id if request_id is String or request_id is int else null


static func _message(method: String, params: Dictionary) -> String:
	return JSON.stringify({"jsonrpc": "2.0", "method": method, "params": params}, "", false, true)
