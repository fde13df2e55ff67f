@tool
extends RefCounted
## The HTTP request that opens a WebSocket: judged here, answered by whoever holds the socket.
##
## A browser names the page that connects in Origin and cannot leave it out. No page is ever
## welcome, so a request with an Origin is refused, as is one whose Host is not this machine.

const LIMIT: int = 8192

const _MAGIC: String = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
const _HOSTS: Array[String] = ["127.0.0.1", "localhost", "[::1]"]


## The position after the request's head in these bytes, or -1 where it is not complete.
static func end_of_head(bytes: PackedByteArray) -> int:
	var at: int = bytes.find(10)
	while at >= 0:
		if at >= 3 and bytes[at - 1] == 13 and bytes[at - 2] == 10 and bytes[at - 3] == 13:
			return at + 1
		at = bytes.find(10, at + 1)
	return -1


## The answer to a request's head: a switch of protocols, or a refusal.
static func answer(head: String) -> String:
	var lines: PackedStringArray = head.split("\r\n")
	var request: PackedStringArray = lines[0].split(" ")
	var headers: Dictionary = _headers(lines)
	if request.size() != 3 or request[0] != "GET" or not request[2].begins_with("HTTP/1.1"):
		return _refusal("400 Bad Request")
	if headers.has("origin") or not _is_this_machine(_header(headers, "host")):
		return _refusal("403 Forbidden")
	if request[1].get_slice("?", 0) != "/":
		return _refusal("404 Not Found")
	if not _header(headers, "upgrade").to_lower().contains("websocket"):
		return _refusal("426 Upgrade Required", "Upgrade: websocket\r\n")
	if _header(headers, "sec-websocket-version") != "13":
		return _refusal("426 Upgrade Required", "Sec-WebSocket-Version: 13\r\n")
	var key: String = _header(headers, "sec-websocket-key")
	if key.length() != 24 or not _header(headers, "connection").to_lower().contains("upgrade"):
		return _refusal("400 Bad Request")
	return (
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		+ "Sec-WebSocket-Accept: %s\r\n\r\n" % _accepted(key)
	)


static func is_accepting(reply: String) -> bool:
	return reply.begins_with("HTTP/1.1 101 ")


static func _headers(lines: PackedStringArray) -> Dictionary:
	var headers: Dictionary = {}
	for line: String in lines.slice(1):
		var colon: int = line.find(":")
		if colon > 0:
			headers[line.left(colon).strip_edges().to_lower()] = line.substr(colon + 1).strip_edges()
	return headers


static func _header(headers: Dictionary, header: String) -> String:
	return str(headers.get(header, ""))


static func _is_this_machine(host: String) -> bool:
	var colon: int = host.rfind(":")
	var place: String = host.left(colon) if colon > host.rfind("]") else host
	return place.to_lower() in _HOSTS


static func _accepted(key: String) -> String:
	return Marshalls.raw_to_base64((key + _MAGIC).sha1_buffer())


static func _refusal(status: String, header: String = "") -> String:
	return "HTTP/1.1 %s\r\n%sConnection: close\r\nContent-Length: 0\r\n\r\n" % [status, header]
