"""Plays a Gox server's side of bridge protocol 1.1: its relay over HTTP, and nothing of ours."""

from __future__ import annotations

import json
import queue
import threading
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["PlainServer"]

SESSION = "/v1/bridge/session"


class PlainServer:
    """Listens as Gox does, takes the newest session for the only one, and asks one thing at a time."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.session = ""
        self.opened = threading.Event()
        self.out: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.back: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.capabilities: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"relay": self}))
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    def greet(self) -> None:
        """The handshake, with the fixed ids and keys of Gox."""
        assert self.opened.wait(30)
        auth = self.send("bridge.auth", {"token": self.token, "clientName": "gox"}, name="bridge-auth")
        assert auth["payload"]["authenticated"] is True
        hello = {"protocolVersion": "1.1", "clientName": "gox"}
        self.capabilities = self.send("bridge.hello", hello, name="bridge-hello")["payload"]["capabilities"]

    def ask(self, operation: str, payload: dict[str, Any] | None = None, *, key: str | None = None) -> dict[str, Any]:
        """The payload of the answer to a request that must not fail."""
        answer = self.send(operation, payload, name=key)
        assert answer["success"], answer
        assert isinstance(answer["payload"], dict)
        return answer["payload"]

    def refused(self, operation: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The error of the answer to a request that must fail."""
        answer = self.send(operation, payload)
        assert not answer["success"], answer
        error: dict[str, Any] = answer["error"]
        assert isinstance(error.get("details", {}), dict)
        return error

    def send(self, operation: str, payload: dict[str, Any] | None = None, *, name: str | None = None) -> dict[str, Any]:
        name = name or uuid.uuid4().hex
        request: dict[str, Any] = {"requestId": name, "correlationId": name, "operation": operation}
        if payload:  # Go leaves an empty map out
            request["payload"] = payload
        self.out.put(json.dumps(request | {"idempotencyKey": name, "timestamp": datetime.now(UTC).isoformat()}))
        answer: dict[str, Any] = json.loads(self.back.get(timeout=20))
        assert (answer["requestId"], answer["correlationId"]) == (name, name)
        assert datetime.fromisoformat(answer["timestamp"])
        assert ("error" in answer) != answer["success"]
        return answer


class _Handler(BaseHTTPRequestHandler):
    relay: PlainServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        if self.headers.get("X-Gox-Auth") != self.relay.token:
            self._answer(401)
        elif self.path == SESSION:
            self.relay.session = uuid.uuid4().hex
            self._answer(200, {"sessionId": self.relay.session})
            self.relay.opened.set()
        elif self.path == f"{SESSION}/{self.relay.session}/write":
            self.relay.back.put(body["line"])
            self._answer(204)
        else:
            self._answer(404)

    def do_GET(self) -> None:
        path, _, asked = self.path.partition("?timeout_ms=")
        if path != f"{SESSION}/{self.relay.session}/read" or not self.relay.session:
            return self._answer(404)
        try:
            self._answer(200, {"line": self.relay.out.get(timeout=min(int(asked), 2000) / 1000)})
        except queue.Empty:
            self._answer(204)

    def do_DELETE(self) -> None:
        self._answer(204)

    def log_message(self, *_: Any) -> None:
        pass

    def _answer(self, status: int, body: Any = None) -> None:
        raw = b"" if body is None else json.dumps(body).encode()
        with suppress(OSError):  # a Studio that went away
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
