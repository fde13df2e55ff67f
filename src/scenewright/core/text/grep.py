"""Searches texts line by line within a time limit."""

from __future__ import annotations

import re
from time import monotonic

from scenewright.core.calls.deadline import check_deadline, current_deadline, seconds_left
from scenewright.core.faults import Invalid
from scenewright.core.text.patterns import (
    Hit,
    Job,
    PatternProblem,
    Searched,
    matching_lines,
    search_lines,
)

__all__ = ["Hit", "Job", "search"]


def search(pattern: str, jobs: list[Job], *, regex: bool, ignore_case: bool, limit: int, seconds: float) -> Searched:
    """Return the first lines with a match, in order.

    Raises:
        Invalid: it is not a pattern.
    """
    flags = re.IGNORECASE.value if ignore_case else 0
    seconds = seconds_left(seconds)
    if not regex:
        return _search_plainly(re.compile(re.escape(pattern), flags), jobs, limit, seconds)
    order = {"pattern": pattern, "flags": flags, "limit": limit}
    deadline = current_deadline()
    try:
        return search_lines(order, jobs, seconds, lambda: deadline is not None and deadline.passed)
    except PatternProblem as problem:
        raise Invalid(f"'query' is not a pattern: {problem}.", path="input.query", rule="regex") from None


def _search_plainly(pattern: re.Pattern[str], jobs: list[Job], limit: int, seconds: float) -> Searched:
    hits: list[Hit] = []
    end = monotonic() + seconds
    for job in jobs:
        if monotonic() > end:
            return Searched(hits, timed_out=True)
        check_deadline()
        for hit in matching_lines(pattern, job):
            hits.append(hit)
            if len(hits) >= limit:
                return Searched(hits, timed_out=False)
    return Searched(hits, timed_out=False)
