"""A figure: one thing that was measured. What is printed, stored and compared all comes of these.

A part of the bench is a module with `run() -> Iterator[Figure]`; where it cannot measure, it raises `Unmeasured`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

__all__ = ["Figure", "Unmeasured", "plain"]


class Unmeasured(Exception):
    """A part cannot be measured here; says why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its unit, and the goal that it is held to, where there is one."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    clock: Literal["wall", "processor"] = "wall"  # of times and rates
    note: str = ""

    @property
    def holds(self) -> bool:
        if self.at_least is not None and self.value < self.at_least:
            return False
        return self.at_most is None or self.value <= self.at_most

    @property
    def goal(self) -> str:
        """As a person reads it; empty for none."""
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}"

    @property
    def remark(self) -> str:
        clock = "processor time" if self.depends_on_machine and self.clock == "processor" else ""
        return "; ".join(filter(None, (clock, self.note)))

    @property
    def depends_on_machine(self) -> bool:
        """Whether a slower machine makes it worse."""
        return self.unit in ("s", "ms", "µs") or self.is_rate

    @property
    def more_is_better(self) -> bool:
        return self.at_least is not None or self.is_rate

    @property
    def is_rate(self) -> bool:
        return self.unit.endswith("/s")

    def __str__(self) -> str:
        goal = f"({self.goal})" if self.goal else ""
        return f"{self.name:<44} {plain(self.value):>10} {self.unit:<9} {goal:<10} {self.remark}".rstrip()

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value not in (None, "", "wall")}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        return cls(**stored)


def plain(value: float) -> str:
    """Three digits that count, and no exponent."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    digits = 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:.{digits}f}"
