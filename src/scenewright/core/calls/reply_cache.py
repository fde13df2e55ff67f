"""Replies that were too long to be sent whole, kept for a while so that the client can read on."""

from __future__ import annotations

from threading import Lock

__all__ = ["Leftovers"]

_MOST_BYTES = 32 << 20


class Leftovers:
    """The whole texts of the last long results of this process, by number."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._last = 0
        self._lock = Lock()

    def keep(self, text: str) -> int:
        """Keep a text; the oldest make room, but never the one just kept."""
        with self._lock:
            self._last += 1
            self._texts[self._last] = text
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _MOST_BYTES:
                del self._texts[next(iter(self._texts))]
            return self._last

    def find(self, number: int) -> str | None:
        with self._lock:
            return self._texts.get(number)

    def close(self) -> None:
        self._texts.clear()
