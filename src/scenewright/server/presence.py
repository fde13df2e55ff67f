"""Says for the dashboard that this server runs, for which project, and which clients have called it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Literal

from scenewright.bridge.presence import Presence
from scenewright.core.runtime import Runtime

__all__ = ["ServerPresence", "Transport"]

Transport = Literal["stdio", "http"]
MOST_CLIENTS = 20
TELL_SECONDS = 5.0  # between two words of clients that are known


class ServerPresence:
    """One server's file."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._presence = Presence("server")
        self._transport: Transport | None = None
        self._since = ""
        self._clients: dict[str, str] = {}  # each with its last call, the newest last
        self._told = 0.0

    @contextmanager
    def shown(self, transport: Transport) -> Iterator[None]:
        """Be shown as running until the block ends."""
        self._transport, self._since = transport, _now()
        self._tell()
        try:
            yield
        finally:
            self._transport = None
            self._presence.close()

    def note(self, client: str | None) -> None:
        """Note a call."""
        if client is None or self._transport is None:
            return
        is_new = self._clients.pop(client, None) is None
        self._clients[client] = _now()
        if len(self._clients) > MOST_CLIENTS:
            self._clients.pop(next(iter(self._clients)))
        if is_new or monotonic() - self._told > TELL_SECONDS:
            self._tell()

    def _tell(self) -> None:
        self._told = monotonic()
        root = str(self._runtime.project.root) if self._runtime.has_project else None
        about = {"project": root, "transport": self._transport, "since": self._since, "clients": self._clients}
        self._presence.tell(about)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
