@tool
extends RefCounted
## Makes replies: one function per error code, so that each has the same shape everywhere.

const Reply = preload("reply.gd")

const PARSE_ERROR: int = -32700
const INVALID_REQUEST: int = -32600
const METHOD_NOT_FOUND: int = -32601
const INVALID_PARAMS: int = -32602
const INTERNAL_ERROR: int = -32603
const NODE_NOT_FOUND: int = -32000
const CLASS_NOT_FOUND: int = -32001
const NOT_ALLOWED: int = -32002
const GAME_NOT_RUNNING: int = -32003
const CAPTURE_FAILED: int = -32004
const TIMED_OUT: int = -32005
const INVALID_PATH: int = -32006
const AUTH_REQUIRED: int = -32007
const QUOTA_EXCEEDED: int = -32008


static func ok(result: Dictionary) -> Reply:
	var reply: Reply = Reply.new()
	reply.result = {"success": true}
	reply.result.merge(result)
	return reply


## A result that is JSON already.
static func written(json: String) -> Reply:
	var reply: Reply = Reply.new()
	reply.json = json
	return reply


static func error(code: int, message: String, data: Dictionary = {}) -> Reply:
	var reply: Reply = Reply.new()
	reply.code = code
	reply.message = message
	reply.data = data
	return reply


static func invalid(parameter: String, expected: String, got: Variant = null) -> Reply:
	var details: Dictionary = {"parameter": parameter, "expected": expected}
	if got != null:
		details["got"] = type_string(typeof(got))
	return error(INVALID_PARAMS, "Invalid parameter '%s': expected %s" % [parameter, expected], details)


static func missing(parameter: String, expected: String) -> Reply:
	var message: String = "Missing required parameter '%s': expected %s" % [parameter, expected]
	return error(INVALID_PARAMS, message, {"parameter": parameter, "expected": expected})


static func no_scene() -> Reply:
	var suggestion: String = "Open a scene in the editor, or call scenewright.open_scene"
	return error(NODE_NOT_FOUND, "No scene is open in the editor", {"suggestion": suggestion})


static func no_node(path: String, similar: Array) -> Reply:
	return error(
		NODE_NOT_FOUND,
		"Node not found: %s" % path,
		{
			"requested_path": path,
			"similar_paths": similar,
			"suggestion": "Check if the node exists in the current scene",
		}
	)


static func bad_path(path: String, why: String, suggestion: String) -> Reply:
	return error(INVALID_PATH, "Invalid path: %s: %s" % [path, why], {"requested_path": path, "suggestion": suggestion})


static func no_class(wanted: String, similar: Array) -> Reply:
	return error(
		CLASS_NOT_FOUND,
		"Class not found: %s" % wanted,
		{
			"requested_class": wanted,
			"similar_classes": similar,
			"suggestion": "Check the spelling, or use search_docs to find the class",
		}
	)


static func not_enabled(action: String) -> Reply:
	return error(
		NOT_ALLOWED,
		"Action '%s' is not enabled" % action,
		{
			"action": action,
			"reason": "Dangerous actions require explicit opt-in",
			"how_to_enable": "Enable 'godoty.allow_dangerous_actions' in plugin settings",
			"where": "Editor Settings > Scenewright > Bridge > Allow Dangerous Actions, or the Scenewright dock",
		}
	)


static func refused(action: String, reason: String, how: String) -> Reply:
	var message: String = "Action '%s' is not allowed: %s" % [action, reason]
	return error(NOT_ALLOWED, message, {"action": action, "reason": reason, "how_to_enable": how, "suggestion": how})


static func no_game() -> Reply:
	var suggestion: String = "Use execute_action with action='run_scene' to start the game"
	return error(GAME_NOT_RUNNING, "Game not running", {"suggestion": suggestion})


static func no_picture(details: String, suggestion: String) -> Reply:
	return error(CAPTURE_FAILED, "Capture failed: %s" % details, {"details": details, "suggestion": suggestion})


static func too_late(what: String, after: int, suggestion: String) -> Reply:
	var message: String = "%s timed out after %d ms" % [what, after]
	return error(TIMED_OUT, message, {"timeout_ms": after, "suggestion": suggestion})


static func broken(details: String, suggestion: String) -> Reply:
	return error(INTERNAL_ERROR, "Internal error: %s" % details, {"details": details, "suggestion": suggestion})
