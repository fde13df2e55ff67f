"""What a check says of one sentence of a task."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Verdict"]


@dataclass(frozen=True)
class Verdict:
    """A sentence, and what is wrong where it does not hold."""

    number: int
    sentence: str
    fault: str = ""

    @property
    def holds(self) -> bool:
        return not self.fault

    def line(self) -> str:
        mark = "pass" if self.holds else "FAIL"
        return f"{mark} {self.number}. {self.sentence}" + (f"\n     {self.fault}" if self.fault else "")
