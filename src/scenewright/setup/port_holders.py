"""Which program of this machine listens on a port, where the system tells."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["holder_of"]

_LISTENING = "0A"


def holder_of(port: int, processes: Path = Path("/proc")) -> str | None:
    """Return the name and number of the program that listens on a port; None where that cannot be said."""
    sockets = {f"socket:[{number}]" for number in _listening(port, processes)}
    if not sockets:
        return None
    for process in sorted(processes.glob("[0-9]*")):
        with suppress(OSError):  # another user's, or gone
            if any(_is_one_of(place, sockets) for place in (process / "fd").iterdir()):
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
    return "a program of another user"


def _is_one_of(place: Path, sockets: set[str]) -> bool:
    try:
        return os.readlink(place) in sockets
    except OSError:
        return False  # closed in the meantime


def _listening(port: int, processes: Path) -> set[str]:
    numbers: set[str] = set()
    for table in ("tcp", "tcp6"):
        try:
            lines = (processes / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for words in map(str.split, lines):
            if words[3] == _LISTENING and int(words[1].rpartition(":")[2], 16) == port:
                numbers.add(words[9])
    return numbers
