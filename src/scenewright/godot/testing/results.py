"""What came of a test, whoever ran it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from scenewright.godot.engine.complaints import Complaint

__all__ = ["FAILED", "PASSED", "SKIPPED", "CaseResult", "TestRun", "first_error"]

PASSED: Final = "passed"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One test."""

    file: str  # res:// path of its script, scene or tape
    name: str
    status: str  # one of the three above
    seconds: float = 0.0
    message: str | None = None
    path: str | None = None  # where it failed
    line: int | None = None


@dataclass(slots=True)
class TestRun:
    """The tests of one kind: what came of each, and what went wrong beside them."""

    __test__ = False  # it is no test of pytest's

    kind: str
    asked: list[str] = field(default_factory=list)  # the files it was asked to run
    results: list[CaseResult] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    problem: str | None = None  # why the run as a whole failed


def first_error(complaints: list[Complaint]) -> Complaint | None:
    """Return the first error, with a place in the project where any of them has one."""
    errors = [each for each in complaints if each.severity == "error"]
    placed = [each for each in errors if each.path is not None]
    return next(iter(placed or errors), None)
