"""Serves one dashboard on loopback until the process is stopped."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable

import uvicorn

from scenewright.bridge.connections import LimitedProtocol, LimitedServer, accepted_at_once, bound_listener
from scenewright.core.config import ConfigError
from scenewright.core.runtime import Runtime
from scenewright.dashboard.access import Access, Keys
from scenewright.dashboard.routes import Dashboard

__all__ = ["serve_dashboard"]

HOST = "127.0.0.1"


async def serve_dashboard(runtime: Runtime, port: int, show_link: Callable[[str], None]) -> None:
    """Serve, and show a link at the start and a new one whenever Enter is pressed on a terminal.

    Raises:
        ConfigError: the port is taken.
    """
    listener = _listen(port)
    port = listener.getsockname()[1]
    keys = Keys()
    dashboard = Dashboard(runtime, keys)

    def show() -> None:
        show_link(f"http://{HOST}:{port}{keys.new_link()}")

    config = uvicorn.Config(
        Access(dashboard.app(), keys, port),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
        lifespan="on",
        http=LimitedProtocol,
        ws="none",
        backlog=accepted_at_once(),
    )
    show()
    if sys.stdin is not None and sys.stdin.isatty():
        threading.Thread(target=_show_more, args=(show,), name="dashboard-links", daemon=True).start()
    await _Server(config, dashboard).serve(sockets=[listener])


class _Server(LimitedServer):
    """Lets the pages that are open go before it ends."""

    def __init__(self, config: uvicorn.Config, dashboard: Dashboard) -> None:
        super().__init__(config)
        self._dashboard = dashboard

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._dashboard.live.end()
        await super().shutdown(sockets)


def _show_more(show: Callable[[], None]) -> None:
    while sys.stdin.readline():
        show()


def _listen(port: int) -> socket.socket:
    try:
        return bound_listener(HOST, port)
    except OSError as error:
        raise ConfigError(f"Port {port} cannot be used: {error.strerror}. Choose another with --port.") from None
