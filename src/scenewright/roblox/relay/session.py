"""One Studio: what waits to be sent to it, what it still owes an answer to, and whether it is there.

A request is in one of three states: waiting (Studio cannot have seen it), delivered (it may have acted on it), and
answered. An answer is matched by its request id alone; one that nobody waits for any more is dropped.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scenewright.core.faults import Conflict, NotConnected, RateLimited, TimedOut
from scenewright.roblox.relay.messages import CHUNKS, Joiner, MalformedMessage, Reply, Request, pieces

__all__ = ["MOST_LINE", "Pending", "StudioSession", "unknown_outcome"]

logger = logging.getLogger(__name__)

MOST_QUEUED = 128
MOST_LINE = 32 << 20
SILENT_AFTER = 10.0  # seconds without a poll after which a long-polling Studio counts as gone
IDLE_TIMEOUT = 300.0
LIFETIME = 1800.0


@dataclass(slots=True)
class Pending:
    """A request on its way."""

    request: Request
    answer: asyncio.Future[Reply]
    delivered: bool = False


@dataclass(eq=False)
class StudioSession:
    """The connection to one Studio; `clock` is seconds that only grow."""

    client_name: str
    transport: str  # "websocket" | "long-poll"
    clock: Callable[[], float] = time.monotonic
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    info: dict[str, Any] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()
    closed: bool = False

    def __post_init__(self) -> None:
        self.opened = self.seen = self.clock()
        self.ready = asyncio.Event()  # the handshake is done
        self.gone = asyncio.Event()
        self.readers = 0
        self.hung_up = False  # it broke off while it waited for work, as a process that ends does
        self._out: deque[tuple[str, Pending | None]] = deque()
        self._pending: dict[str, Pending] = {}
        self._work = asyncio.Event()
        self._joiner = Joiner(MOST_LINE)

    # What Studio is

    @property
    def studio_id(self) -> str:
        return str(self.info.get("studioId") or self.id)

    @property
    def attached(self) -> bool:
        """Whether Studio is there now: it holds a connection, or did a moment ago."""
        if self.closed:
            return False
        if self.transport == "websocket" or self.readers > 0:
            return True
        return not self.hung_up and self.clock() - self.seen < SILENT_AFTER

    @property
    def expired(self) -> bool:
        idle = self.clock() - self.seen
        long_poll = self.transport != "websocket"
        return self.closed or (long_poll and (idle > IDLE_TIMEOUT or self.clock() - self.opened > LIFETIME))

    def described(self) -> dict[str, Any]:
        """Return what a person needs to tell this Studio from another."""
        keys = ("placeName", "placeId", "role", "pluginVersion")
        known = {key: self.info[key] for key in keys if key in self.info}
        return {"studio": self.studio_id, "client": self.client_name, "transport": self.transport} | known

    # Requests

    async def ask(self, request: Request, timeout: float) -> Reply:
        """Send a request and wait for its answer.

        Raises:
            NotConnected: Studio went before it could see the request.
            TimedOut: it saw the request and did not answer; whether it acted on it is unknown.
        """
        pending = self._queue(request)
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.shield(pending.answer)
        except TimeoutError:
            raise _no_answer(pending, f"in {timeout:g} s") from None
        finally:
            self._forget(pending)

    def _queue(self, request: Request) -> Pending:
        if self.closed:
            raise NotConnected("Studio has gone.", hint="Open it again, or wait for its plugin to reconnect.")
        if len(self._pending) >= MOST_QUEUED:
            raise RateLimited("Too many requests wait for Studio.", hint="Wait for some of them.")
        if request.request_id in self._pending:
            raise Conflict("The same request is already on its way.", hint="Wait for its answer.")
        pending = Pending(request, asyncio.get_running_loop().create_future())
        self._pending[request.request_id] = pending
        line = request.line()
        messages = pieces(line) if CHUNKS in self.capabilities else iter((line,))
        self._out.extend((message, pending) for message in messages)
        self._work.set()
        return pending

    def _forget(self, pending: Pending) -> None:
        self._pending.pop(pending.request.request_id, None)
        if not pending.delivered:
            self._out = deque(entry for entry in self._out if entry[1] is not pending)
        pending.answer.cancel()

    # Studio's side

    async def next_line(self, timeout: float | None = None) -> str | None:
        """Return what Studio gets next, or None if there is nothing in the time given."""
        self.seen, self.hung_up = self.clock(), False
        self.readers += 1
        try:
            async with asyncio.timeout(timeout):
                while not self._out and not self.closed:
                    self._work.clear()
                    await self._work.wait()
        except TimeoutError:
            return None
        finally:
            self.readers -= 1
            self.seen = self.clock()
        if not self._out:
            return None
        line, pending = self._out.popleft()
        if pending is not None:
            pending.delivered = True
        return line

    def take(self, message: str) -> None:
        """Take what Studio sent.

        Raises:
            MalformedMessage: it is not a response.
        """
        self.seen = self.clock()
        line = self._joiner.feed(message)
        if line is None:
            return
        reply = Reply.parse(line)
        pending = self._pending.get(reply.request_id)
        if pending is None or pending.answer.done():
            logger.info("roblox: an answer came too late and was dropped (%s)", reply.request_id[:80])
            return
        if reply.correlation_id != pending.request.correlation_id and not pending.request.idempotency_key:
            raise MalformedMessage("the correlation id is not the request's")
        pending.answer.set_result(reply)

    def close(self, reason: str) -> None:
        """End the session; whoever waits is told what is known of their request."""
        if self.closed:
            return
        self.closed = True
        self.gone.set()
        self._work.set()
        self._out.clear()
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(_no_answer(pending, reason))
                pending.answer.exception()  # seen; whoever gave up waiting does not come back for it


def _no_answer(pending: Pending, reason: str) -> NotConnected | TimedOut:
    if not pending.delivered:
        return NotConnected(
            f"Studio did not take the request ({reason}); nothing was changed.",
            hint="Repeat the call once Studio is there.",
            details={"outcome": "not-delivered"},
        )
    return unknown_outcome(pending.request, reason)


def unknown_outcome(request: Request, reason: str) -> TimedOut:
    """Studio got the request and nothing came back."""
    return TimedOut(
        f"Studio got the request and did not answer ({reason}): whether it was done is unknown.",
        hint="Look before you repeat it. Repeated with the same idempotencyKey in the request's metadata, a change that"
        " was made is not made again.",
        details={"outcome": "unknown", "idempotencyKey": request.idempotency_key},
        retryable=False,
    )
