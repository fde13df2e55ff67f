"""MCP over streamable HTTP, on loopback only, with the user's token."""

from __future__ import annotations

import hmac
import logging
import socket

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import EventStore
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from scenewright.bridge.connections import (
    LimitedProtocol,
    LimitedServer,
    accepted_at_once,
    bound_listener,
    raise_file_limit,
)
from scenewright.core.config import ConfigError
from scenewright.server.events import EventLog

__all__ = ["http_app", "serve_http"]

PATH = "/mcp"
RETRY_MS = 1000  # when a client that was cut off comes back
SESSION_SECONDS = 3600.0  # a session that nobody has used for so long ends
MOST_SESSIONS = 1000
logger = logging.getLogger(__name__)


class _TokenRequired:
    """Lets only those in who know the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._knows_token(scope):
            body = b'{"error":"unauthorized","hint":"Send the token as Authorization: Bearer TOKEN."}'
            headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": body})
            return
        await self._app(scope, receive, send)

    def _knows_token(self, scope: Scope) -> bool:
        given = dict(scope["headers"]).get(b"authorization", b"")
        return hmac.compare_digest(given, self._expected)


class _Sessions(StreamableHTTPSessionManager):
    """Gives each session an event log of its own.

    The SDK would use one for all, with streams named by their clients' request ids: one client could then be sent what
    was meant for another.
    """

    @property
    def event_store(self) -> EventStore | None:
        return EventLog()

    @event_store.setter
    def event_store(self, value: EventStore | None) -> None:
        del value


def http_app(server: Server[object], host: str, token: str | None, session_seconds: float = SESSION_SECONDS) -> ASGIApp:
    """Return the ASGI application; the SDK checks Host and Origin, and ends sessions that nobody uses."""
    names = ["127.0.0.1", "localhost", "[::1]", _in_url(host)]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:*" for name in names],
        allowed_origins=[f"http://{name}:*" for name in names],
    )
    sessions = _Sessions(
        server,
        security_settings=security,
        retry_interval=RETRY_MS,
        session_idle_timeout=session_seconds,
        max_sessions=MOST_SESSIONS,
    )
    app = Starlette(routes=[Route(PATH, endpoint=StreamableHTTPASGIApp(sessions))], lifespan=lambda _: sessions.run())
    return app if token is None else _TokenRequired(app, token)


async def serve_http(
    server: Server[object], address: tuple[str, int], token: str | None, session_seconds: float = SESSION_SECONDS
) -> None:
    """Serve until the process is told to stop.

    Raises:
        ConfigError: the port is taken.
    """
    host, port = address
    listener = _listen(host, port)
    url = f"http://{_in_url(host)}:{listener.getsockname()[1]}{PATH}"
    logger.info("listening on %s", url)
    raise_file_limit()
    config = uvicorn.Config(
        http_app(server, host, token, session_seconds),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=3,
        lifespan="on",
        http=LimitedProtocol,
        backlog=accepted_at_once(),
    )
    await LimitedServer(config).serve(sockets=[listener])


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int) -> socket.socket:
    try:
        return bound_listener(host, port)
    except OSError as error:
        raise ConfigError(f"Port {port} on {host} cannot be used: {error.strerror}. Choose another.") from None
