"""Searches texts line by line within a time limit.

Python cannot interrupt a pattern that takes forever, so that patterns run in a process of their own, which is ended
when the time is over; this module is that process too, and so must import little.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

__all__ = ["Hit", "Job", "search"]

_LARGEST = 8 << 20
_SHOWN = 300
_HEAD = 8192


class Job(NamedTuple):
    """A file to look through: its name, where it is, and its text if that is not on disk."""

    name: str
    place: str
    text: str | None = None


class Hit(NamedTuple):
    name: str
    line: int
    column: int
    text: str


class Searched(NamedTuple):
    hits: list[Hit]
    timed_out: bool


def search(pattern: str, jobs: list[Job], *, regex: bool, ignore_case: bool, limit: int, seconds: float) -> Searched:
    """The first lines with a match, in order.

    Raises:
        re.error: it is not a pattern.
    """
    compiled = re.compile(pattern if regex else re.escape(pattern), re.IGNORECASE if ignore_case else 0)
    if regex:
        return _in_a_process(compiled, jobs, limit, seconds)
    hits: list[Hit] = []
    end = monotonic() + seconds
    for job in jobs:
        if monotonic() > end:
            return Searched(hits, timed_out=True)
        for hit in _hits(compiled, job):
            hits.append(hit)
            if len(hits) >= limit:
                return Searched(hits, timed_out=False)
    return Searched(hits, timed_out=False)


def _in_a_process(compiled: re.Pattern[str], jobs: list[Job], limit: int, seconds: float) -> Searched:
    order: dict[str, Any] = {"pattern": compiled.pattern, "flags": compiled.flags, "jobs": jobs, "limit": limit}
    command = [sys.executable, "-I", __file__]
    try:
        done = subprocess.run(
            command, input=json.dumps(order).encode(), capture_output=True, check=True, timeout=seconds
        )
        said, timed_out = done.stdout, False
    except subprocess.TimeoutExpired as late:
        said, timed_out = late.stdout or b"", True
    lines = said[: said.rfind(b"\n") + 1].splitlines()
    return Searched([Hit(*json.loads(line)) for line in lines], timed_out)


def _hits(pattern: re.Pattern[str], job: Job) -> Iterator[Hit]:
    for number, line in enumerate(_lines(job), 1):
        found = pattern.search(line)
        if found is not None:
            yield Hit(job.name, number, found.start() + 1, _around(line, found.start()))


def _lines(job: Job) -> Iterable[str]:
    if job.text is not None:
        return job.text.split("\n")
    try:
        place = Path(job.place)
        if place.stat().st_size > _LARGEST:
            return ()
        content = place.read_bytes()
    except OSError:
        return ()
    if b"\0" in content[:_HEAD]:
        return ()
    return content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def _around(line: str, column: int) -> str:
    """The line, or of a long one the part with the match."""
    if len(line) <= _SHOWN:
        return line
    start = max(0, min(column - _SHOWN // 3, len(line) - _SHOWN))
    return line[start : start + _SHOWN]


def _main() -> None:
    order = json.load(sys.stdin)
    pattern = re.compile(order["pattern"], order["flags"])
    left = order["limit"]
    for job in order["jobs"]:
        for hit in _hits(pattern, Job(*job)):
            sys.stdout.write(json.dumps(hit) + "\n")
            left -= 1
            if not left:
                return
        sys.stdout.flush()


if __name__ == "__main__":
    _main()
