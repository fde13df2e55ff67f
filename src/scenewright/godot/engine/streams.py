"""A port for the debugger: games that are started elsewhere join there, and whoever has the token hears what is said.

A game speaks the engine's debugger protocol. A listener sends one line of JSON with the project's token and gets a
line of JSON for each thing that the project's game says. The port closes by itself when nobody has used it for long.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from scenewright.core.faults import Conflict
from scenewright.godot.engine.complaints import Complaint
from scenewright.godot.engine.debugger.greeting import is_game

if TYPE_CHECKING:
    from scenewright.godot.engine.games import Game

__all__ = ["DebugStream", "StreamPlan"]

_FIRST_WORD_SECONDS = 5.0
_LOOK_SECONDS = 0.02
_MOST_STRANGERS = 16
_MOST_LISTENERS = 16
_LONGEST_HELLO = 4096
_IN_JSON = (b'"', b"}", b" ", b"\t", b"\n", b"\r")  # a game's first word is its length, of which this byte is 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPlan:
    """How a stream is to be."""

    port: int
    token: str
    poll_seconds: float = 0.1
    idle_seconds: float = 600.0


class DebugStream:
    """One open port; `find` is asked for the game there is, `take` is given one that joins."""

    def __init__(
        self, plan: StreamPlan, find: Callable[[], Game | None], take: Callable[[socket.socket], None]
    ) -> None:
        """Opens the port.

        Raises:
            Conflict: it is taken.
        """
        try:
            self._door = socket.create_server(("127.0.0.1", plan.port))
        except OSError as error:
            raise Conflict(
                f"Cannot listen on port {plan.port}: {error.strerror}.",
                hint="Choose another port.",
                retryable=False,
            ) from None
        self.port: int = self._door.getsockname()[1]
        self.plan = plan
        self._find, self._take = find, take
        self._closed = Event()
        self._lock = Lock()
        self._listeners = 0
        self._strangers: list[socket.socket] = []  # the oldest first
        self._used = monotonic()
        self._thread = Thread(target=self._serve, name="godot-debug-stream", daemon=True)
        self._thread.start()

    @property
    def is_open(self) -> bool:
        return not self._closed.is_set()

    @property
    def listeners(self) -> int:
        return self._listeners

    def close(self) -> None:
        self._closed.set()
        self._thread.join(timeout=5)

    def _serve(self) -> None:
        self._door.settimeout(0.25)  # so that closing is noticed, on every system
        with self._door:
            while not self._closed.is_set() and not self._is_idle():
                try:
                    line, _ = self._door.accept()
                except OSError:  # nobody came, or there are too many open files just now
                    self._closed.wait(_LOOK_SECONDS)
                    continue
                try:
                    Thread(target=self._meet, args=(line,), name="godot-debug-visitor", daemon=True).start()
                except RuntimeError:  # there are too many threads just now
                    line.close()
        self._closed.set()

    def _is_idle(self) -> bool:
        game = self._find()
        if self._listeners or (game is not None and game.running):
            self._used = monotonic()
        return monotonic() - self._used > self.plan.idle_seconds

    def _meet(self, line: socket.socket) -> None:
        """A line of JSON is a listener's; a message of the debugger's a game's; everything else is nobody's."""
        self._admit(line)
        try:
            visitor = self._identify(line)
        finally:
            with self._lock:
                if line in self._strangers:
                    self._strangers.remove(line)
        if visitor == "game":
            line.settimeout(None)
            self._take(line)
            return
        with line:
            if visitor == "listener":
                with suppress(OSError):  # it has left
                    self._greet(line)

    def _admit(self, line: socket.socket) -> None:
        """Let the oldest of too many go that have not said what they are."""
        with self._lock:
            self._strangers.append(line)
            crowd = len(self._strangers) > _MOST_STRANGERS
            oldest = self._strangers.pop(0) if crowd else None
        if oldest is not None:
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)

    def _identify(self, line: socket.socket) -> Literal["game", "listener"] | None:
        line.settimeout(_FIRST_WORD_SECONDS)
        end = monotonic() + _FIRST_WORD_SECONDS
        try:
            first = line.recv(2, socket.MSG_PEEK)
        except OSError:
            return None
        if first[:1] == b"{" and first[1:] in _IN_JSON:
            return "listener"
        while (verdict := is_game(line)) is None and monotonic() < end and not self._closed.wait(_LOOK_SECONDS):
            pass
        return "game" if verdict else None

    def _greet(self, line: socket.socket) -> None:
        reason = 'Send one line of JSON: {"token": …}, with the project\'s token.' if not self._proves(line) else ""
        with self._lock:
            if not reason and self._listeners >= _MOST_LISTENERS:
                reason = f"There are {_MOST_LISTENERS} listeners already."
            self._listeners += not reason
        if reason:
            _send(line, {"type": "refused", "message": reason})
            return
        try:
            self._feed(line)
        finally:
            with self._lock:
                self._listeners -= 1

    def _proves(self, line: socket.socket) -> bool:
        received, end = b"", monotonic() + _FIRST_WORD_SECONDS
        while not received.endswith(b"\n") and len(received) < _LONGEST_HELLO and monotonic() < end:
            part = line.recv(1)
            if not part:
                return False
            received += part
        try:
            hello = json.loads(received)
        except (ValueError, RecursionError):
            return False
        given = str(hello.get("token", "")) if isinstance(hello, dict) else ""
        return secrets.compare_digest(given.encode("utf-8", "replace"), self.plan.token.encode())

    def _feed(self, line: socket.socket) -> None:
        """Tells what is said, game after game, until the listener leaves."""
        _send(line, {"type": "hello", "port": self.port})
        game: Game | None = None
        cursor, ended = 0, True
        while not self._closed.is_set() and not _has_left(line):
            if (current := self._find()) is not None and current is not game:
                game, cursor, ended = current, 0, False
                _send(line, {"type": "started", "run": game.run, "scene": game.scene})
            if game is not None:
                going = game.running or (game.session is not None and game.joined)  # first: what was said comes then
                for number, kind, value in game.transcript.since(cursor):
                    cursor = number
                    _send(line, {"seq": number, "run": game.run, **_event_of(kind, value)})
                if not going and not ended:
                    ended = True
                    _send(line, {"type": "ended", "run": game.run, "exitCode": game.exit_code})
            self._closed.wait(self.plan.poll_seconds)


def _event_of(kind: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Complaint):
        return {"type": kind, "text": str(value)}
    stack = [f"{frame.function} ({frame.path}:{frame.line})" for frame in value.stack]
    error = {"severity": value.severity, "message": value.message, "path": value.path, "line": value.line}
    return {"type": "error", **error, "stack": stack}


def _send(line: socket.socket, message: dict[str, Any]) -> None:
    line.sendall(json.dumps(message, ensure_ascii=False).encode() + b"\n")


def _has_left(line: socket.socket) -> bool:
    with DefaultSelector() as selector:  # unlike select(), it takes any number of a socket
        selector.register(line, EVENT_READ)
        return bool(selector.select(0)) and line.recv(1024) == b""
