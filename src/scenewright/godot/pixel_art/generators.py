"""Services that a person has set up to draw sheets or to make specs of goals: asked only where they may be.

Over https, or plain http on this machine; no redirects are followed, and what comes back has a bounded size.
"""

from __future__ import annotations

import base64
import binascii
import http.client
import json
import os
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from scenewright.core.calls.deadline import seconds_left
from scenewright.core.faults import Denied, Invalid, NotConnected
from scenewright.core.policy.gates import pass_external, settings_of
from scenewright.pixel.pictures import open_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PIL.Image import Image

    from scenewright.core.calls.call import Call

__all__ = ["generated_picture", "generated_spec"]

_MOST_BYTES = 16 << 20
_WITHOUT = "Leave allowExternalTools out to do without it."
_HERE = ("localhost", "127.0.0.1", "::1")


def generated_picture(call: Call, wish: Callable[[], Mapping[str, Any]], seconds: float) -> Image | None:
    """Return the picture that IMAGE_GEN_URL makes of a wish, which is worked out if it may be asked; None if not set.

    Raises:
        Denied: this server may not ask it.
        NotConnected: it does not answer.
        Invalid: its answer is no picture.
    """
    body = _answer(call, "IMAGE_GEN", wish, seconds)
    if body is None:
        return None
    if body[:1] == b"{":
        try:
            body = base64.b64decode(str(_as_object(body, "IMAGE_GEN_URL").get("imageBase64", "")), validate=True)
        except binascii.Error:
            body = b""
    return open_picture(body, "IMAGE_GEN_URL")


def generated_spec(call: Call, wish: Callable[[], Mapping[str, Any]], seconds: float) -> dict[str, Any] | None:
    """Return the spec that SPEC_GEN_URL makes of a goal, as it says it; None where it is not set.

    Raises:
        Denied: this server may not ask it.
        NotConnected: it does not answer.
        Invalid: its answer is no object.
    """
    body = _answer(call, "SPEC_GEN", wish, seconds)
    return None if body is None else _as_object(body, "SPEC_GEN_URL")


def _as_object(body: bytes, name: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Invalid(f"The answer of {name} is no JSON object.", path=name, rule="type")
    return value


def _answer(call: Call, name: str, wish: Callable[[], Mapping[str, Any]], seconds: float) -> bytes | None:
    """What a service answers to a POST with the wish as JSON."""
    url = os.environ.get(f"{name}_URL", "").strip()
    if not url:
        return None
    pass_external(f"'{call.name}' would ask {name}_URL.", settings_of(call))
    address = _address(url, name)
    body = json.dumps(wish()).encode()
    seconds = max(seconds_left(seconds), 0.1)
    try:
        status, answer = _ask(address, body, _headers(name), seconds)
    except TimeoutError:
        raise NotConnected(f"{name}_URL does not answer within {seconds:g} s.", hint=_WITHOUT) from None
    except (OSError, ValueError, http.client.HTTPException) as problem:
        raise NotConnected(f"{name}_URL does not answer: {type(problem).__name__}.", hint=_WITHOUT) from None
    if status != http.client.OK or len(answer) > _MOST_BYTES:
        what = f"with status {status}" if status != http.client.OK else "more than can be taken"
        raise NotConnected(f"{name}_URL answers {what}.", hint=_WITHOUT)
    return answer


def _ask(address: SplitResult, body: bytes, headers: Mapping[str, str], seconds: float) -> tuple[int, bytes]:
    """Send a request and return status and body; the time is for all of it, however slowly the answer drips in."""
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(address.hostname or "", address.port, timeout=seconds)
    over = threading.Event()
    lines: list[socket.socket] = []  # the connection forgets its own before an answer without a length is read

    def end() -> None:
        over.set()
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    clock = threading.Timer(seconds, end)
    clock.daemon = True
    clock.start()
    path = (address.path or "/") + (f"?{address.query}" if address.query else "")
    try:
        connection.connect()
        lines.append(connection.sock)
        if over.is_set():
            raise TimeoutError
        connection.request("POST", path, body, dict(headers))
        with connection.getresponse() as response:
            status, answer = response.status, response.read(_MOST_BYTES + 1)
    except (OSError, http.client.HTTPException) as problem:
        raise TimeoutError if over.is_set() else problem from None
    finally:
        clock.cancel()
        connection.close()
    if over.is_set():
        raise TimeoutError
    return status, answer


def _address(url: str, name: str) -> SplitResult:
    """The address that a variable has.

    Raises:
        Denied: it is none, or one that may not be asked.
    """
    insecure = os.environ.get("ALLOW_INSECURE_IMAGE_GEN_HTTP", "").strip().lower() in ("1", "true", "yes", "on")
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise Denied(f"{name}_URL is no http or https address.")
    if parts.scheme == "http" and parts.hostname not in _HERE and not insecure:
        raise Denied(
            f"{name}_URL is plain http to another machine.",
            hint="Use https, or set ALLOW_INSECURE_IMAGE_GEN_HTTP=true.",
        )
    return parts


def _headers(name: str) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    header, value = (os.environ.get(f"{name}_AUTH_{part}", "").strip() for part in ("HEADER", "VALUE"))
    return headers | ({header: value} if header and value else {})
