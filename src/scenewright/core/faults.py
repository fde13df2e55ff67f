"""Everything that can go wrong, each with one code and one next step.

    Fault
    ├── Invalid         the arguments are wrong
    │   └── TooLarge        a file is larger than what is read
    ├── NotFound        what they name does not exist
    ├── Denied          a gate, a policy or a missing approval said no
    │   ├── RateLimited     too many calls, try again in a moment
    │   └── Conflict        the file changed since it was read
    │       └── Outdated        it changed elsewhere than the call does: the call may be made again
    ├── NotConnected    a live editor is needed and none is there
    ├── TimedOut        it took too long
    ├── Unsupported     not in this mode, not on this engine
    ├── Interrupted     begun by a process that died; nobody knows how far it came
    └── Internal        our own bug; the detail is in the log only

A handler raises one of these. Each contract has a table of its own that says what it calls each kind; nothing here
knows an error's number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

__all__ = [
    "Conflict",
    "Denied",
    "Fault",
    "Internal",
    "Interrupted",
    "Invalid",
    "NotConnected",
    "NotFound",
    "Outdated",
    "RateLimited",
    "TimedOut",
    "TooLarge",
    "Unsupported",
    "closest",
    "did_you_mean",
    "naming",
]


class Fault(Exception):
    """A refusal or failure the caller can act on."""

    kind: ClassVar[str] = "internal"
    retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        details: Mapping[str, Any] | None = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})
        if retryable is not None:
            self.retryable = retryable


class Invalid(Fault):
    """The arguments are wrong; `path` and `rule` say where and by which rule."""

    kind = "invalid"

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        rule: str | None = None,
        hint: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message, hint=hint, details=details)
        self.path = path
        self.rule = rule


class TooLarge(Invalid):
    """A file is larger than those that are read."""


class NotFound(Fault):
    kind = "not_found"


class Denied(Fault):
    kind = "denied"


class RateLimited(Denied):
    kind = "rate_limited"
    retryable = True


class Conflict(Denied):
    kind = "conflict"
    retryable = True


class Outdated(Conflict):
    """What was read has changed, though not where the call changes it."""


class NotConnected(Fault):
    kind = "not_connected"
    retryable = True


class TimedOut(Fault):
    kind = "timed_out"
    retryable = True


class Unsupported(Fault):
    kind = "unsupported"


class Interrupted(Fault):
    kind = "interrupted"


class Internal(Fault):
    kind = "internal"

    def __init__(self, *, hint: str = "This is a bug in scenewright. Its log on stderr has the detail.") -> None:
        super().__init__("The operation failed unexpectedly; nothing was written.", hint=hint)


_LONGEST_WORD = 200
_MOST_WORDS = 2000  # a scene may have 100,000 nodes, and comparing with all of them takes seconds


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Put the place before the message of a fault, where one of many could be meant."""
    try:
        yield
    except Fault as fault:
        fault.message = f"{place}: {fault.message}"
        raise


def did_you_mean(word: str, known: list[str] | tuple[str, ...], otherwise: str | None = None) -> str | None:
    """Return a hint that names the closest of the known words; where none is close, another or None."""
    close = closest(word, known)
    if not close:
        return otherwise
    return "Did you mean " + " or ".join(f"'{name}'" for name in close) + "?"


def closest(word: str, known: list[str] | tuple[str, ...], *, most: int = 3, likeness: float = 0.55) -> list[str]:
    """Return the known words that are close to a word, the closest first."""
    from difflib import get_close_matches  # only a mistake needs these
    from heapq import nsmallest

    length = len(word[:_LONGEST_WORD])
    alike = known if len(known) <= _MOST_WORDS else nsmallest(_MOST_WORDS, known, lambda name: abs(len(name) - length))
    return get_close_matches(word[:_LONGEST_WORD], alike, n=most, cutoff=likeness)
