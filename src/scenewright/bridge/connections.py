"""How many connections an HTTP server of ours takes, and how long one may stay that asks nothing.

Anybody on this machine can open a socket. Those who have not asked anything yet make room for newer ones, the oldest
first, so that no crowd of them keeps out who has something to ask.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Iterator
from time import monotonic

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["LimitedProtocol", "LimitedServer", "accepted_at_once", "bound_listener", "raise_file_limit"]

MOST_CONNECTIONS = 512
WAITING_CONNECTIONS = 1024  # that the system keeps until they are accepted
HEAD_SECONDS = 10.0  # in which a request's head must have come
_MOST_FILES = 65_536
logger = logging.getLogger(__name__)


def bound_listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address.

    Raises:
        OSError: the address cannot be had.
    """
    # Named as TCP, or asyncio would not turn off Nagle's algorithm: the second part of a reply would wait 40 ms for
    # the client to acknowledge the first.
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows, where reuse would let another process take the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def raise_file_limit() -> None:
    """Let this process have as many files and sockets open as the system allows it."""
    if sys.platform == "win32":
        return  # it has no such limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            logger.debug("the limit of open files stays %d", soft)


def most_connections() -> int:
    """Return how many connections are taken: no more than half of the files that this process may have open."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(8, min(MOST_CONNECTIONS, soft // 2))


def accepted_at_once() -> int:
    """Return how many connections to accept before those that are too many are dropped, for uvicorn's `backlog`.

    asyncio accepts that many in a row and drops nothing meanwhile, nor in the next few rounds: a crowd would take all
    files that may be open before its first connection is counted.
    """
    return max(2, most_connections() // 8)


class LimitedServer(uvicorn.Server):
    """A server that accepts few connections at once, and lets the others wait instead of turning them away."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(WAITING_CONNECTIONS)


class LimitedProtocol(H11Protocol):
    """One connection among a limited number."""

    _since = 0.0
    _dropped = False
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        crowd = list(self._others())
        if len(crowd) >= most_connections():
            idle = [each for each in crowd if each.is_idle]
            if not idle:
                self.transport, self._dropped = transport, True
                transport.abort()
                return
            min(idle, key=lambda each: (each.cycle is not None, each._since)).drop()
        super().connection_made(transport)
        self._since = monotonic()
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._miss_head)

    @property
    def is_idle(self) -> bool:
        """Whether nothing that it asked is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        self._dropped = True
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None:
            self._forget_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_timer()
        super().connection_lost(exc)

    def _others(self) -> Iterator[LimitedProtocol]:
        for each in self.connections:
            if isinstance(each, LimitedProtocol) and not each._dropped:
                yield each

    def _miss_head(self) -> None:
        if self.cycle is None and self in self.connections:
            self.drop()

    def _forget_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
