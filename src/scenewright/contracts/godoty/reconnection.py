"""The Godoty protocol's reconnection schedule: how long to wait before each attempt, and when to stop."""

from __future__ import annotations

__all__ = ["ATTEMPTS", "Backoff"]

ATTEMPTS = 10
_FIRST, _MOST = 1.0, 30.0


class Backoff:
    """Waits of 1, 2, 4, 8, 16, 30, 30… seconds, ten in all."""

    def __init__(self) -> None:
        self.attempt = 0

    @property
    def exhausted(self) -> bool:
        return self.attempt >= ATTEMPTS

    def next(self) -> float | None:
        """Return the wait before the next attempt; None when there is to be none."""
        if self.exhausted:
            return None
        wait = min(_FIRST * float(1 << self.attempt), _MOST)
        self.attempt += 1
        return wait

    def reset(self) -> None:
        """Start again from the first wait, after a connection that worked or when a person asks to connect."""
        self.attempt = 0
