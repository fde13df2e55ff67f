"""MCP over standard input and output: the lines of a wire as the SDK's messages, and back.

The SDK's own transport takes a worker thread for every line in and out and says nothing to a line it cannot parse.
This one keeps two threads for good, which halves the round trip, and answers every line, so that no client waits for
ever.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from scenewright.server.lines import LineWriter, Wire
from scenewright.server.refusal import has_id, refusal, unsayable

__all__ = ["MessageParser", "encode_message", "stdio_streams"]

logger = logging.getLogger(__name__)
Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def stdio_streams(wire: Wire) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Return the two streams a server runs on."""
    send_in, receive_in = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
    send_out, receive_out = anyio.create_memory_object_stream[SessionMessage](0)
    messages = MessageParser(send_in, wire.writer)

    async def write() -> None:
        async with receive_out:
            async for message in receive_out:
                line = encode_message(message.message)
                if line is not None and not (wire.lane is not None and wire.lane.settle(line)):
                    wire.writer.put(line)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write)
        wire.connect(messages.take, messages.end)
        yield receive_in, send_out
        await send_out.aclose()


class MessageParser:
    """Makes messages of lines and hands them to the event loop, from whichever thread; answers what is none."""

    def __init__(self, target: MemoryObjectSendStream[SessionMessage | Exception], writer: LineWriter) -> None:
        self._target, self._writer = target, writer
        self._loop = asyncio.get_running_loop()

    def take(self, line: bytes) -> None:
        """Take a line.

        Raises:
            RuntimeError: the loop has ended.
        """
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self._writer.put(refusal(line))
            return
        if isinstance(message, types.JSONRPCNotification) and has_id(line):
            # The SDK takes a request whose id it cannot use for a notification, and would never answer it.
            self._writer.put(refusal(line))
            return
        self._loop.call_soon_threadsafe(self._deliver, SessionMessage(message))

    def end(self) -> None:
        """Note that no more lines come.

        Raises:
            RuntimeError: the loop has ended.
        """
        self._loop.call_soon_threadsafe(self._target.close)

    def _deliver(self, message: SessionMessage) -> None:
        try:
            self._target.send_nowait(message)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # the server is shutting down


def encode_message(message: types.JSONRPCMessage) -> bytes | None:
    """Return the line of a message; what cannot be written must not end the connection for everything else."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError:
        logger.exception("a message could not be written")
    return unsayable(message.id) if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) else None
