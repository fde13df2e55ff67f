"""Everything that can go wrong, each with one code and one next step.

    Fault
    ├── Invalid         the arguments are wrong
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

A handler raises one of these; the pipeline's edge turns it into the error of the caller's contract by way of
`CODES`. Nothing else in the code knows an error number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = [
    "CODES",
    "Codes",
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
    "Unsupported",
    "did_you_mean",
    "naming",
]


@dataclass(frozen=True, slots=True)
class Codes:
    """How one kind of fault is called in each contract."""

    envelope: str  # seed 000
    action: str  # seed 001, `data.code`
    category: str  # seed 001, `data.category`
    rpc: int  # seed 001, as written, for clients up to 2025-11-25
    rpc_modern: int  # the same for 2026-07-28, which reserves the seed's range
    bridge: int  # seed 003


_DENIED = Codes("E_PERMISSION_DENIED", "ACCESS_DENIED", "policy", -32043, 4043, -32002)

CODES: Mapping[str, Codes] = {
    "invalid": Codes("E_SCHEMA_VALIDATION", "VALIDATION_ERROR", "client", -32602, -32602, -32602),
    "not_found": Codes("E_NOT_FOUND", "NOT_FOUND", "client", -32044, 4044, -32000),
    "denied": _DENIED,
    "rate_limited": _DENIED,
    "conflict": _DENIED,
    "not_connected": Codes("E_NOT_CONNECTED", "INTERNAL_ERROR", "platform", -32603, -32603, -32603),
    "timed_out": Codes("E_TIMEOUT", "INTERNAL_ERROR", "platform", -32603, -32603, -32005),
    "unsupported": Codes("E_UNSUPPORTED", "UNIMPLEMENTED", "runtime", -32041, 4041, -32601),
    "interrupted": Codes("E_INTERNAL", "INTERNAL_ERROR", "runtime", -32603, -32603, -32603),
    "internal": Codes("E_INTERNAL", "INTERNAL_ERROR", "runtime", -32603, -32603, -32603),
}


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

    @property
    def codes(self) -> Codes:
        return CODES[self.kind]


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


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Puts the place before the message of a fault, where one of many could be meant."""
    try:
        yield
    except Fault as fault:
        fault.message = f"{place}: {fault.message}"
        raise


def did_you_mean(word: str, known: list[str] | tuple[str, ...], otherwise: str | None = None) -> str | None:
    """A hint that names the closest of the known words; where none is close, another or None."""
    from difflib import get_close_matches  # only a mistake needs it

    close = get_close_matches(word[:_LONGEST_WORD], known, n=3, cutoff=0.55)
    if not close:
        return otherwise
    return "Did you mean " + " or ".join(f"'{name}'" for name in close) + "?"
