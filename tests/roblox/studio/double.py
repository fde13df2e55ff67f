"""A process that stands for Roblox Studio: a place, the installed plugin file, and real sockets.

Takes lines of JSON on standard input: first how to start, then `{"luau": …}` for what a person does. Answers each on
standard output. Its limits are written down in docs/roblox-studio.md.
"""

from __future__ import annotations

import base64
import gc
import http.client
import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from scenewright.roblox.luau.machine import Machine
from scenewright.roblox.luau.world import TreeWorld
from scenewright.roblox.place.documents import read_tree
from scenewright.roblox.tree import InstanceTree

Work = Callable[[], None]


class Studio:
    """One Studio window."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.inbox: queue.SimpleQueue[Work] = queue.SimpleQueue()
        tree = read_tree(order["place"], Path(order["place"]).read_bytes()) if order.get("place") else InstanceTree()
        self.world = TreeWorld(tree)
        plugin = read_tree("plugin.rbxmx", base64.b64decode(order["plugin"]))
        rows = self.world.add(plugin)
        self.machine = Machine(self.world, strict=True)
        self._sockets: dict[int, ClientConnection | None] = {}
        self._offer()
        self.machine.roblox.get("open")(0)
        self.machine.run_file(Path(__file__).with_name("studio.luau"))
        self.studio = self.machine.roblox.get("studio")
        for name, value in order.get("options", {}).items():
            self.studio.set(name, self.machine.values.into(value))
        self.machine.roblox.get("game").set("name", order.get("name", "Place1"))
        main = self.machine.roblox.get("rowRecord")(rows, "Script", "scenewright")[0]
        self.studio.get("run")(main)

    def loop(self) -> None:
        while True:
            seconds = self.machine.run_due()
            try:
                self.inbox.get(timeout=1.0 if seconds is None else min(seconds, 1.0))()
                while True:
                    self.inbox.get_nowait()()
            except queue.Empty:
                pass

    def evaluate(self, source: str) -> dict[str, Any]:
        results = self.studio.get("evaluate")(self.machine.values.into(source))
        ok, value = results[0], results[1] if len(results) > 1 else None
        return {"ok": ok, "value": self.machine.values.out(value)}

    # The world outside

    def _offer(self) -> None:
        self.machine.offer_raw("request", self._request)
        self.machine.offer_raw("connect", self._connect)
        self.machine.offer("send", self._send)
        self.machine.offer("hangUp", self._hang_up)
        self.machine.offer_raw("play", self._play)
        self.machine.offer_raw("endTest", self._end_test)

    def _answer(self, ticket: int, *values: Any) -> None:
        into = self.machine.values.into
        self.inbox.put(lambda: self.machine.roblox.get("answer")(ticket, *map(into, values)))

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
            self.inbox.put(
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

    def _send(self, ticket: int, text: str) -> None:
        socket = self._sockets[ticket]
        if socket is not None:
            with suppress(WebSocketException):  # the reader tells of it
                socket.send(text)

    def _hang_up(self, ticket: int) -> None:
        socket = self._sockets.get(ticket)
        if socket is not None:
            threading.Thread(target=socket.close, daemon=True).start()

    def _play(self, mode: Any, arguments: Any) -> tuple[Any, ...]:
        del mode
        _say({"event": "play", "arguments": self.machine.values.out(arguments)})
        return ()

    def _end_test(self, value: Any) -> tuple[Any, ...]:
        _say({"event": "endTest", "value": self.machine.values.out(value)})
        return ()


def _fetch(url: str, method: str, headers: dict[str, str], body: str) -> dict[str, Any]:
    place = urlsplit(url)
    assert place.hostname is not None
    link = http.client.HTTPConnection(place.hostname, place.port or 80, timeout=60)
    try:
        path = place.path + (f"?{place.query}" if place.query else "")
        link.request(method, path, body=body.encode() or None, headers=headers)
        response = link.getresponse()
        text = response.read().decode()
        ok = 200 <= response.status < 300
        return {"Success": ok, "StatusCode": response.status, "StatusMessage": response.reason, "Body": text}
    finally:
        link.close()


def _say(message: dict[str, Any]) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


def _commands(studio: Studio) -> None:
    def done(order: dict[str, Any]) -> Work:
        return lambda: _say(studio.evaluate(order["luau"]) | {"log": studio.world.said[-20:]})

    for line in sys.stdin.buffer:
        studio.inbox.put(done(json.loads(line)))
    os._exit(0)  # whoever started us has gone


def main() -> None:
    # Collected in another thread, what belongs to the machine waits for it while the machine waits for the thread.
    gc.disable()
    studio = Studio(json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_commands, args=(studio,), daemon=True).start()
    _say({"event": "started"})
    studio.loop()


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    main()
