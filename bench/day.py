"""A recorded day's work, the demo's calls and an agent's, over stdio without an engine: all of it, and what is slowest.

python -m bench.day FILE       each call's milliseconds too, as JSON; two such files can be compared
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.day_of_work import CALLS
from bench.figures import Figure
from bench.wire import Server
from scenewright.cli.demo.game import chapters

__all__ = ["run"]

ROUNDS = 5
SLOWEST = 10
_START = 'config_version=5\n\n[application]\nconfig/name="Game"\n'
_NEEDS_ENGINE = {"probe", "picture", "scan", "smoke_test", "screenshot", "export.project", "reimport"}
Call = tuple[str, dict[str, Any]]


def run() -> Iterator[Figure]:
    times = measure()
    yield Figure("calls", len(times), "calls", note=f"each the median of {ROUNDS} days, without an engine")
    yield Figure("all calls", sum(times.values()), "ms")
    yield Figure("a call, p50", median(times.values()), "ms")
    for name in sorted(times, key=lambda name: -times[name])[:SLOWEST]:
        yield Figure(name, times[name], "ms", note="among the slowest")


def measure() -> dict[str, float]:
    """Return the median milliseconds of each call, by its number and name."""
    days = [_live_through() for _ in range(ROUNDS)]
    return {name: median(day[name] for day in days) for name in days[0]}


def _live_through() -> dict[str, float]:
    calls = [call for chapter in chapters() for call in chapter.calls] + list(CALLS)
    with tempfile.TemporaryDirectory(prefix="scenewright-day-") as folder:
        project = Path(folder) / "game"
        project.mkdir()
        (project / "project.godot").write_text(_START, encoding="utf-8")
        settings = {"SCENEWRIGHT_HOME": f"{folder}/home", "ALLOW_DANGEROUS_OPS": "true", "GODOT_PATH": ""}
        command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project)]
        with Server(command, project, PATH=_without_godot(), **settings) as server:
            server.request("tools/list", {})
            return dict(_timed(server, calls))


def _timed(server: Server, calls: list[Call]) -> Iterator[tuple[str, float]]:
    for number, (tool, arguments) in enumerate(calls):
        if arguments.get("action") in _NEEDS_ENGINE:
            continue
        began = perf_counter()
        server.ask("tools/call", {"name": tool, "arguments": arguments})
        action = f" {arguments['action']}" if "action" in arguments else ""
        yield f"{number} {tool}{action}", (perf_counter() - began) * 1000


def _without_godot() -> str:
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if "godot" not in folder)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
