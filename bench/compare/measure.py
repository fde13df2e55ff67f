"""The measurements: starts and tasks, all servers in turn in each round."""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from bench.compare.client import Client, Reply, ServerGone
from bench.compare.installation import command
from bench.compare.peers import BARE, OURS, PEERS, Peer
from bench.compare.ways import Calls, Way
from bench.compare.workshop import Bench, Workshop

__all__ = ["STARTS", "TASKS", "measure_starts", "measure_tasks"]

STARTS = ("warm", "cold")
TASKS = {"read": 30, "create": 12, "edits": 4, "tree": 4, "picture": 6, "script": 6, "bad": 8}  # rounds of each
ROUNDS = 4
KEEPS_SECONDS = 3.0  # for which a first start is held open, so that what keeps something for later can
SAID = 160  # characters of a refusal that are kept
Found = dict[str, Any]


def measure_starts(what: str, workshop: Workshop, folder: Path, absent: dict[str, str]) -> dict[str, Found]:
    """Start to `initialize`, and on to `tools/list`, with what an earlier start has kept or without, and sizes."""
    starters = _starters(workshop, folder, absent)
    if what == "warm":
        for starter in starters:
            starter.keep()
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(ROUNDS):
        for starter in starters:
            for step, took in starter.timed(is_cold=what == "cold").items():
                times[starter.peer.name][step].append(took)
    found: dict[str, Found] = {
        name: {step: _spread(took) for step, took in steps.items()} for name, steps in times.items()
    }
    if what == "warm":
        for starter in starters:
            found[starter.peer.name] |= starter.size()
    return found


def _starters(workshop: Workshop, folder: Path, absent: dict[str, str]) -> list[_Starter]:
    """All servers, started once before; the bare one lists what ours does."""
    project = folder / "empty"
    project.mkdir()
    (project / "project.godot").write_text("config_version=5\n")
    peers = [peer for peer in PEERS if peer.name not in absent and peer.is_measured_at_start]
    starters = [_Starter(peer, project, workshop, folder / "homes") for peer in peers]
    listed = next(starter.tools for starter in starters if starter.peer is OURS)
    return [*starters, _Starter(BARE, project, workshop, folder / "homes", json.dumps(listed))]


class _Starter:
    """Starts one server, again and again."""

    def __init__(self, peer: Peer, project: Path, workshop: Workshop, homes: Path, listing: str = "") -> None:
        self.peer = peer
        self._command, self._project = command(peer, listing), project
        self._workshop, self._home = workshop, homes / peer.folder
        with self._started(self._home) as server:
            self.tools = server.listing()

    def keep(self) -> None:
        """Leave it the time to keep for later starts what it wants to."""
        with self._started(self._home):
            time.sleep(KEEPS_SECONDS)

    def timed(self, *, is_cold: bool) -> dict[str, float]:
        """Milliseconds from the start to each of the first two answers."""
        home = Path(mkdtemp(dir=self._home.parent)) if is_cold else self._home
        began = time.perf_counter()
        with self._started(home) as server:
            server.listing()
            listed = (time.perf_counter() - began) * 1000
        return {"initialize": server.start_seconds * 1000, "list": listed}

    def size(self) -> Found:
        """Of the listing as compact JSON, a token being taken as four bytes; and of the process after ten calls."""
        size = len(json.dumps(self.tools, ensure_ascii=False, separators=(",", ":")).encode())
        with self._started(self._home) as server:
            server.listing()
            for _ in range(10):
                server.use(*self.peer.cheap)
            megabytes = round(server.megabytes, 1)
        return {"tools": len(self.tools), "bytes": size, "tokens": round(size / 4), "megabytes": megabytes}

    def _started(self, home: Path) -> Client:
        return Client(self._command, self._project, **self._workshop.environment(home), **self.peer.settings)


def measure_tasks(tasks: list[str], benches: list[Bench]) -> Iterator[tuple[str, dict[str, Found]]]:
    """Each task by each server, in turn; a server that cannot has a reason."""
    for task in tasks:
        ways = {bench.peer.name: bench.peer.ways[task] for bench in benches}
        runs = [_Run(task, bench, way) for bench in benches if isinstance(way := ways[bench.peer.name], Way)]
        reasons: dict[str, Found] = {name: {"reason": way} for name, way in ways.items() if isinstance(way, str)}
        yield task, reasons | _in_turn(runs, TASKS[task])


def _in_turn(runs: list[_Run], rounds: int) -> dict[str, Found]:
    for run in runs:
        run.prepare()
    for number in range(1, rounds + 1):
        for run in runs:
            run.once(number)
    for run in runs:
        run.clean_up()
    return {run.bench.peer.name: run.result() for run in runs}


class _Run:
    """One task of one server."""

    def __init__(self, task: str, bench: Bench, way: Way) -> None:
        self.bench = bench
        self._task, self._way = task, way
        self._times: list[float] = []
        self._last: Found = {}
        self._problem = ""

    def prepare(self) -> None:
        """What must be so before, and one call that is not timed."""
        self._untimed(self._way.before)
        self.once(0)
        self._times.clear()

    def once(self, number: int) -> None:
        if self._problem:
            return
        try:
            began = time.perf_counter()
            reply = self.bench.use(self._way.calls, number)
            self._times.append((time.perf_counter() - began) * 1000)
        except (ServerGone, AssertionError) as problem:
            self._problem = str(problem)[:SAID]
            return
        self._last = {"bytes": reply.text_bytes, "pictureBytes": sum(reply.pictures)}
        if self._task == "bad":
            self._last |= {"isError": reply.is_error, "namesWhatIsThere": bool(re.search(r"\bPlayer\b", reply.text))}
        else:
            self._problem = self._failure(reply)

    def clean_up(self) -> None:
        if self._task == "edits" and not self._problem:
            self._check_edits()
        self._untimed(self._way.after)

    def result(self) -> Found:
        return {"reason": self._problem} if self._problem else {**_spread(self._times), **self._last}

    def _failure(self, reply: Reply) -> str:
        """Why a reply is not what was asked for; empty if it is."""
        if self._task == "picture" and not reply.pictures:
            return f"no picture came: {reply.text[:SAID]}"
        if reply.is_error and self._task != "script":
            return f"it was refused: {reply.text[:SAID]}"
        if not re.search(self._way.expect, reply.text, re.DOTALL):
            return f"the reply does not say it: {reply.text[:SAID]}"
        return ""

    def _check_edits(self) -> None:
        """The last edit of the last round must be there."""
        read = self.bench.peer.ways["read"]
        assert isinstance(read, Way)
        reply = self.bench.use(json.loads(json.dumps(read.calls).replace("Player", "E7")))
        if not re.search(rf"position.{{0,80}}?{TASKS['edits']}(\.0)?\D{{1,14}}7", reply.text, re.DOTALL):
            self._problem = f"the edits are not there: {reply.text[:SAID]}"

    def _untimed(self, calls: Calls | None) -> None:
        if calls is not None and not self._problem:
            reply = self.bench.use(calls)
            self._problem = f"it was refused: {reply.text[:SAID]}" if reply.is_error else ""


def _spread(times: list[float]) -> Found:
    ordered = sorted(times)
    last = len(ordered) - 1
    return {"p50": round(ordered[last // 2], 2), "p95": round(ordered[round(last * 0.95)], 2), "rounds": len(times)}
