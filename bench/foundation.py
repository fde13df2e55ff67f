"""Start-up, round trip and memory, beside a bare low-level `mcp` server with the same tools, interleaved."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.figures import Figure
from bench.wire import Server

__all__ = ["run"]

STARTS = 11
ROUNDS = 5
CALLS = 400
PING = "core_ping"
GOALS = {"cold start": 1.2, "ping": 1.5, "memory": 1.3}
Make = Callable[[], Server]


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "project.godot").write_text("config_version=5\n")
        listed = json.loads(_output([sys.executable, "-m", "scenewright", "tools", "--json"], folder))["tools"]
        ours, bare = _maker(["-m", "scenewright", "serve"], folder), _maker(_bare(listed), folder)
        yield from _starts(ours, bare)
        yield from _calls(ours, bare)


def _starts(ours: Make, bare: Make) -> Iterator[Figure]:
    for make in (ours, bare):
        make().__exit__(None, None, None)  # writes byte code, warms the disk cache
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(STARTS):
        for make, into in zip((ours, bare), times, strict=True):
            with make() as server:
                into.append(server.start_seconds * 1000)
    yield from _compare("cold start", median(times[0]), median(times[1]), "ms", "median to the initialize reply")


def _calls(ours: Make, bare: Make) -> Iterator[Figure]:
    with ours() as one, bare() as other:
        for server in (one, other):
            for _ in range(50):
                server.call(PING)
        best = [1e9, 1e9]
        for _ in range(ROUNDS):
            for index, server in enumerate((one, other)):
                best[index] = min(best[index], median(server.call(PING) for _ in range(CALLS)) * 1000)
        yield from _compare("ping", best[0], best[1], "ms", f"best median of {ROUNDS}×{CALLS} round trips over stdio")
        sizes = [server.resident_bytes / 1e6 for server in (one, other)]
        yield from _compare("memory", sizes[0], sizes[1], "MB", "resident after the calls")


def _compare(what: str, ours: float, bare: float, unit: str, note: str) -> Iterator[Figure]:
    yield Figure(what, ours, unit, note=note)
    yield Figure(f"{what}, bare", bare, unit)
    yield Figure(f"{what} / bare", ours / bare, "×", GOALS[what])


def _maker(arguments: list[str], folder: Path) -> Make:
    return lambda: Server([sys.executable, *arguments], folder)


def _bare(tools: list[object]) -> list[str]:
    return [str(Path(__file__).with_name("bare_server.py")), json.dumps(tools)]


def _output(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
