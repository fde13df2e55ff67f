"""What a run of tests came to, out of the editor's answer; how its fields are spelled differs between versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio

from scenewright.core.faults import TimedOut, Unsupported
from scenewright.unity.live.intents import TEST_STATUS
from scenewright.unity.live.pipeline import Pipeline

__all__ = ["TestResults", "await_results", "read_results"]

MOST_FAILURES = 50
_LOOK_SECONDS = 0.5
_AT_WORK = ("running", "in_progress", "started", "queued")
_BAD = ("failed", "error", "inconclusive")


@dataclass(frozen=True, slots=True)
class TestResults:
    total: int
    failed: int
    failures: list[tuple[str, str]]  # names, and why


async def await_results(pipeline: Pipeline, seconds: float) -> TestResults:
    """Return the results of tests that go on although their job was forgotten: play mode loads scripts anew.

    Raises:
        TimedOut: they did not end.
        Unsupported: the editor does not tell.
    """
    until = anyio.current_time() + seconds
    while isinstance(report := await pipeline.run(TEST_STATUS, repeats=True), Mapping):
        if str(report.get("status") or report.get("Status") or "").lower() not in _AT_WORK:
            break
        if anyio.current_time() >= until:
            raise TimedOut(f"The tests still run after {seconds:g} seconds.", details={"outcome": "unknown"})
        await pipeline.rest(_LOOK_SECONDS)
    return read_results(report)


def read_results(answer: Any) -> TestResults:
    """Return the results.

    Raises:
        Unsupported: the answer does not tell how many tests ran.
    """
    told = {_plain(key): value for key, value in answer.items()} if isinstance(answer, Mapping) else {}
    for inside in ("summary", "result", "results"):
        if isinstance(part := told.get(inside), Mapping):
            told |= {_plain(key): value for key, value in part.items()}
    total = _count(told, "total", "totaltests", "totalcount", "testcount")
    failed = _count(told, "failed", "failedtests", "failedcount", "failcount")
    listed = (told.get(key) for key in ("failures", "results", "tests", "failedtests"))
    rows: list[Any] = next((rows for rows in listed if isinstance(rows, list)), [])
    failures = [failure for row in rows if (failure := _failure(row)) is not None]
    if total is None:
        raise Unsupported("Unity did not say how many tests ran.", hint="Look at unity_editor_manager console.")
    return TestResults(total, len(failures) if failed is None else failed, failures[:MOST_FAILURES])


def _failure(row: Any) -> tuple[str, str] | None:
    if isinstance(row, str):
        return row[:300], ""
    if not isinstance(row, Mapping):
        return None
    told = {_plain(key): value for key, value in row.items()}
    state = str(told.get("status") or told.get("result") or told.get("outcome") or told.get("resultstate") or "failed")
    if not state.lower().startswith(_BAD):
        return None
    name = told.get("fullname") or told.get("name") or told.get("testname") or "?"
    return str(name)[:300], str(told.get("message") or told.get("errormessage") or "")[:1000]


def _count(told: Mapping[str, Any], *names: str) -> int | None:
    counts = (told[name] for name in names if isinstance(told.get(name), int) and not isinstance(told[name], bool))
    return next(counts, None)


def _plain(key: Any) -> str:
    return str(key).replace("_", "").lower()
