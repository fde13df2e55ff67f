"""Tells a game from whatever else may connect to a debugger's port, by the first thing it says."""

from __future__ import annotations

import socket
import struct

from scenewright.godot.engine.debugger.codec import MalformedVariant, decode

__all__ = ["is_game"]

_MOST_BYTES = 1 << 16  # a game first says its process id, or at most a line of output


def is_game(line: socket.socket) -> bool | None:
    """Return whether what has come is a debugger's message; None where not enough has come yet.

    Nothing is taken from the line, so that whoever reads it next sees all of it.
    """
    head = _peek(line, 4)
    if head is None or 0 < len(head) < 4:
        return None
    if not head:
        return False
    (size,) = struct.unpack("<I", head)
    if not 0 < size <= _MOST_BYTES:
        return False
    packet = _peek(line, 4 + size)
    if packet is None or len(packet) < 4 + size:
        return None
    return _is_message(packet[4:])


def _is_message(packet: bytes) -> bool:
    try:
        name, thread, data = decode(packet)
    except (MalformedVariant, TypeError, ValueError, IndexError, RecursionError):
        return False
    return isinstance(name, str) and isinstance(thread, int) and isinstance(getattr(data, "items", data), list | tuple)


def _peek(line: socket.socket, size: int) -> bytes | None:
    """What has come, empty where the other side has left; None where nothing has."""
    timeout = line.gettimeout()
    line.settimeout(0)
    try:
        return line.recv(size, socket.MSG_PEEK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
    finally:
        line.settimeout(timeout)
