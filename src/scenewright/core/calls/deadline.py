"""When a call must have ended, known to all that works for it.

A thread cannot be stopped from outside. What may take long therefore asks in its loops, by `check_deadline`, whether
its call still wants the answer; the deadline travels in the context, into worker threads too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

from scenewright.core.faults import TimedOut

__all__ = ["Deadline", "check_deadline", "current_deadline", "seconds_left"]

_current: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


class Deadline:
    """A moment in the future; without seconds it comes only when it is told to."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.noticed = False  # whether something ended because of it
        self.begun = False
        self.said_by_thread: TimedOut | None = None  # what ended the thread before it noticed
        self._end = None if seconds is None else monotonic() + seconds
        self._idle = threading.Event()
        self._idle.set()

    @property
    def passed(self) -> bool:
        return self._end is not None and monotonic() > self._end

    @property
    def working(self) -> bool:
        """Whether a thread still works under it."""
        return not self._idle.is_set()

    def left(self, most: float) -> float:
        """Return the seconds until it comes, at most so many."""
        return most if self._end is None else max(0.0, min(most, self._end - monotonic()))

    def expire(self) -> None:
        """Let it come now: nobody waits for the answer any more."""
        self._end = monotonic() - 1

    def note(self, left_out: str) -> list[str]:
        """Return what to tell when it has passed."""
        return [f"Stopped after {self.seconds:g} s; {left_out}."] if self.passed else []

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Make it the deadline of all that is called meanwhile."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    @contextmanager
    def thread_at_work(self) -> Iterator[None]:
        """Say of the calling thread that it works, so that others know when it has ended."""
        self.begun = True
        self._idle.clear()
        try:
            check_deadline()
            yield
        finally:
            self._idle.set()


def current_deadline() -> Deadline | None:
    """Return the deadline of the call that this is done for, or None outside of calls."""
    return _current.get()


def check_deadline() -> None:
    """End what nobody waits for any more.

    Raises:
        TimedOut: the time of the call is over.
    """
    deadline = _current.get()
    if deadline is not None and deadline.passed:
        deadline.noticed = True
        raise TimedOut("The call's time is up.")


def seconds_left(most: float) -> float:
    """Return how long something may still take, at most so many seconds."""
    deadline = _current.get()
    return most if deadline is None else deadline.left(most)
