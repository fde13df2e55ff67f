"""1,000 runs of five pings, on SQLite and on PostgreSQL, beside DBOS alone doing the same; and the first run of all.

DBOS alone has the same queue, the same limit, as many who submit and, on SQLite, the same durability; all else is as it
comes. Each side is a process of its own, since a process has one DBOS. The time of a side is from the first submission
to the end of the last run, its work the processor time of the process meanwhile.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.figures import Figure, Unmeasured

__all__ = ["run"]

RUNS = 1000
STEPS = 5
FIRSTS = 5
ROUNDS = 5
SIDES = ("ours", "dbos")
RATIO, FIRST_SECONDS = 1.5, 1.5


def run() -> Iterator[Figure]:
    yield from _compare("SQLite", None)
    yield from _first()
    with _postgres() as url:
        if url is None:
            raise Unmeasured("PostgreSQL is not there; `make tools` gets it")
        yield from _compare("PostgreSQL", url)


def _compare(what: str, database: str | None) -> Iterator[Figure]:
    """Both sides in turn, in several rounds; what else the machine is at then meets both of a round."""
    rounds = [{side: _side(side, RUNS // ROUNDS, database) for side in _in_turn(number)} for number in range(ROUNDS)]
    times = {side: median(each[side]["seconds"] for each in rounds) for side in SIDES}
    rates = {side: RUNS // ROUNDS * STEPS / seconds for side, seconds in times.items()}
    ratio, work = (median(each["ours"][key] / each["dbos"][key] for each in rounds) for key in ("seconds", "cpu"))
    note = f"median of {ROUNDS} times {RUNS // ROUNDS} runs of {STEPS} pings"
    yield Figure(f"{what}, ours", rates["ours"], "steps/s", note=note)
    yield Figure(f"{what}, DBOS alone", rates["dbos"], "steps/s")
    yield Figure(f"{what}, ours / DBOS alone", ratio, "×", RATIO, note="of the time")
    yield Figure(f"{what}, work of ours / DBOS alone", work, "×", note="of processor time")


def _in_turn(number: int) -> Sequence[str]:
    return SIDES if number % 2 == 0 else SIDES[::-1]


def _first() -> Iterator[Figure]:
    results = [_side("first", 1, None) for _ in range(FIRSTS)]
    answered, over = (median(each[key] for each in results) for key in ("answered", "over"))
    yield Figure("first run, answered", answered, "s", FIRST_SECONDS)
    yield Figure("first run, over", over, "s")


def _side(side: str, runs: int, database: str | None) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bench.workflow_side", side, folder, str(runs), database or ""]
        done = subprocess.run(
            command, cwd=Path(__file__).parents[1], capture_output=True, text=True, timeout=600, check=False
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


@contextmanager
def _postgres() -> Iterator[str | None]:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from _pytest.outcomes import Skipped
    from tests.support.postgres import postgres_server

    try:
        with postgres_server() as url:
            yield url
    except Skipped:
        yield None
