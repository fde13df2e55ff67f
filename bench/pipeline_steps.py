"""What each step of the pipeline costs: a ping, a read and a write, in this process, without a transport."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from unittest.mock import patch

import anyio

from bench.figures import Figure
from scenewright.app import make_runtime
from scenewright.core import runtime as runs
from scenewright.core.calls.call import Call, Request
from scenewright.core.calls.pipeline import STEPS, execute
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime

__all__ = ["run"]

CALLS = 300
TOLD = 0.02  # of the call; what costs less is added up
Step = Callable[[Call], Awaitable[None]]
Times = dict[str, list[float]]


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        os.environ["SCENEWRIGHT_HOME"] = f"{name}/home"
        project = Path(name) / "game"
        project.mkdir()
        (project / "project.godot").write_text("config_version=5\n", encoding="utf-8")
        (project / "a.txt").write_text("a\n", encoding="utf-8")
        runtime = make_runtime(Config.from_environment({"SCENEWRIGHT_RATE_LIMIT": "off"}, project=project))
        try:
            for what, ask in _CALLS.items():
                yield from _figures(what, anyio.run(_measure, runtime, ask))
        finally:
            runtime.close()


_CALLS: dict[str, Callable[[int], Request]] = {
    "ping": lambda _: Request(tool="core_ping", arguments={}),
    "read": lambda _: Request(tool="read_file", arguments={"path": "a.txt"}),
    "write": lambda number: Request(
        tool="write_file", arguments={"path": "b.txt", "content": f"{number}\n" * 20, "overwrite": True}
    ),
}


def _figures(what: str, times: Times) -> Iterator[Figure]:
    typical = {step: median(seconds) * 1e6 for step, seconds in times.items()}
    whole = typical.pop("whole")
    yield Figure(f"{what}, whole call", whole, "µs", note=f"median of {CALLS}")
    told = {step: cost for step, cost in typical.items() if cost >= TOLD * whole}
    for step, cost in told.items():
        yield Figure(f"{what}, {step}", cost, "µs")
    yield Figure(f"{what}, other steps", sum(typical.values()) - sum(told.values()), "µs")
    yield Figure(f"{what}, records and the rest", whole - sum(typical.values()), "µs")


async def _measure(runtime: Runtime, ask: Callable[[int], Request]) -> Times:
    for number in range(CALLS // 10):
        await runtime.run(ask(number))
    times: Times = defaultdict(list)
    timed = {step: _timed(step, times[step.__name__]) for step in STEPS}
    with patch.multiple(runs, STEPS=tuple(timed.values()), execute=timed[execute]):
        for number in range(CALLS):
            began = perf_counter()
            outcome = await runtime.run(ask(number))
            times["whole"].append(perf_counter() - began)
            assert outcome.ok, outcome.fault
    return times


def _timed(step: Step, seconds: list[float]) -> Step:
    async def timed(call: Call) -> None:
        began = perf_counter()
        await step(call)
        seconds.append(perf_counter() - began)

    return timed
