"""MCP over standard input and output.

The SDK's own transport takes a worker thread for every line in and out and says nothing to a line it cannot parse.
This one keeps two threads for good, which halves the round trip, and answers every line, so that no client waits for
ever. While it serves, file descriptor 1 is stderr: a stray print cannot end up between two messages.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import queue
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from scenewright.server.refusal import has_id, refusal, unsayable

__all__ = ["stdio_streams"]

MAX_LINE_BYTES = 64 << 20
logger = logging.getLogger(__name__)
Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def stdio_streams() -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """Return the two streams a server runs on."""
    with _Claimed(0, os.open(os.devnull, os.O_RDONLY), "rb") as source, _Claimed(1, os.dup(2), "wb") as sink:
        lines = _Writer(sink)
        send_in, receive_in = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
        send_out, receive_out = anyio.create_memory_object_stream[SessionMessage](0)
        reader = _Reader(source, send_in, lines)
        reader.start()

        async def write() -> None:
            async with receive_out:
                async for message in receive_out:
                    if (line := _encode_message(message.message)) is not None:
                        lines.put(line)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(write)
            yield receive_in, send_out
            await send_out.aclose()
        lines.close()


class _Claimed:
    """A standard stream taken over for the wire; its number leads elsewhere until it is given back."""

    def __init__(self, number: int, diversion: int, mode: str) -> None:
        self._number, self._mode = number, mode
        self._wire = os.dup(number)
        os.dup2(diversion, number)
        os.close(diversion)

    def __enter__(self) -> BinaryIO:
        # Never closed: a thread may still wait on it after the server has ended.
        return open(self._wire, self._mode, buffering=-1 if self._mode == "rb" else 0, closefd=False)  # type: ignore[return-value]

    def __exit__(self, *exc: object) -> None:
        os.dup2(self._wire, self._number)


class _Writer:
    """Writes lines in order on a thread of its own, so that a client that does not read blocks nobody."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="stdout", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        self._queue.put(line + b"\n")

    def close(self) -> None:
        """Waits until everything is written, or the reader is gone."""
        self._queue.put(None)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        try:
            while (line := self._queue.get()) is not None:
                view = memoryview(line)
                while view:
                    view = view[self._sink.write(view) :]
        except OSError:
            return  # the client closed its end


class _Reader(threading.Thread):
    """Reads lines and hands them to the event loop as messages."""

    def __init__(
        self, source: BinaryIO, target: MemoryObjectSendStream[SessionMessage | Exception], lines: _Writer
    ) -> None:
        super().__init__(name="stdin", daemon=True)
        self._source, self._target, self._lines = source, target, lines
        self._loop = asyncio.get_running_loop()

    def run(self) -> None:
        try:
            while line := self._source.readline(MAX_LINE_BYTES):
                if line.strip():
                    self._take(line)
            self._loop.call_soon_threadsafe(self._target.close)
        except RuntimeError:
            return  # the loop has ended before the input

    def _take(self, line: bytes) -> None:
        if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            self._skip_rest()
            self._lines.put(refusal(line, too_long=True))
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            self._lines.put(refusal(line))
            return
        if isinstance(message, types.JSONRPCNotification) and has_id(line):
            # The SDK takes a request whose id it cannot use for a notification, and would never answer it.
            self._lines.put(refusal(line))
            return
        self._loop.call_soon_threadsafe(self._deliver, SessionMessage(message))

    def _skip_rest(self) -> None:
        while (part := self._source.readline(MAX_LINE_BYTES)) and not part.endswith(b"\n"):
            continue

    def _deliver(self, message: SessionMessage) -> None:
        try:
            self._target.send_nowait(message)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # the server is shutting down


def _encode_message(message: types.JSONRPCMessage) -> bytes | None:
    """The line of a message; what cannot be written must not end the connection for everything else."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError:
        logger.exception("a message could not be written")
    return unsayable(message.id) if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) else None
