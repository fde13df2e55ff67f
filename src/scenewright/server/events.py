"""What was sent to one HTTP session of late, so that a client that lost its connection can have the rest."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter

__all__ = ["EventLog"]

MAX_BYTES = 256 << 10  # of each session: a thousand of them may be open at once


@dataclass(frozen=True, slots=True)
class _Event:
    number: int
    stream: str
    body: bytes  # empty where the event only marks a place in its stream

    @property
    def size(self) -> int:
        return len(self.body) + 100


class EventLog(EventStore):
    """The last events of a session within a limit, oldest dropped first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._events: deque[_Event] = deque()
        self._max_bytes = max_bytes
        self._bytes = 0
        self._count = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self._count += 1
        body = message.model_dump_json(by_alias=True, exclude_unset=True).encode() if message else b""
        event = _Event(self._count, stream_id, body)
        self._events.append(event)
        self._bytes += event.size
        while self._bytes > self._max_bytes and len(self._events) > 1:
            self._bytes -= self._events.popleft().size
        return str(event.number)

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Send what came after an event on the same stream; return None if that event is no longer known."""
        events = list(self._events)
        last = next((event for event in events if str(event.number) == last_event_id), None)
        if last is None:
            return None
        for event in events:
            if event.body and event.number > last.number and event.stream == last.stream:
                message = jsonrpc_message_adapter.validate_json(event.body, by_name=False)
                await send_callback(EventMessage(message, str(event.number)))
        return last.stream
