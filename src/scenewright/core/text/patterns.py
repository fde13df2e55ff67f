"""Regular expressions that a caller gives, in a process of their own.

Python cannot interrupt a pattern that takes forever, to match or only to be compiled, and meanwhile nothing else runs.
So such patterns stay in a process that is ended when the time is over. This module is that process too, and so must
import little; a test sees to it that no other module compiles an expression that it did not write itself.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

__all__ = [
    "LARGEST",
    "MOST_RESULT",
    "Hit",
    "Job",
    "PatternProblem",
    "Replaced",
    "ReplacementProblem",
    "Searched",
    "matching_lines",
    "replace_matches",
    "search_lines",
]

MOST_PATTERN = 10_000
MOST_RESULT = 64 << 20
MOST_MEMORY = 2 << 30
LARGEST = 8 << 20
_SHOWN = 300
_HEAD = 8192
_LOOK_SECONDS = 0.1


class PatternProblem(Exception):
    """The text is no expression that can be used; says why."""


class ReplacementProblem(Exception):
    """The replacement does not fit the expression; says why."""


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


class Replaced(NamedTuple):
    """How often an expression matched, and the text with every match replaced if that was asked for."""

    matches: int
    text: str | None
    timed_out: bool = False


def search_lines(order: dict[str, Any], jobs: list[Job], seconds: float, given_up: Callable[[], bool]) -> Searched:
    """Return the first lines with a match, in order: an order has `pattern`, `flags` and the `limit`.

    Raises:
        PatternProblem: the pattern is none.
    """
    rows, timed_out = _ask_process({"do": "search", "jobs": jobs, **order}, seconds, given_up)
    return Searched([Hit(*row) for row in rows], timed_out)


def replace_matches(
    pattern: str, replacement: str, text: str, *, counts: range, seconds: float, given_up: Callable[[], bool]
) -> Replaced:
    """Replace every match in a text, unless there are more or fewer than the counts allow.

    Raises:
        PatternProblem: the pattern is none, or takes too much memory.
        ReplacementProblem: the replacement does not fit the expression, or the result is too long.
    """
    order = {
        "do": "replace",
        "pattern": pattern,
        "flags": re.MULTILINE.value,
        "replacement": replacement,
        "text": text,
        "counts": [counts.start, counts.stop],
    }
    replies, timed_out = _ask_process(order, seconds, given_up)
    if timed_out or not replies:
        return Replaced(0, None, timed_out=True)
    if "misfit" in replies[0]:
        raise ReplacementProblem(replies[0]["misfit"])
    return Replaced(replies[0]["count"], replies[0].get("text"))


def _ask_process(order: dict[str, Any], seconds: float, given_up: Callable[[], bool]) -> tuple[list[Any], bool]:
    """Return what the process said, one value a line, and whether it was ended before it was done."""
    if len(order["pattern"]) > MOST_PATTERN:
        raise PatternProblem(f"longer than {MOST_PATTERN:,} characters")
    values, was_ended = _said_by_process(order, seconds, given_up)
    if values and isinstance(values[-1], dict) and "problem" in values[-1]:
        raise PatternProblem(values[-1]["problem"])
    return values, was_ended


def _said_by_process(order: dict[str, Any], seconds: float, given_up: Callable[[], bool]) -> tuple[list[Any], bool]:
    from tempfile import TemporaryFile  # the process itself does without, as without what follows

    from scenewright.core.processes import NO_WINDOW

    # From a file: after a time-out, `communicate` forgets what it has not sent yet, and the process would wait for it.
    with TemporaryFile() as order_file:
        order_file.write(json.dumps(order).encode())
        order_file.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-I", __file__],
            stdin=order_file,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=NO_WINDOW,
        )
    end = monotonic() + seconds
    with process:
        while True:
            try:
                output, _ = process.communicate(timeout=max(0.0, min(_LOOK_SECONDS, end - monotonic())))
                return _read_values(output), process.returncode != 0
            except subprocess.TimeoutExpired:
                if monotonic() < end and not given_up():
                    continue
                process.kill()
                output, _ = process.communicate()
                return _read_values(output), True


def _read_values(output: bytes) -> list[Any]:
    return [json.loads(line) for line in output[: output.rfind(b"\n") + 1].splitlines()]


# What the process does


def matching_lines(pattern: re.Pattern[str], job: Job) -> Iterator[Hit]:
    """Find the lines of one file that have a match."""
    for number, line in enumerate(_lines(job), 1):
        match = pattern.search(line)
        if match is not None:
            yield Hit(job.name, number, match.start() + 1, _text_around(line, match.start()))


def _lines(job: Job) -> Iterable[str]:
    if job.text is not None:
        return job.text.split("\n")
    try:
        place = Path(job.place)
        if place.stat().st_size > LARGEST:
            return ()
        content = place.read_bytes()
    except OSError:
        return ()
    if b"\0" in content[:_HEAD]:
        return ()
    return content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def _text_around(line: str, column: int) -> str:
    """Return the line, or of a long one the part with the match."""
    if len(line) <= _SHOWN:
        return line
    start = max(0, min(column - _SHOWN // 3, len(line) - _SHOWN))
    return line[start : start + _SHOWN]


def _search(order: dict[str, Any], pattern: re.Pattern[str]) -> Iterator[Any]:
    left = order["limit"]
    for job in order["jobs"]:
        for hit in matching_lines(pattern, Job(*job)):
            yield hit
            left -= 1
            if not left:
                return


def _replace(order: dict[str, Any], pattern: re.Pattern[str]) -> Iterator[Any]:
    text, replacement = order["text"], order["replacement"]
    low, high = order["counts"]
    count = sum(1 for _ in pattern.finditer(text))
    if not low <= count < high:
        yield {"count": count}
        return
    # A group can be no longer than the text, and all matches together are no longer either.
    if len(text) * (1 + replacement.count("\\")) + count * len(replacement) > MOST_RESULT:
        yield {"misfit": f"the result could be longer than {MOST_RESULT:,} characters"}
        return
    try:
        yield {"count": count, "text": pattern.sub(replacement, text)}
    except (re.error, IndexError) as wrong:
        yield {"misfit": str(wrong)}


def _limit_memory() -> None:
    """Refuse to take more than a machine can spare, where the system has a way to say so."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _main() -> None:
    _limit_memory()
    order = json.load(sys.stdin)
    try:
        pattern = re.compile(order["pattern"], order["flags"])
        for value in {"search": _search, "replace": _replace}[order["do"]](order, pattern):
            _print_value(value)
    except (re.error, OverflowError) as wrong:
        _print_value({"problem": str(wrong)})
    except RecursionError:
        _print_value({"problem": "too deeply nested"})
    except MemoryError:
        _print_value({"problem": "it takes too much memory on this text"})


def _print_value(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main()
