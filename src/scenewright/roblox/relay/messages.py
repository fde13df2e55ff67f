"""Bridge protocol 1.1: what goes over the wire, as values. Knows no socket and no clock but the time stamp's.

A request is `{requestId, correlationId, operation, idempotencyKey?, payload, timestamp}`, its response
`{requestId, correlationId, success, payload | error, timestamp}`; each is one line of JSON. A line that is too long
for one message goes in numbered pieces to a partner that can put them together.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from scenewright.core.faults import Conflict, Denied, Fault, Invalid, NotFound, TimedOut, Unsupported

__all__ = [
    "CHUNKS",
    "PROTOCOL",
    "BridgeRefusal",
    "Joiner",
    "MalformedMessage",
    "Reply",
    "Request",
    "fault_of",
    "pieces",
]

PROTOCOL = "1.1"
CHUNKS = "chunks.v1"
PIECE = 48_000  # characters; Studio documents no limit for a message, so we stay well below the likely one
MOST_PIECES = 2000


class MalformedMessage(ValueError):
    """What came is not a message of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to Studio."""

    operation: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    request_id: str = field(default_factory=lambda: f"req-{uuid.uuid4().hex}")
    correlation_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    idempotency_key: str | None = None

    def line(self) -> str:
        message: dict[str, Any] = {
            "requestId": self.request_id,
            "correlationId": self.correlation_id,
            "operation": self.operation,
            "payload": self.payload,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        if self.idempotency_key is not None:
            message["idempotencyKey"] = self.idempotency_key
        return msgspec.json.encode(message).decode()


class BridgeRefusal(msgspec.Struct, kw_only=True):
    """Why Studio did not do it."""

    code: str
    message: str
    retryable: bool = False
    details: Any = None


class Reply(msgspec.Struct, rename="camel", kw_only=True):
    """Studio's answer to one request."""

    request_id: str
    correlation_id: str
    success: bool
    timestamp: str
    payload: Any = None
    error: BridgeRefusal | None = None

    @classmethod
    def parse(cls, line: str | bytes) -> Reply:
        """Read one line.

        Raises:
            MalformedMessage: it is not a response of the protocol.
        """
        try:
            reply = msgspec.json.decode(line, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise MalformedMessage(f"not a bridge response: {error}") from None
        if not (reply.request_id and reply.correlation_id and reply.timestamp):
            raise MalformedMessage("a bridge response needs requestId, correlationId and timestamp")
        if reply.success == (reply.error is not None):
            raise MalformedMessage("a bridge response has an error if and only if it is not a success")
        return reply

    @property
    def output(self) -> dict[str, Any]:
        # Studio's JSON encoder writes an empty table as [].
        return self.payload if isinstance(self.payload, dict) else {}


def fault_of(refusal: BridgeRefusal, *, who: str = "Studio") -> Fault:
    """Return a refusal of the plugin as a fault; the codes are Gox's, and two of ours."""
    details = refusal.details if isinstance(refusal.details, dict) else {}
    hint = details.pop("hint", None)
    if refusal.code == "VALIDATION_ERROR":
        path, rule = details.pop("validation_path", None), details.pop("validation_rule", None)
        return Invalid(refusal.message, path=path, rule=rule, hint=hint, details=details)
    if refusal.code == "INTERNAL_ERROR":
        return Fault(f"{who}: {refusal.message}", hint=hint, details=details, retryable=refusal.retryable)
    kinds: dict[str, type[Fault]] = {
        "NOT_FOUND": NotFound,
        "ACCESS_DENIED": Denied,
        "CONFLICT": Conflict,
        "UNIMPLEMENTED": Unsupported,
    }
    kind = kinds.get(refusal.code, TimedOut)
    return kind(refusal.message, hint=hint, details=details, retryable=refusal.retryable)


def pieces(line: str, *, size: int = PIECE) -> Iterator[str]:
    """Yield a line as messages of at most about `size` characters."""
    if len(line) <= size:
        yield line
        return
    name = uuid.uuid4().hex
    parts = [line[start : start + size] for start in range(0, len(line), size)]
    for index, part in enumerate(parts, 1):
        chunk = {"chunk": {"id": name, "index": index, "count": len(parts), "data": part}}
        yield msgspec.json.encode(chunk).decode()


class _Chunk(msgspec.Struct):
    id: str
    index: int
    count: int
    data: str


class _Piece(msgspec.Struct):
    chunk: _Chunk | None = None


class Joiner:
    """Puts the pieces of one partner together again; pieces of one line come in order, one line after the other."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[str] = []
        self._id = ""

    def feed(self, message: str) -> str | None:
        """Return the whole line, once it is there.

        Raises:
            MalformedMessage: a piece is missing or the line would be too long.
        """
        if not message.startswith('{"chunk"'):
            return message
        try:
            chunk = msgspec.json.decode(message, type=_Piece).chunk
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise MalformedMessage(f"not a piece of a line: {error}") from None
        if chunk is None:
            raise MalformedMessage("not a piece of a line")
        if chunk.index == 1:
            self._parts, self._id = [], chunk.id
        expected = len(self._parts) + 1
        if chunk.id != self._id or chunk.index != expected or not expected <= chunk.count <= MOST_PIECES:
            raise MalformedMessage("the pieces of a line came out of order")
        self._parts.append(chunk.data)
        if sum(map(len, self._parts)) > self._most:
            raise MalformedMessage("the pieces make a line that is too long")
        if chunk.index < chunk.count:
            return None
        line = "".join(self._parts)
        self._parts = []
        return line
