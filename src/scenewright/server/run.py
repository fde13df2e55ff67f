"""Starts a server: over stdio, or over HTTP."""

from __future__ import annotations

import sys

import anyio

from scenewright.core.projects.user_folder import user_token
from scenewright.core.runtime import Runtime
from scenewright.server.lines import Wire
from scenewright.server.protocol import McpServer

__all__ = ["run_http", "run_stdio"]

SWITCH_SECONDS = 0.0005


def run_stdio(runtime: Runtime, wire: Wire) -> None:
    """Serve one client until it closes its end."""
    mcp = McpServer(runtime)
    with mcp.presence.shown("stdio"):
        anyio.run(_stdio, mcp, wire)


async def _stdio(mcp: McpServer, wire: Wire) -> None:
    from scenewright.server.start.recording import keep_current
    from scenewright.server.stdio import stdio_streams

    if wire.lane is not None:
        lane = wire.lane
        mcp.runtime.on_relist.append(lambda _: lane.close())
    async with stdio_streams(wire) as (incoming, outgoing), anyio.create_task_group() as tasks:
        tasks.start_soon(keep_current, mcp, wire.lane)
        await mcp.server.run(incoming, outgoing, mcp.options)
        tasks.cancel_scope.cancel()


def run_http(runtime: Runtime, address: tuple[str, int], *, with_token: bool) -> None:
    """Serve any number of clients until the process is stopped."""
    from scenewright.server.http import serve_http

    # A commit lets go of the interpreter a dozen times, and waits so long for it where the event loop is busy.
    sys.setswitchinterval(SWITCH_SECONDS)
    token = user_token() if with_token else None
    mcp = McpServer(runtime)
    with mcp.presence.shown("http"):
        anyio.run(serve_http, mcp.server, address, token, runtime.config.session_seconds)
