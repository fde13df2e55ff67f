"""Starts the server once as a client will, and calls a tool: what was written is worth nothing if that fails."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import anyio

from scenewright.setup.entries import Launch, launch_of
from scenewright.setup.findings import Finding

__all__ = ["Trial", "TrialFailed", "check_start", "try_server"]

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Trial:
    """A server that answered."""

    tools: int
    seconds: float
    instructions: str


class TrialFailed(Exception):
    """The server did not start or did not answer; the message says how it was started."""


def try_server(launch: Launch) -> Trial:
    """Start the server with no more of the environment than a desktop client has, list its tools and call one.

    Raises:
        TrialFailed
    """
    try:
        return anyio.run(_try, launch)
    except Exception as error:
        inner: BaseException = error
        while isinstance(inner, BaseExceptionGroup):
            inner = inner.exceptions[0]
        words = " ".join([launch.command, *launch.arguments])
        raise TrialFailed(
            f"The server did not answer ({inner or type(inner).__name__}). It was started as: {words}"
        ) from error


def check_start(projects: list[Path]) -> Finding:
    """Check whether the server starts as clients start it."""
    try:
        trial = try_server(launch_of(projects))
    except TrialFailed as failed:
        return Finding("server", "error", str(failed), "Install scenewright anew; its log is above.")
    return Finding("server", "ok", f"It starts and answers: {trial.tools} tools, {trial.seconds:.1f} s.")


async def _try(launch: Launch) -> Trial:
    from mcp import StdioServerParameters
    from mcp.client import Client

    begun = perf_counter()
    server = StdioServerParameters(command=launch.command, args=list(launch.arguments))
    with anyio.fail_after(SECONDS):
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            called = await client.call_tool("core_ping", {})
            if called.is_error:
                raise RuntimeError(str(called.content[0]))
            return Trial(len(tools), perf_counter() - begun, client.instructions or "")
