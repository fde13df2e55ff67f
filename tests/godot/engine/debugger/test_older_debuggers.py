"""What games of engines before 4.5 say to a debugger: they halt at an error and tell of it in no other way."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from scenewright.godot.engine.debugger.codec import decode, encode
from scenewright.godot.engine.debugger.session import DebuggerSession, Transcript

HALT = ["debug_enter", 7, [False, "Invalid call.", True, "Main Thread"]]
STACK = ["stack_dump", 7, [6, "res://game.gd", 21, "work", "res://game.gd", 9, "_ready"]]
WAIT = 10.0


class Game:
    """The game's end of the line."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line

    def say(self, message: list[Any]) -> None:
        raw = encode(message)
        self._line.sendall(struct.pack("<I", len(raw)) + raw)

    def hear(self) -> tuple[str, int]:
        """The next message and the thread it is for."""
        (size,) = struct.unpack("<I", self._exactly(4))
        name, thread, _ = decode(self._exactly(size))
        return str(name), int(thread)

    def _exactly(self, size: int) -> bytes:
        received = b""
        while len(received) < size:
            received += self._line.recv(size - len(received))
        return received


@pytest.fixture
def lines() -> Iterator[tuple[socket.socket, Game]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(WAIT)
    with ours, theirs:
        yield ours, Game(theirs)


def test_an_error_is_told_with_its_stack_and_the_game_goes_on(lines: tuple[socket.socket, Game]) -> None:
    line, game = lines
    session = DebuggerSession(line, Transcript())
    game.say(HALT)
    assert game.hear() == ("get_stack_dump", 7)
    game.say(STACK)
    assert game.hear() == ("continue", 7)
    ((_, kind, error),) = session.transcript.since()
    assert (kind, error.message, error.path, error.line) == ("error", "Invalid call.", "res://game.gd", 21)
    assert [frame.function for frame in error.stack] == ["work", "_ready"]
    assert session.stopped is None
    session.close()


def test_the_game_stays_where_it_is_if_that_was_asked_for(lines: tuple[socket.socket, Game]) -> None:
    line, game = lines
    session = DebuggerSession(line, Transcript(), pauses_on_error=True)
    game.say(HALT)
    assert game.hear() == ("get_stack_dump", 7)
    game.say(STACK)
    assert session.wait(lambda: len(session.transcript.since()) == 1, WAIT)
    assert session.stopped is not None
    session.resume()
    assert game.hear() == ("continue", 7)
    session.close()


def test_newer_games_tell_errors_by_themselves(lines: tuple[socket.socket, Game]) -> None:
    line, game = lines
    session = DebuggerSession(line, Transcript())
    game.say(["debug_enter", 7, [False, "Invalid call.", True, 7]])
    assert game.hear() == ("continue", 7)
    assert session.transcript.since() == []
    session.close()
