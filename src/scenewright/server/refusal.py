"""The answer to a line that is no MCP message: what is wrong with it, to its sender where the line says who that is.

Knows neither the SDK nor the streams; it takes bytes and gives bytes.
"""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["has_id", "refusal", "unsayable"]

PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603
LOOKED_AT = 4096
_STRING = rb'(?<!\\)"(?:[^"\\]|\\.)*+"'
_TOKEN = re.compile(rb'"id"\s*:\s*(' + _STRING + rb"|-?\d{1,18}(?=[\s,}]))|" + _STRING + rb"|[\[\]{}]")
_LAST = re.compile(rb'\}\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(' + _STRING + rb"|-?\d{1,18})\s*\}\s*\Z")


def refusal(line: bytes, *, too_long: bool = False) -> bytes:
    """Return the error reply to a line."""
    if too_long:
        return _reply(INVALID_REQUEST, f"The line is longer than {len(line):,} bytes.", _id_in(line))
    try:
        value = json.loads(line)
    except RecursionError:
        return _reply(PARSE_ERROR, "The line is nested too deeply.", _id_in(line))
    except ValueError:
        return _reply(PARSE_ERROR, "The line is not valid JSON.", _id_in(line))
    if isinstance(value, list):
        return _reply(INVALID_REQUEST, "Batches are not part of this protocol; send one message per line.", None)
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return _reply(INVALID_REQUEST, "The line is not a JSON-RPC 2.0 message.", _id_of(value))
    return _reply(INVALID_REQUEST, _problem(value), _id_of(value))


def unsayable(request_id: Any) -> bytes:
    """Return the reply in place of one that cannot be put into JSON."""
    return _reply(INTERNAL_ERROR, "The reply could not be written; the server's log has the detail.", request_id)


def has_id(line: bytes) -> bool:
    """Return whether a line that was read as a notification was meant as a request."""
    return b'"id"' in line and "id" in json.loads(line)


def _reply(code: int, message: str, sender: str | int | None) -> bytes:
    reply = {"jsonrpc": "2.0", "id": sender, "error": {"code": code, "message": message}}
    return json.dumps(reply, ensure_ascii=False).encode()


def _problem(message: dict[str, Any]) -> str:
    if not _is_text(message):
        return "The line holds half a surrogate pair, which is not valid Unicode."
    if "id" in message and _id_of(message) is None:
        return "The id of a request must be text or a whole number."
    if not isinstance(message.get("method"), str):
        return "The message has no method, and is not an answer to a request of the server."
    if not isinstance(message.get("params", {}), dict):
        return "The params of a message must be an object."
    return "The line is nested too deeply."


def _id_of(message: Any) -> str | int | None:
    sender = message.get("id") if isinstance(message, dict) else None
    usable = isinstance(sender, (str, int)) and not isinstance(sender, bool) and _is_text(sender)
    return sender if usable else None


def _is_text(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _id_in(line: bytes) -> str | int | None:
    """The id of a message that cannot be parsed: clients write it first or last, never among the arguments."""
    match = _first_id(line[:LOOKED_AT]) or _LAST.search(line[-LOOKED_AT:])
    try:
        return _id_of({"id": json.loads(match.group(1))}) if match else None
    except ValueError:
        return None


def _first_id(head: bytes) -> re.Match[bytes] | None:
    depth = 0
    for token in _TOKEN.finditer(head):
        if token.group(1) is not None and depth == 1 and head.lstrip()[:1] == b"{":
            return token
        depth += {b"{": 1, b"[": 1, b"}": -1, b"]": -1}.get(token.group(), 0)
    return None
