"""Answers `initialize`, `ping` and the listings with what the server said the last time under the same conditions.

Only a request of the plainest form is answered here, as nearly every client sends it; whatever is unusual in any way,
down to a doubled key, waits for the SDK. Values in, values out: where the answers come from is for `answers` to know.
The request that opens the connection is handed on too, under an id of our own, so that the SDK's side is open as well;
what it says to that is compared with what was said here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["LISTINGS", "MODERN_ENVELOPE", "Answers", "Lane", "Taken", "reply_line"]

Answers = Mapping[str, Mapping[str, str]]  # results as JSON, by protocol version and method
LISTINGS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
_META = "io.modelcontextprotocol/"
MODERN_ENVELOPE = (f"{_META}protocolVersion", f"{_META}clientCapabilities", f"{_META}clientInfo")
_VERSION, _CAPABILITIES, _CLIENT = MODERN_ENVELOPE
_LONGEST_LINE = 64_000
_DEEPEST = 64
_LONGEST_ID = 200
_LONGEST_NUMBER = 15  # digits
_KEYS = {"jsonrpc", "id", "method"}


@dataclass(frozen=True, slots=True)
class Taken:
    """What becomes of a line."""

    reply: bytes | None = None
    forward: bytes | None = None  # what the server is to be given
    needs_server: bool = False  # whether the client waits for that, or has all that it asks for at first


class Lane:
    """One connection's fast lane, from the client's first line on."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.used = False
        self.outdated = False  # the server opened the connection with other words
        self._version = ""  # of the protocol, once the connection is open
        self._modern = False
        self._closed = False
        self._replay = f"scenewright-opening-{os.urandom(8).hex()}"
        self._expected: bytes | None = None

    def close(self) -> None:
        """Answer nothing from now on; what the server offers has changed."""
        self._closed = True

    def take(self, line: bytes) -> Taken | None:
        """Return what becomes of a line, or None where all of it is for the server."""
        if self._closed:
            return None
        message = _read_plain(line)
        if message is None or not isinstance(method := message.get("method"), str):
            self._closed = True  # it may be anything, even another opening
            return None
        if "id" not in message:
            return Taken(forward=line) if method == "notifications/initialized" else None
        result = self._answer(method, message) if _is_plain_request(message) else None
        if result is None:
            if method == "initialize" or not self._version:
                self._closed = True
            return None
        reply = reply_line(message["id"], result)
        forward = None
        if self._expected is None:
            forward = json.dumps(message | {"id": self._replay}).encode()
            self._expected = reply_line(self._replay, result)
        self.used = True
        return Taken(reply, forward, needs_server=method == "tools/list")

    def settle(self, line: bytes) -> bool:
        """Return whether a line of the server's is its answer to the opening request, which the client has already."""
        if self._expected is None or self._replay.encode() not in line[:200]:
            return False
        if line != self._expected:
            self.outdated = True
            self._closed = True
        return True

    def _answer(self, method: str, message: dict[str, Any]) -> str | None:
        params = message.get("params", {})
        if method == "initialize":
            return None if self._version else self._open(params)
        if self._version and not self._modern:
            return self._known(self._version, method) if params == {} else None
        version = _modern_version(params)
        result = self._known(version, method) if version else None
        if result is not None and not self._version:
            self._version, self._modern = version, True
        return result

    def _open(self, params: Any) -> str | None:
        if not _is_plain_opening(params):
            return None
        version = params["protocolVersion"]
        result = self._known(version, "initialize")
        if result is not None:
            self._version = version
        return result

    def _known(self, version: str, method: str) -> str | None:
        return self.answers.get(version, {}).get(method)


def reply_line(request_id: str | int, result: str) -> bytes:
    """Return the line that answers a request, as the SDK writes it; an id is plain text or a number."""
    written = f'"{request_id}"' if isinstance(request_id, str) else str(request_id)
    return f'{{"jsonrpc":"2.0","id":{written},"result":{result}}}'.encode()


def _read_plain(line: bytes) -> dict[str, Any] | None:
    """Return a message that every reader of JSON reads alike, or None."""
    deep = line.count(b"{") + line.count(b"[") > _DEEPEST
    if deep or len(line) > _LONGEST_LINE or b"\\u" in line:
        return None
    try:
        message = json.loads(
            line.decode(),
            object_pairs_hook=_refuse_doubles,
            parse_int=_read_small_number,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
    except ValueError:
        return None
    return message if isinstance(message, dict) and message.get("jsonrpc") == "2.0" else None


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a key stands there twice")
    return read


def _read_small_number(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError("a long number")
    return int(text)


def _refuse(text: str) -> Any:
    raise ValueError(text)


def _is_plain_request(message: dict[str, Any]) -> bool:
    return message.keys() - {"params"} == _KEYS and _is_plain_id(message["id"])


def _is_plain_id(given: Any) -> bool:
    if isinstance(given, str):
        plain = given.isascii() and given.isprintable() and not {'"', "\\"} & set(given)
        return plain and len(given) <= _LONGEST_ID
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0


def _is_plain_opening(params: Any) -> bool:
    return (
        isinstance(params, dict)
        and params.keys() == {"protocolVersion", "capabilities", "clientInfo"}
        and isinstance(params["protocolVersion"], str)
        and _are_plain_capabilities(params["capabilities"])
        and _is_plain_client(params["clientInfo"])
    )


def _modern_version(params: Any) -> str:
    """Return the protocol version of a request that brings its own, or nothing where it is no plain one."""
    meta = params.get("_meta") if isinstance(params, dict) and params.keys() == {"_meta"} else None
    if not isinstance(meta, dict) or not {_VERSION, _CAPABILITIES} <= meta.keys() <= set(MODERN_ENVELOPE):
        return ""
    plain = _are_plain_capabilities(meta[_CAPABILITIES]) and (_CLIENT not in meta or _is_plain_client(meta[_CLIENT]))
    return meta[_VERSION] if plain and isinstance(meta[_VERSION], str) else ""


def _is_plain_client(info: Any) -> bool:
    if not isinstance(info, dict) or not {"name", "version"} <= info.keys() or "icons" in info:
        return False
    return all(isinstance(info.get(key, ""), str) for key in ("name", "version", "title", "description", "websiteUrl"))


def _are_plain_capabilities(given: Any) -> bool:
    """Return whether these are capabilities as the protocol has them; those that it does not know say nothing."""
    if not isinstance(given, dict) or "tasks" in given:
        return False
    if isinstance(given.get("extensions"), dict) and _APPS in given["extensions"]:
        return False  # its listing has more in it
    named = [given.get(name, {}) for name in ("roots", "sampling", "elicitation", "experimental", "extensions")]
    if not all(isinstance(part, dict) for part in named):
        return False
    roots, sampling, elicitation, *further = named
    inner = [*(sampling.get(key, {}) for key in ("context", "tools")), *(elicitation.get(key, {}) for key in _MODES)]
    inner += [value for part in further for value in part.values()]
    return isinstance(roots.get("listChanged", True), bool) and all(isinstance(part, dict) for part in inner)


_APPS = "io.modelcontextprotocol/ui"
_MODES = ("form", "url")
