"""Speaks bridge protocol 1.1 to the relay the way Gox's own plugin does: one long poll at a time."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

__all__ = ["PlainPlugin", "ask", "refusal"]

Handler = Callable[[dict[str, Any]], dict[str, Any] | None]
STAMP = "2026-01-01T00:00:00Z"


def ask(
    url: str, method: str, path: str, *, token: str | None, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    """One HTTP request; the status and the decoded body."""
    place = urlsplit(url)
    assert place.hostname is not None
    link = http.client.HTTPConnection(place.hostname, place.port or 80, timeout=20)
    try:
        sent = {"Content-Type": "application/json"} | ({"X-Gox-Auth": token} if token else {}) | (headers or {})
        raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        link.request(method, path, body=raw, headers=sent)
        response = link.getresponse()
        content = response.read()
        return response.status, json.loads(content) if content else None
    finally:
        link.close()


def refusal(code: str, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


class PlainPlugin:
    """Answers requests with `handle`: a payload, a refusal, or None for no answer at all."""

    def __init__(
        self, url: str, token: str, handle: Handler, *, name: str = "roblox-plugin", more: tuple[str, ...] = ()
    ) -> None:
        self.more = more  # capabilities beyond those of the first Gox
        self.url, self.token, self.handle = url, token, handle
        self.requests: list[dict[str, Any]] = []
        self.authenticated = self.greeted = False
        status, opened = ask(url, "POST", "/v1/bridge/session", token=token, body={"clientName": name})
        assert status == 200, opened
        self.session = opened["sessionId"]
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Goes away without a word, as a Studio that crashes."""
        self._stopped.set()
        self._thread.join(5)

    def close(self) -> None:
        ask(self.url, "DELETE", f"/v1/bridge/session/{self.session}/close", token=self.token)
        self.stop()

    def write(self, line: str) -> int:
        path = f"/v1/bridge/session/{self.session}/write"
        return ask(self.url, "POST", path, token=self.token, body={"line": line})[0]

    def respond(self, request: dict[str, Any], answer: dict[str, Any]) -> int:
        response = {key: request[key] for key in ("requestId", "correlationId")} | {"timestamp": STAMP}
        if "error" in answer:
            return self.write(json.dumps(response | {"success": False, "error": answer["error"]}))
        return self.write(json.dumps(response | {"success": True, "payload": answer}))

    def _loop(self) -> None:
        while not self._stopped.is_set():
            path = f"/v1/bridge/session/{self.session}/read?timeout_ms=200"
            try:
                status, body = ask(self.url, "GET", path, token=self.token)
            except OSError:
                return
            if status == 404:
                return
            if body:
                self._take(json.loads(body["line"]))

    def _take(self, request: dict[str, Any]) -> None:
        self.requests.append(request)
        answer = self._handshake(request) or self.handle(request)
        if answer is not None:
            self.respond(request, answer)

    def _handshake(self, request: dict[str, Any]) -> dict[str, Any] | None:
        if request["operation"] == "bridge.auth":
            self.authenticated = request["payload"]["token"] == self.token
            return {"authenticated": True} if self.authenticated else refusal("ACCESS_DENIED", "invalid auth token")
        if not self.authenticated:
            return refusal("ACCESS_DENIED", "authentication required")
        if request["operation"] == "bridge.hello":
            self.greeted = True
            known = ["typed-values.v2", "instance-id", "idempotency-key", *self.more]
            return {"protocolVersion": "1.1", "capabilities": known}
        return None
