"""The line of an engine of ours: it calls us on a loopback port and says its token first, which nobody else knows.

Others may call there too. Who says nothing, or something else, keeps the engine waiting no moment.
"""

from __future__ import annotations

import json
import secrets
import selectors
import socket
from time import monotonic

from scenewright.core.faults import NotConnected, TimedOut
from scenewright.godot.engine.process import EngineProcess

__all__ = ["START_SECONDS", "accept_engine"]

START_SECONDS = 30.0
_LOOK_SECONDS = 0.25  # so that a process that dies is noticed
_MOST_CALLERS = 16
_MOST_GREETING = 4096


def accept_engine(
    listener: socket.socket, token: str, process: EngineProcess, *, seconds: float = START_SECONDS
) -> socket.socket:
    """Return the connection of our own engine; whoever else connects is turned away.

    Raises:
        NotConnected: the engine ended.
        TimedOut: it did not call in time.
    """
    deadline = monotonic() + seconds
    callers = _Callers(listener, token)
    try:
        while monotonic() < deadline:
            ended = process.poll()
            if (line := callers.next(_LOOK_SECONDS)) is not None:
                return line
            if ended is not None:
                raise NotConnected(
                    f"Godot ended with {ended} before it could answer.",
                    hint="Check that the project opens in Godot; the log has what it printed.",
                )
    finally:
        callers.close()
    raise TimedOut(f"Godot did not start within {seconds:g} s.", hint="Check that the project opens in Godot.")


class _Callers:
    """Who has called and has not said its token yet: a few, of whom the oldest goes first."""

    def __init__(self, listener: socket.socket, token: str) -> None:
        self._listener = listener
        self._token = token
        self._said: dict[socket.socket, bytearray] = {}
        self._selector = selectors.DefaultSelector()
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ)

    def next(self, seconds: float) -> socket.socket | None:
        """Wait for somebody to call or speak; return the line of the one who knows the token."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._listener:
                self._let_in()
                continue
            line = key.fileobj
            if not isinstance(line, socket.socket) or line not in self._said:
                continue  # it went to make room
            verdict = self._hear(line)
            if verdict is not None:
                self._selector.unregister(line)
                del self._said[line]
            if verdict:
                line.setblocking(True)
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return line
            if verdict is False:
                line.close()
        return None

    def close(self) -> None:
        """Turn away who is left."""
        for line in self._said:
            line.close()
        self._selector.close()

    def _let_in(self) -> None:
        try:
            line, _ = self._listener.accept()
        except OSError:
            return  # gone again
        line.setblocking(False)
        self._said[line] = bytearray()
        self._selector.register(line, selectors.EVENT_READ)
        if len(self._said) > _MOST_CALLERS:
            oldest = next(iter(self._said))
            self._selector.unregister(oldest)
            del self._said[oldest]
            oldest.close()

    def _hear(self, line: socket.socket) -> bool | None:
        """Return whether it is the engine, None where it has not said enough."""
        said = self._said[line]
        try:
            while len(said) < _MOST_GREETING:
                part = line.recv(1)  # byte by byte, so that nothing after the greeting is taken
                if not part:
                    return False
                said += part
                if part == b"\n":
                    return _has_token(said, self._token)
        except BlockingIOError:
            return None
        except OSError:
            return False
        return False


def _has_token(greeting: bytearray, token: str) -> bool:
    try:
        said = str(json.loads(greeting)["params"]["token"])
        return secrets.compare_digest(said.encode(), token.encode())
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
