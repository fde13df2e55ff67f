"""Start-up, round trip and memory, beside a bare low-level `mcp` server with the same tools, interleaved."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.wire import Server

__all__ = ["run"]

STARTS = 11
ROUNDS = 5
CALLS = 400
PING = "core_ping"
GOALS = {"cold start": 1.2, "ping": 1.5, "memory": 1.3}
Make = Callable[[], Server]


def run() -> list[str]:
    """Prints the figures; returns the goals that were missed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "project.godot").write_text("config_version=5\n")
        listed = json.loads(_output([sys.executable, "-m", "scenewright", "tools", "--json"], folder))["tools"]
        ours, bare = _maker(["-m", "scenewright", "serve"], folder), _maker(_bare(listed), folder)
        print(f"{len(listed)} tools each; ours / bare = ratio (goal)")
        return [*_starts(ours, bare), *_calls(ours, bare)]


def _starts(ours: Make, bare: Make) -> list[str]:
    for make in (ours, bare):
        make().__exit__(None, None, None)  # writes byte code, warms the disk cache
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(STARTS):
        for make, into in zip((ours, bare), times, strict=True):
            with make() as server:
                into.append(server.start_seconds * 1000)
    return _compare("cold start", median(times[0]), median(times[1]), "ms, median to the initialize reply")


def _calls(ours: Make, bare: Make) -> list[str]:
    with ours() as one, bare() as other:
        for server in (one, other):
            for _ in range(50):
                server.call(PING)
        best = [1e9, 1e9]
        for _ in range(ROUNDS):
            for index, server in enumerate((one, other)):
                best[index] = min(best[index], median(server.call(PING) for _ in range(CALLS)) * 1000)
        missed = _compare("ping", best[0], best[1], f"ms, best median of {ROUNDS}×{CALLS} round trips over stdio")
        sizes = [server.resident_bytes / 1e6 for server in (one, other)]
        return [*missed, *_compare("memory", sizes[0], sizes[1], "MB resident after the calls")]


def _compare(what: str, ours: float, bare: float, unit: str) -> list[str]:
    ratio, goal = ours / bare, GOALS[what]
    print(f"{what:<12} {ours:8.2f} / {bare:8.2f} = {ratio:.2f}× (≤ {goal}×)  {unit}")
    return [] if ratio <= goal else [f"{what}: {ratio:.2f}× is over {goal}×"]


def _maker(arguments: list[str], folder: Path) -> Make:
    return lambda: Server([sys.executable, *arguments], folder)


def _bare(tools: list[object]) -> list[str]:
    return [str(Path(__file__).with_name("bare_server.py")), json.dumps(tools)]


def _output(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
