"""1,000 runs of five pings, on SQLite and on PostgreSQL, beside DBOS alone doing the same; and the first run of all.

DBOS alone has the same queue, the same limit and, on SQLite, the same durability; all else is as it comes. Each side is
a process of its own, since a process has one DBOS.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

__all__ = ["run"]

RUNS = 1000
STEPS = 5
FIRSTS = 5
ROUNDS = 3
RATIO, FIRST_SECONDS = 1.5, 1.5


def run() -> list[str]:
    """Prints the figures; returns the goals that were missed."""
    missed = _compare("SQLite", None)
    with _postgres() as url:
        if url is None:
            print("PostgreSQL is not there; `make tools` gets it")
        else:
            missed += _compare("PostgreSQL", url)
    return [*missed, *_first()]


def _compare(what: str, database: str | None) -> list[str]:
    times: dict[str, list[float]] = {"ours": [], "dbos": []}
    for _ in range(ROUNDS):
        for side, into in times.items():
            into.append(_side(side, RUNS // ROUNDS, database)["seconds"])
    rates = {side: RUNS // ROUNDS * STEPS / median(into) for side, into in times.items()}
    ratio = median(times["ours"]) / median(times["dbos"])
    print(
        f"{what:<12} {rates['ours']:6.0f} / {rates['dbos']:6.0f} steps a second, {ratio:.2f}× the time"
        f" (≤ {RATIO}×), median of {ROUNDS} times {RUNS // ROUNDS} runs of {STEPS} pings, ours / DBOS alone"
    )
    return [] if ratio <= RATIO else [f"workflows on {what}: {ratio:.2f}× is over {RATIO}×"]


def _first() -> list[str]:
    results = [_side("first", 1, None) for _ in range(FIRSTS)]
    answered, over = (median(each[key] for each in results) for key in ("answered", "over"))
    print(f"first run    {answered:.2f} s to the answer (≤ {FIRST_SECONDS} s), {over:.2f} s to its end")
    return [] if answered <= FIRST_SECONDS else [f"first workflow.run: {answered:.2f} s is over {FIRST_SECONDS} s"]


def _side(side: str, runs: int, database: str | None) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bench.workflow_side", side, folder, str(runs), database or ""]
        done = subprocess.run(
            command, cwd=Path(__file__).parents[1], capture_output=True, text=True, timeout=600, check=False
        )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


@contextmanager
def _postgres() -> Iterator[str | None]:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from _pytest.outcomes import Skipped
    from tests.postgres import postgres_server

    try:
        with postgres_server() as url:
            yield url
    except Skipped:
        yield None
