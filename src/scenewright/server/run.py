"""Starts a server: over stdio, or over HTTP."""

from __future__ import annotations

import anyio

from scenewright.core.projects.user_folder import user_token
from scenewright.core.runtime import Runtime
from scenewright.server.protocol import McpServer

__all__ = ["run_http", "run_stdio"]


def run_stdio(runtime: Runtime) -> None:
    """Serve one client until it closes its end."""
    anyio.run(_stdio, McpServer(runtime))


async def _stdio(mcp: McpServer) -> None:
    from scenewright.server.stdio import stdio_streams

    async with stdio_streams() as (incoming, outgoing):
        await mcp.server.run(incoming, outgoing, mcp.options)


def run_http(runtime: Runtime, address: tuple[str, int], *, with_token: bool) -> None:
    """Serve any number of clients until the process is stopped."""
    from scenewright.server.http import serve_http

    token = user_token() if with_token else None
    anyio.run(serve_http, McpServer(runtime).server, address, token, runtime.config.session_seconds)
