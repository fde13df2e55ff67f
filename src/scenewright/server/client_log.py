"""Log messages to the client, at the level it asked for."""

from __future__ import annotations

from typing import Any, cast, get_args
from weakref import WeakKeyDictionary

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

__all__ = ["LogLevels"]

_ORDER: tuple[str, ...] = get_args(types.LoggingLevel)


class LogLevels:
    """Per connection up to 2025-11-25 (`logging/setLevel`), per request from 2026-07-28 on (`_meta`)."""

    def __init__(self) -> None:
        self._chosen: WeakKeyDictionary[object, str] = WeakKeyDictionary()

    async def set_level(
        self, ctx: ServerRequestContext[Any, Any], params: types.SetLevelRequestParams
    ) -> types.EmptyResult:
        self._chosen[_connection(ctx)] = params.level
        return types.EmptyResult()

    async def send(self, ctx: ServerRequestContext[Any, Any], level: str, message: str) -> None:
        """Send a message if the client wants to hear of its level."""
        threshold = self._threshold(ctx)
        if threshold is None or _ORDER.index(level) < _ORDER.index(threshold):
            return
        params = types.LoggingMessageNotificationParams(
            level=cast("types.LoggingLevel", level), logger="scenewright", data=message
        )
        await ctx.session.send_notification(
            types.LoggingMessageNotification(params=params), related_request_id=ctx.request_id
        )

    def _threshold(self, ctx: ServerRequestContext[Any, Any]) -> str | None:
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            wanted = (ctx.meta or {}).get(types.LOG_LEVEL_META_KEY)
            return wanted if wanted in _ORDER else None
        return self._chosen.get(_connection(ctx), "info")


def _connection(ctx: ServerRequestContext[Any, Any]) -> object:
    # The session is made anew for each request; what it sends through lives as long as the connection.
    return ctx.session._connection
