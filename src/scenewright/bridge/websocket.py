"""A WebSocket as the transport of a link."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

__all__ = ["CONNECT_SECONDS", "Transport", "open_websocket"]

CONNECT_SECONDS = 5.0
MAX_FRAME = 64 << 20


class Transport(Protocol):
    """A connection that carries frames."""

    async def send(self, frame: str) -> None:
        """Send a frame.

        Raises:
            ConnectionError: the connection is over.
        """

    async def receive(self) -> str | bytes:
        """Receive the next frame.

        Raises:
            ConnectionError: there will be none.
        """


class _WebSocket:
    def __init__(self, connection: Any, closed: type[Exception]) -> None:
        self._connection = connection
        self._closed = closed

    async def send(self, frame: str) -> None:
        try:
            await self._connection.send(frame)
        except self._closed as error:
            raise ConnectionResetError(_reason(error)) from error

    async def receive(self) -> str | bytes:
        try:
            frame: str | bytes = await self._connection.recv()
        except self._closed as error:
            raise ConnectionResetError(_reason(error)) from error
        return frame


@asynccontextmanager
async def open_websocket(url: str) -> AsyncIterator[Transport]:
    """Open a WebSocket to this machine; the heartbeat is the session's, not the library's.

    Raises:
        OSError: nothing answers there, or nothing that speaks WebSocket.
    """
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

    try:
        connection = await connect(
            url,
            compression=None,
            ping_interval=None,
            max_size=MAX_FRAME,
            open_timeout=CONNECT_SECONDS,
            close_timeout=1.0,
            proxy=None,
        )
    except WebSocketException as error:
        raise ConnectionRefusedError(f"what listens there is not the editor ({error})") from error
    try:
        yield _WebSocket(connection, ConnectionClosed)
    except asyncio.CancelledError:
        connection.transport.abort()  # there may be no time left for saying goodbye
        raise
    finally:
        await connection.close()


def _reason(error: Exception) -> str:
    reason = getattr(getattr(error, "rcvd", None), "reason", "")
    return f"the editor closed the connection: {reason}" if reason else "the editor closed the connection"
