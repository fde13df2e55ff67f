"""Tells clients what changed: resources they subscribed to, and the list of tools."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourceUpdated, ToolsListChanged

__all__ = ["Notices"]

logger = logging.getLogger(__name__)
MAX_WAITING = 1000
MAX_SESSIONS = 1000


class _Bus(InMemorySubscriptionBus):
    """The SDK's bus, which also knows whether anyone listens."""

    @property
    def has_listeners(self) -> bool:
        return bool(self._listeners)


class Notices:
    """Fans events out to both eras: over the sessions of old clients, over the bus to new ones."""

    def __init__(self) -> None:
        self.bus = _Bus()
        self._sessions: list[ServerSession] = []
        self._subscribed: dict[str, list[ServerSession]] = {}
        self._send, self._receive = anyio.create_memory_object_stream[str | None](MAX_WAITING)

    def resource_changed(self, uri: str) -> None:
        """Notes that a resource changed; costs nothing where nobody listens."""
        if uri in self._subscribed or self.bus.has_listeners:
            self._put(uri)

    def tools_changed(self) -> None:
        self._put(None)

    async def pump(self) -> None:
        """Delivers what was noted, for as long as the server runs."""
        async for uri in self._receive:
            if uri is None:
                await self._to_all(self._sessions, lambda session: session.send_tool_list_changed())
                await self.bus.publish(ToolsListChanged())
            else:
                await self._resource(uri)

    async def _resource(self, uri: str) -> None:
        await self._to_all(self._subscribed.get(uri, []), lambda session: session.send_resource_updated(uri))
        await self.bus.publish(ResourceUpdated(uri))

    async def _to_all(self, sessions: list[ServerSession], send: Callable[[ServerSession], Awaitable[None]]) -> None:
        for session in list(sessions):
            try:
                await send(session)
            except Exception:
                logger.debug("a client no longer listens", exc_info=True)
                sessions.remove(session)

    def _put(self, event: str | None) -> None:
        try:
            self._send.send_nowait(event)
        except anyio.WouldBlock:
            logger.warning("too many changes at once; some clients were not told of one")

    async def joined(self, ctx: ServerRequestContext[Any, Any], params: types.NotificationParams | None) -> None:
        """An old client finished its handshake."""
        del params
        self._sessions.append(ctx.session)
        del self._sessions[:-MAX_SESSIONS]

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        sessions = self._subscribed.setdefault(str(params.uri), [])
        if not any(_same(ctx.session, session) for session in sessions):
            sessions.append(ctx.session)
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        sessions = self._subscribed.get(str(params.uri), [])
        sessions[:] = [session for session in sessions if not _same(ctx.session, session)]
        if not sessions:
            self._subscribed.pop(str(params.uri), None)
        return types.EmptyResult()


def _same(one: ServerSession, other: ServerSession) -> bool:
    # A session object stands for one request; the connection behind it is what a client is.
    return one._connection is other._connection
