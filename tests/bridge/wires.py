"""The in-memory twin of a WebSocket, and a clock that moves only when told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenewright.bridge.discovery import Editor
from scenewright.bridge.link import Link
from scenewright.bridge.websocket import Transport

GREETING: dict[str, Any] = {"godot_version": "4.6.3", "plugin_version": "1.0.0", "capabilities": ["scene"]}


@dataclass
class FakeClock:
    """Time that passes in jumps; whoever sleeps wakes when it is reached."""

    time: float = 0.0
    asked: list[float] = field(default_factory=list)  # every wait of a second or more
    _sleepers: list[tuple[float, asyncio.Event]] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        if seconds >= 1:
            self.asked.append(seconds)
        woken = asyncio.Event()
        self._sleepers.append((self.time + seconds, woken))
        await woken.wait()

    async def advance(self, seconds: float) -> None:
        """Lets time pass, each sleeper waking at its own moment."""
        end = self.time + seconds
        await settled()
        while due := [until for until, _ in self._sleepers if until <= end]:
            self.time = min(due)
            for sleeper in [one for one in self._sleepers if one[0] <= self.time]:
                self._sleepers.remove(sleeper)
                sleeper[1].set()
            await settled()
        self.time = end


async def settled() -> None:
    """Every task has run until it waits for something outside."""
    for _ in range(20):
        await asyncio.sleep(0)


class Peer:
    """The editor's end of a connection."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []  # what our side sent
        self._frames: asyncio.Queue[str | bytes | None] = asyncio.Queue()

    async def send(self, frame: str) -> None:
        self.sent.append(json.loads(frame))

    async def receive(self) -> str | bytes:
        frame = await self._frames.get()
        if frame is None:
            raise ConnectionResetError("gone")
        return frame

    def says(self, message: dict[str, Any] | str | bytes) -> None:
        self._frames.put_nowait(message if isinstance(message, str | bytes) else json.dumps(message))

    def greets(self, greeting: dict[str, Any]) -> None:
        self.says({"jsonrpc": "2.0", "method": "godoty.connected", "params": greeting})

    def hangs_up(self) -> None:
        self._frames.put_nowait(None)

    def asked(self, method: str) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["method"] == method]

    def answers(self, method: str, result: Any) -> None:
        self.says({"jsonrpc": "2.0", "id": self.asked(method)[-1]["id"], "result": result})


@dataclass
class Harbour:
    """What connections lead to: a peer each, or nothing while it is closed."""

    is_open: bool = True
    peers: list[Peer] = field(default_factory=list)
    tries: int = 0
    greeting: dict[str, Any] = field(default_factory=lambda: GREETING)

    @asynccontextmanager
    async def __call__(self, url: str) -> AsyncIterator[Transport]:
        self.tries += 1
        if not self.is_open:
            raise ConnectionRefusedError(f"nothing at {url}")
        peer = Peer()
        self.peers.append(peer)
        peer.greets(self.greeting)
        yield peer

    @property
    def peer(self) -> Peer:
        return self.peers[-1]


def editor(root: Path, port: int = 6550, pid: int | None = None) -> Editor:
    import os

    return Editor(root, pid or os.getpid(), port)


@asynccontextmanager
async def linked(root: Path, harbour: Harbour | None = None) -> AsyncIterator[tuple[Link, Harbour, FakeClock]]:
    """A link that has been told to connect, and is closed in the end."""
    harbour, clock = harbour or Harbour(), FakeClock()
    link = Link(editor(root), opener=harbour, clock=clock)
    link.connect()
    await settled()
    try:
        yield link, harbour, clock
    finally:
        link.close()
        await settled()
