"""The first moment: `initialize` and `tools/list`, with what an earlier start has kept and without, and a first call.

Beside them, in the same minutes: an interpreter that does nothing, and a bare low-level server with as many tools.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.figures import Figure
from bench.wire import Server

__all__ = ["run"]

ROUNDS = 9
KEPT_SECONDS = 60.0
GOALS = {"warm list": 130.0, "cold list": 250.0, "warm ping": 300.0, "memory": 65.0}
TEN: tuple[tuple[str, dict[str, object]], ...] = (
    ("core_ping", {}),
    ("project_workspace_stats", {}),
    ("overview", {}),
    ("godot_scene_manager", {"action": "list"}),
    ("godot_project_config_manager", {"action": "project_info.get"}),
    ("project_file_manager", {"action": "write", "path": "a.txt", "content": "x", "overwrite": True}),
    ("project_file_manager", {"action": "read", "path": "a.txt"}),
    ("history", {"action": "list", "limit": 5}),
    ("godot_code_manager", {"action": "script.list"}),
    ("core_ping", {}),
)
Times = dict[str, list[float]]


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        project, home = Path(name) / "project", Path(name) / "home"
        project.mkdir()
        (project / "project.godot").write_text("config_version=5\n")
        wall, busy = _measure(project, home)
        for what in wall:
            yield Figure(what, median(wall[what]), "ms", GOALS.get(what), note=f"from the start; median of {ROUNDS}")
            if what in busy:
                yield Figure(f"{what}, server", median(busy[what]), "ms", clock="processor", note="used until then")
        for what in ("warm list", "cold list"):
            yield Figure(f"{what} / bare list", median(wall[what]) / median(wall["bare list"]), "×")
        note = "resident after initialize, tools/list and ten calls"
        yield Figure("memory", _memory(project, home), "MB", GOALS["memory"], note=note)


def _measure(project: Path, home: Path) -> tuple[Times, Times]:
    ours = [sys.executable, "-m", "scenewright", "serve"]
    bare = [sys.executable, str(Path(__file__).with_name("bare_server.py")), json.dumps(_keep(ours, project, home))]
    wall, busy = defaultdict(list), defaultdict(list)
    steps: dict[str, tuple[list[str], Callable[[], Path], Callable[[Server], object]]] = {
        "warm list": (ours, lambda: home, _list),
        "new project list": (ours, lambda: home, _list),
        "cold list": (ours, lambda: Path(tempfile.mkdtemp(dir=home.parent)), _list),
        "warm ping": (ours, lambda: home, lambda server: server.call("core_ping")),
        "cold ping": (ours, lambda: Path(tempfile.mkdtemp(dir=home.parent)), lambda server: server.call("core_ping")),
        "bare list": (bare, lambda: home, _list),
        "bare ping": (bare, lambda: home, lambda server: server.call("core_ping")),
    }
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        wall["python"].append((time.perf_counter() - began) * 1000)
        for what, (command, folder, do) in steps.items():
            place = _new_project(project) if what.startswith("new project") else project
            began = time.perf_counter()
            with Server(command, place, SCENEWRIGHT_HOME=str(folder())) as server:
                do(server)
                wall[what].append((time.perf_counter() - began) * 1000)
                busy[what].append(server.busy_seconds * 1000)
    return wall, busy


def _new_project(like: Path) -> Path:
    return shutil.copytree(like, Path(tempfile.mkdtemp(dir=like.parent)) / "game", ignore=lambda *_: [".scenewright"])


def _list(server: Server) -> object:
    return server.request("tools/list", {})


def _keep(command: list[str], project: Path, home: Path) -> list[object]:
    """Start once, until the server has kept its answers; return the tools that it lists."""
    with Server(command, project, SCENEWRIGHT_HOME=str(home)) as server:
        tools: list[object] = server.request("tools/list", {})["result"]["tools"]
        ends = time.monotonic() + KEPT_SECONDS
        while not list(home.glob("start/*.json")) and time.monotonic() < ends:
            time.sleep(0.05)
    return tools


def _memory(project: Path, home: Path) -> float:
    with Server([sys.executable, "-m", "scenewright", "serve"], project, SCENEWRIGHT_HOME=str(home)) as server:
        _list(server)
        for tool, arguments in TEN:
            reply = server.request("tools/call", {"name": tool, "arguments": arguments})
            assert not reply["result"].get("isError"), f"{tool} refused: {reply}"
        return server.resident_bytes / 1e6
