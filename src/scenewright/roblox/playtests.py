"""A playtest as the tools see it: the Studio that began it, the copy of the place on its server, and its players'."""

from __future__ import annotations

import math
from collections.abc import Mapping
from time import monotonic
from typing import Any
from uuid import uuid4

from scenewright.core.faults import Conflict, NotConnected, TimedOut
from scenewright.roblox.edits import tidy
from scenewright.roblox.studio import StudioBackend

__all__ = ["Playtest"]

_PATIENCE = 20.0  # seconds for an answer, beside what it may take itself
_GOODBYE = 3  # seconds from a lost connection until Studio knows that the playtest has ended
_LOOK = 1.0  # seconds between two looks at what was printed
_MOST_LINES = 200


class Playtest:
    """What a call asks of a playtest."""

    def __init__(self, studio: StudioBackend) -> None:
        self._studio = studio
        self._since = 0
        self.output: list[str] = []
        self.ended: dict[str, Any] | None = None  # the status, where what was asked ended the playtest

    async def ask(
        self, operation: str, payload: Mapping[str, Any], *, player: str | None = None, in_client: bool = False
    ) -> dict[str, Any]:
        """Ask the server's copy, or through it a player's; nothing comes back where that ends the playtest.

        Raises:
            NotConnected: no playtest runs, or its plugin cannot reach us.
        """
        asked = dict(payload)
        if in_client:
            asked |= {"peer": "client"} | ({"player": player} if player else {})
        patience = float(payload.get("seconds") or 0) + _PATIENCE
        try:
            return await self._studio.ask(operation, asked, role="server", timeout=patience)
        except (NotConnected, TimedOut) as fault:
            if fault.details.get("outcome") == "running":
                raise
            if fault.details.get("outcome"):
                self.ended = await self._end_of_it()
                if self.ended is None:
                    raise
                return {}
            raise NotConnected(
                "No playtest is connected.",
                hint="Start one with roblox.play_start; its plugin connects some seconds later, and only where the"
                " place allows HTTP requests (HttpService.HttpEnabled).",
            ) from None

    async def _end_of_it(self) -> dict[str, Any] | None:
        """Return the status where the connection went because the playtest has ended."""
        status = _whole(await self._studio.ask("play.await", {"seconds": _GOODBYE}))
        return None if status["running"] or status["last"] is None else status

    async def start(self, mode: str, players: int, arguments: Mapping[str, Any] | None) -> None:
        asked = {"mode": mode, "players": players, "arguments": dict(arguments or {})}
        await self._studio.ask("play.start", asked, key=uuid4().hex)

    async def status(self) -> dict[str, Any]:
        return _whole(await self._studio.ask("play.status", {}))

    async def players(self) -> list[str]:
        """Return who plays; nobody where the playtest is not there yet."""
        try:
            answer = await self._studio.ask("play.players", {}, role="server", timeout=_LOOK)
        except (NotConnected, TimedOut, Conflict):
            return []
        return [str(name) for name in answer.get("players") or ()]

    async def wait(self, seconds: float) -> dict[str, Any]:
        """Return the status once the playtest has ended or the time is over, and keep what it printed meanwhile."""
        deadline = monotonic() + seconds
        while True:
            left = max(0.0, deadline - monotonic())
            status = _whole(await self._studio.ask("play.await", {"seconds": math.ceil(min(left, _LOOK))}))
            if not status["running"] or left == 0:
                return status
            await self._listen()

    async def _listen(self) -> None:
        try:
            asked = {"since": self._since, "limit": _MOST_LINES}
            heard = await self._studio.ask("console.read", asked, role="server", timeout=_LOOK)
        except (NotConnected, TimedOut, Conflict):
            return  # it is not there yet, or not any more
        self._since = int(heard.get("last", self._since))
        self.output = [*self.output, *_lines_of(heard)][-_MOST_LINES:]


def _lines_of(console: Mapping[str, Any]) -> list[str]:
    return [f"{each['level']}: {each['message']}" for each in console.get("messages") or ()]


def _whole(answer: Mapping[str, Any]) -> dict[str, Any]:
    status = dict(tidy(answer))
    status["last"] = status.get("last") or None
    return status
