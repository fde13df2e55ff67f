"""A time guard: long looks stop when it has passed and say what they left out."""

from __future__ import annotations

from time import monotonic

__all__ = ["Deadline"]


class Deadline:
    """A moment in the future; without seconds it never comes."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else monotonic() + seconds

    @property
    def passed(self) -> bool:
        return self._end is not None and monotonic() > self._end

    def note(self, left_out: str) -> list[str]:
        """What to tell when it has passed."""
        return [f"Stopped after {self.seconds:g} s; {left_out}."] if self.passed else []
