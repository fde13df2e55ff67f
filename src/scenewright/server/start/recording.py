"""Has the server itself say what the fast lane will say at the next start, and tells a client that was told otherwise.

The answers are taken from the SDK, request by request and for every version of the protocol that it speaks, so that
there is nothing here that could differ from it.
"""

from __future__ import annotations

import json
import logging
from typing import Any, get_args

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from scenewright.core.runtime import Listing
from scenewright.server.protocol import McpServer
from scenewright.server.start.conditions import Conditions, conditions_of
from scenewright.server.start.kept_answers import are_fresh, keep_answers
from scenewright.server.start.lane import LISTINGS, MODERN_ENVELOPE, Answers, Lane, reply_line
from scenewright.server.stdio import encode_message

__all__ = ["keep_current", "record_answers"]

logger = logging.getLogger(__name__)
PAUSE_SECONDS = 0.5  # the client's first calls come first
_CLIENT = {"name": "scenewright", "version": "1"}


async def keep_current(mcp: McpServer, lane: Lane | None) -> None:
    """See to it that the next start has its answers, once the client's first calls are on their way."""
    await anyio.sleep(PAUSE_SECONDS)
    try:
        await _keep_current(mcp, lane)
    except Exception:
        logger.debug("the opening answers could not be kept", exc_info=True)


async def _keep_current(mcp: McpServer, lane: Lane | None) -> None:
    before = await _conditions(mcp)
    trusted = lane is not None and not lane.outdated
    if trusted and await anyio.to_thread.run_sync(are_fresh, before):
        return
    answers = await record_answers(mcp)
    if await _conditions(mcp) == before:
        await anyio.to_thread.run_sync(keep_answers, before, answers)
    if lane is not None and lane.used and lane.answers != answers:
        lane.close()
        await mcp.listeners_known.wait()
        for listing in get_args(Listing):
            mcp.runtime.relisted(listing)


async def _conditions(mcp: McpServer) -> Conditions:
    runtime = mcp.runtime
    return await anyio.to_thread.run_sync(conditions_of, runtime.config, runtime.discovery, runtime.engines)


async def record_answers(mcp: McpServer) -> Answers:
    """Return what the server answers to the plainest requests, by version and method; errors are left out."""
    return {
        **{version: await _record(mcp, _legacy_requests(version)) for version in HANDSHAKE_PROTOCOL_VERSIONS},
        **{version: await _record(mcp, _modern_requests(version)) for version in MODERN_PROTOCOL_VERSIONS},
    }


def _legacy_requests(version: str) -> dict[str, dict[str, Any]]:
    opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
    return {"initialize": opening, "ping": {}, **{method: {} for method in LISTINGS}}


def _modern_requests(version: str) -> dict[str, dict[str, Any]]:
    envelope = dict(zip(MODERN_ENVELOPE, (version, {}, _CLIENT), strict=True))
    return {method: {"_meta": envelope} for method in ("server/discover", *LISTINGS)}


async def _record(mcp: McpServer, requests: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the results of some requests on a connection of their own."""
    results: dict[str, str] = {}
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](1)
    async with anyio.create_task_group() as tasks, to_server, from_server:
        tasks.start_soon(_serve, mcp, from_client, to_client)
        for method, params in requests.items():
            await to_server.send(
                SessionMessage(types.JSONRPCRequest(jsonrpc="2.0", id=1, method=method, params=params))
            )
            reply = (await from_server.receive()).message
            result = _result_in(encode_message(reply)) if isinstance(reply, types.JSONRPCResponse) else None
            if result is not None:
                results[method] = result
        tasks.cancel_scope.cancel()
    return results


async def _serve(mcp: McpServer, incoming: Any, outgoing: Any) -> None:
    await serve_dual_era_loop(mcp.server, incoming, outgoing, lifespan_state={}, init_options=mcp.options)


def _result_in(line: bytes | None) -> str | None:
    """Return the result in the line of an answer to request 1, word for word."""
    before, after = reply_line(1, "\n").split(b"\n")
    if line is None or not line.startswith(before) or not line.endswith(after):
        return None
    result = line[len(before) : -len(after)].decode()
    return result if isinstance(json.loads(result), dict) else None
