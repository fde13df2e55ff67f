"""Tells clients what changed: resources they subscribed to, and what is on offer."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
    event_to_notification,
)

from scenewright.core.runtime import Listing

__all__ = ["Notices"]

logger = logging.getLogger(__name__)
MAX_WAITING = 1000
MAX_SESSIONS = 1000
_RELISTED: dict[Listing, ServerEvent] = {
    "tools": ToolsListChanged(),
    "prompts": PromptsListChanged(),
    "resources": ResourcesListChanged(),
}


class _Bus(InMemorySubscriptionBus):
    """The SDK's bus, which also knows whether anyone listens."""

    def __init__(self, listened_to: anyio.Event, someone: anyio.Event) -> None:
        super().__init__()
        self._listened_to = listened_to
        self._someone = someone

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        self._listened_to.set()
        self._someone.set()
        return super().subscribe(listener)

    @property
    def has_listeners(self) -> bool:
        return bool(self._listeners)


class Notices:
    """Fans events out to both eras: over the sessions of old clients, over the bus to new ones."""

    def __init__(self, listened_to: anyio.Event) -> None:
        self.someone = anyio.Event()  # set once there is a client that can be told
        self.bus = _Bus(listened_to, self.someone)
        self._listened_to = listened_to
        self._sessions: list[ServerSession] = []
        self._subscribed: dict[str, list[ServerSession]] = {}
        self._waiting: deque[ServerEvent] = deque()
        self._news = anyio.Event()

    def resource_changed(self, uri: str) -> None:
        """Note that a resource changed; this costs nothing if nobody listens."""
        if uri in self._subscribed or self.bus.has_listeners:
            self._put(ResourceUpdated(uri))

    def relisted(self, listing: Listing) -> None:
        """Note that what is on offer changed."""
        self._put(_RELISTED[listing])

    async def pump(self) -> None:
        """Deliver what was noted, for as long as the server runs."""
        while True:
            while self._waiting:
                event = self._waiting.popleft()
                await self.bus.publish(event)
                await self._to_sessions(event)
            self._news = anyio.Event()
            await self._news.wait()

    async def _to_sessions(self, event: ServerEvent) -> None:
        sessions = self._subscribed.get(event.uri, []) if isinstance(event, ResourceUpdated) else self._sessions
        for session in list(sessions):
            try:
                await session.send_notification(event_to_notification(event, {}))
            except Exception:
                logger.debug("a client no longer listens", exc_info=True)
                sessions.remove(session)

    def _put(self, event: ServerEvent) -> None:
        if len(self._waiting) >= MAX_WAITING:
            logger.warning("too many changes at once; some clients were not told of one")
            return
        self._waiting.append(event)
        self._news.set()

    async def joined(self, ctx: ServerRequestContext[Any, Any], params: types.NotificationParams | None) -> None:
        """Note that a client of the older protocol finished its handshake."""
        del params
        self._sessions.append(ctx.session)
        self.someone.set()
        del self._sessions[:-MAX_SESSIONS]

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        self._listened_to.set()
        sessions = self._subscribed.setdefault(str(params.uri), [])
        if not any(_is_same_session(ctx.session, session) for session in sessions):
            sessions.append(ctx.session)
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        sessions = self._subscribed.get(str(params.uri), [])
        sessions[:] = [session for session in sessions if not _is_same_session(ctx.session, session)]
        if not sessions:
            self._subscribed.pop(str(params.uri), None)
        return types.EmptyResult()


def _is_same_session(one: ServerSession, other: ServerSession) -> bool:
    # A session object stands for one request; the connection behind it is what a client is.
    return one._connection is other._connection
