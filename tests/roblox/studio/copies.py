"""A copy of the place in the stand-in for Studio: a machine of its own with the plugin in it, and its network."""

from __future__ import annotations

import http.client
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from scenewright.roblox.luau.engine import text
from scenewright.roblox.luau.machine import FOLDER, Machine
from scenewright.roblox.luau.world import TreeWorld
from scenewright.roblox.place.documents import read_tree

__all__ = ["PlaceCopy", "Work"]

Work = Callable[[], None]
_HERE = Path(__file__).parent


class PlaceCopy:
    """The place being built ("edit"), or in a playtest the "server" or a player's, by the player's name."""

    def __init__(self, inbox: queue.SimpleQueue[Work], place: bytes, plugin: bytes, name: str) -> None:
        self.name = name
        self.world = TreeWorld(read_tree("place.rbxl", place))
        self._rows = self.world.add(read_tree("plugin.rbxmx", plugin))
        self.machine = Machine(self.world, strict=True)
        self._inbox = inbox
        self._sockets: dict[int, ClientConnection | None] = {}
        self._closed = False

    def set_up(self, name: str, options: dict[str, Any]) -> None:
        machine = self.machine
        machine.offer_raw("request", self._request)
        machine.offer_raw("connect", self._connect)
        machine.offer("sendText", self._send)
        machine.offer("hangUp", self._hang_up)
        machine.roblox.get("open")(0)
        machine.run_file(FOLDER / "env" / "changes.luau")
        if self.name == "edit":
            machine.roblox.get("watch")()
        machine.run_file(_HERE / "studio.luau")
        studio = machine.roblox.get("studio")
        role = self.name if self.name in ("edit", "server") else "client"
        for key, value in (options | {"role": role}).items():
            studio.set(key, machine.values.into(value))
        machine.roblox.get("game").set("name", name)
        if role != "edit":
            machine.run_file(_HERE / "playtest.luau")

    def start(self) -> None:
        main = self.machine.roblox.get("rowRecord")(self._rows, "Script", "scenewright")[0]
        self.machine.roblox.get("studio").get("run")(main)
        if self.name != "edit":
            self.tell("startScripts")

    def close(self) -> None:
        self._closed = True
        for number in self._sockets:
            self._hang_up(number)

    def tell(self, name: str, *values: Any) -> None:
        self.machine.roblox.get("studio").get(name)(*map(self.machine.values.into, values))

    def evaluate(self, source: str) -> dict[str, Any]:
        results = self.machine.roblox.get("studio").get("evaluate")(self.machine.values.into(source))
        ok, value = results[0], results[1] if len(results) > 1 else None
        return {"ok": ok, "value": self.machine.values.out(value)}

    def changes(self) -> list[Any]:
        edits: list[Any] = self.machine.values.out(self.machine.roblox.get("changes")()[0])
        return edits

    @staticmethod
    def text(value: Any) -> str:
        return value if isinstance(value, str) else text(value)

    # The world outside

    def _later(self, work: Work) -> None:
        def unless_closed() -> None:
            if not self._closed:
                work()

        self._inbox.put(unless_closed)

    def _answer(self, ticket: int, *values: Any) -> None:
        into = self.machine.values.into
        self._later(lambda: self.machine.roblox.get("answer")(ticket, *map(into, values)))

    def _request(self, ticket: Any, *arguments: Any) -> tuple[Any, ...]:
        url, method, headers, body = (self.machine.values.out(argument) for argument in arguments)

        def work() -> None:
            try:
                self._answer(int(ticket), True, _fetch(url, method, headers or {}, body))
            except (OSError, http.client.HTTPException):
                self._answer(int(ticket), False, "HttpError: ConnectFail")

        threading.Thread(target=work, daemon=True).start()
        return ()

    def _connect(self, ticket: Any, url: Any, headers: Any, tell: Any) -> tuple[Any, ...]:
        number = int(ticket)
        place, extra = self.machine.values.out(url), self.machine.values.out(headers) or {}

        def event(name: str, *values: Any) -> None:
            into = self.machine.values.into
            self._later(
                lambda: self.machine.roblox.get("resume")(
                    self.machine.lua.create_thread(tell), name, *map(into, values)
                )
            )

        def work() -> None:
            try:
                with connect(place, additional_headers=extra, max_size=None, compression=None) as socket:
                    self._sockets[number] = socket
                    event("Opened", 101, "")
                    for message in socket:
                        event("MessageReceived", message)
                event("Closed")
            except (OSError, WebSocketException) as error:
                event("Error", 0, str(error))

        self._sockets[number] = None
        threading.Thread(target=work, daemon=True).start()
        return ()

    def _send(self, ticket: int, message: str) -> None:
        socket = self._sockets[ticket]
        if socket is not None:
            with suppress(WebSocketException):  # the reader tells of it
                socket.send(message)

    def _hang_up(self, ticket: int) -> None:
        socket = self._sockets.get(ticket)
        if socket is not None:
            threading.Thread(target=socket.close, daemon=True).start()


def _fetch(url: str, method: str, headers: dict[str, str], body: str) -> dict[str, Any]:
    place = urlsplit(url)
    assert place.hostname is not None
    link = http.client.HTTPConnection(place.hostname, place.port or 80, timeout=60)
    try:
        path = place.path + (f"?{place.query}" if place.query else "")
        link.request(method, path, body=body.encode() or None, headers=headers)
        response = link.getresponse()
        answer = response.read().decode()
        ok = 200 <= response.status < 300
        return {"Success": ok, "StatusCode": response.status, "StatusMessage": response.reason, "Body": answer}
    finally:
        link.close()
