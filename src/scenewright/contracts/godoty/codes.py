"""The error codes of the Godoty WebSocket protocol, and the fault that each of them is to us."""

from __future__ import annotations

from collections.abc import Mapping

from scenewright.core.faults import Denied, Fault, NotConnected, NotFound, RateLimited, TimedOut, Unsupported

__all__ = [
    "AUTH_REQUIRED",
    "FAULTS",
    "INVALID",
    "METHOD_NOT_FOUND",
    "NOT_RUNNING",
    "QUOTA_EXCEEDED",
    "TIMED_OUT",
]

METHOD_NOT_FOUND = -32601
INVALID = (-32602, -32006)
NOT_RUNNING = -32003
TIMED_OUT = -32005
AUTH_REQUIRED = -32007
QUOTA_EXCEEDED = -32008

FAULTS: Mapping[int, type[Fault]] = {
    METHOD_NOT_FOUND: Unsupported,
    -32000: NotFound,
    -32001: NotFound,
    -32002: Denied,
    NOT_RUNNING: NotConnected,
    -32004: Unsupported,
    TIMED_OUT: TimedOut,
    AUTH_REQUIRED: Denied,
    QUOTA_EXCEEDED: RateLimited,
}
