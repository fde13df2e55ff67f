"""Where a game stands still, and what a breakpoint asks before it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scenewright.godot.engine.complaints import Frame

__all__ = ["BreakpointRule", "JudgedStop", "Stop", "Variable", "is_true"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in a stack frame, and what it holds."""

    name: str
    scope: str
    value: Any


@dataclass(slots=True)
class Stop:
    """The game stands still: why, and where."""

    reason: str
    can_continue: bool
    thread: int
    stack: list[Frame] | None = None  # None until it is told; empty where no script runs
    variables: dict[int, list[Variable]] = field(default_factory=dict)
    _awaited: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BreakpointRule:
    """Stop only where the condition holds; with a log, print what it is worth and go on. Both are expressions."""

    condition: str | None = None
    log: str | None = None


@dataclass(slots=True)
class JudgedStop:
    """A stop at a breakpoint of which nobody knows yet: its rule is being asked."""

    stop: Stop
    rule: BreakpointRule | None = None
    logs: bool = False  # the condition held, and the log was asked for

    @property
    def place(self) -> str:
        frame = self.stop.stack[0] if self.stop.stack else Frame("", "", 0)
        return f"{frame.path}:{frame.line}"


def is_true(value: Any) -> bool:
    """Return whether a value counts as true in an expression of the engine."""
    items = getattr(value, "items", None)
    return bool(items) if isinstance(items, tuple | list) else bool(value)
