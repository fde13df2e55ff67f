"""JSON-RPC 2.0 messages of the bridge, to and from the text of a frame."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import msgspec

__all__ = ["Answer", "Garbage", "Incoming", "Notice", "Refusal", "decode", "encode_notice", "encode_request"]

_VERTICAL_TAB = re.compile(r"((?<!\\)(?:\\\\)*)\\v")


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a request."""

    id: int
    result: Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error of a request; without an id where the peer could not read which one."""

    id: int | None
    code: int
    message: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the peer tells without being asked."""

    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Garbage:
    """A frame that is none of these, and why."""

    reason: str


Incoming = Answer | Refusal | Notice | Garbage


def encode_request(number: int, method: str, params: dict[str, Any]) -> str:
    return _message_text({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def encode_notice(method: str, params: dict[str, Any]) -> str:
    return _message_text({"jsonrpc": "2.0", "method": method, "params": params})


def decode(frame: str | bytes) -> Incoming:
    """Decode a frame; never raise."""
    try:
        message = _parse_frame(frame)
    except (ValueError, RecursionError):
        return Garbage("the frame is not JSON")
    if not isinstance(message, dict):
        return Garbage("the frame is not a JSON object")
    if "method" in message:
        return _notice(message)
    return _reply(message)


def _parse_frame(frame: str | bytes) -> Any:
    try:
        return msgspec.json.decode(frame)
    except (msgspec.DecodeError, UnicodeError):
        # The engine writes control characters as they are, and has an escape that JSON has not.
        text = frame if isinstance(frame, str) else frame.decode()
        return json.loads(_VERTICAL_TAB.sub(r"\1\\u000b", text), strict=False)


def _notice(message: dict[str, Any]) -> Incoming:
    if "id" in message:
        return Garbage("the peer made a request; only this side makes requests")
    method, params = message["method"], message.get("params") or {}
    if not isinstance(method, str) or not isinstance(params, dict):
        return Garbage("a notification needs a method and an object of params")
    return Notice(method, params)


def _reply(message: dict[str, Any]) -> Incoming:
    number = _number(message.get("id"))
    if isinstance(error := message.get("error"), dict):
        code, data = _number(error.get("code")), error.get("data")
        return Refusal(
            number,
            -32603 if code is None else code,
            str(error.get("message") or "The editor gave no reason."),
            data if isinstance(data, dict) else {} if data is None else {"details": data},
        )
    if number is None:
        return Garbage("a reply without a usable id")
    return Answer(number, message["result"]) if "result" in message else Garbage("neither a result nor an error")


def _number(value: Any) -> int | None:
    """An id or code of ours; the engine's JSON knows only floats, and some write 7 as 7.0 or "7"."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return None
    return int(value)


def _message_text(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()
