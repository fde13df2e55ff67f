"""A client that knows only the document of the Godoty protocol: a WebSocket, JSON, and what is written there."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0


class Refused(Exception):
    """An error of the protocol."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: dict[str, Any] = error.get("data", {})


class PlainClient:
    """Calls one after the other; what comes in between is kept until it is asked for."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []
        self._last = 0
        self.greeting = self.receive()

    def receive(self, patience: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=patience))
        assert message["jsonrpc"] == "2.0"
        return message

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps({"jsonrpc": "2.0", **message}))

    def notify(self, method: str, /, **params: Any) -> None:
        self.send(method=method, params=params)

    def ask(self, method: str, params: dict[str, Any]) -> int:
        """Sends a request; its answer is `answer`'s business."""
        self._last += 1
        self.send(id=self._last, method=method, params=params)
        return self._last

    def answer(self, number: int) -> dict[str, Any]:
        while (message := self.receive()).get("id") != number:
            self.events.append(message)
        if "error" in message:
            raise Refused(message["error"])
        result: dict[str, Any] = message["result"]
        return result

    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        return self.answer(self.ask(method, params))

    def act(self, action: str, /, **arguments: Any) -> dict[str, Any]:
        result = self.call("execute_action", action=action, args=arguments)
        assert result["success"] is True
        assert result["action"] == action
        return result

    def send_until_closed(self, message: str | bytes) -> int:
        """Sends something that ends the connection; the code it is closed with."""
        with suppress(ConnectionClosed):  # the goodbye may come before all is sent
            self.socket.send(message)
        return self.closing_code()

    def closing_code(self) -> int:
        """The code that the server closes the connection with, whatever it says before."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return 0 if closed.rcvd is None else closed.rcvd.code

    def event(self, method: str, patience: float = PATIENCE) -> dict[str, Any]:
        """The next event of that name, from those kept or those to come."""
        for message in self.events:
            if message.get("method") == method:
                self.events.remove(message)
                return dict(message["params"])
        until = time.monotonic() + patience
        while (message := self.receive(until - time.monotonic())).get("method") != method:
            self.events.append(message)
        return dict(message["params"])

    def event_where(self, method: str, text: str) -> dict[str, Any]:
        """The next such event whose message has this in it."""
        while text not in (params := self.event(method))["message"]:
            continue
        return params


@contextmanager
def plain_client(url: str, *, token: str | None = None, ready: bool = True, **more: Any) -> Iterator[PlainClient]:
    """Connects, and acknowledges unless told not to."""
    with connect(url, max_size=None, open_timeout=PATIENCE) as socket:
        client = PlainClient(socket)
        if ready:
            secret = {} if token is None else {"token": token}
            client.notify("godoty.ready", client_name="plain", client_version="1.0.0", **secret, **more)
        yield client
