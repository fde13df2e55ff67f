"""What 100,000 calls leave behind in a server's memory. Takes some minutes, so that it is measured only when named."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.figures import Figure
from bench.wire import Server

__all__ = ["run"]

CALLS = int(os.environ.get("BENCH_ENDURANCE_CALLS", "100000"))
WARM = CALLS // 50
GOAL = 10.0  # MB that calls may add once the server is warm
_READ = ("project_file_manager", {"action": "read", "path": "a.txt"})
_SEARCH = ("meta_tool_manager", {"action": "tool_search", "query": "light"})
_TREE = ("godot_inspector_manager", {"action": "scene_tree.get", "scenePath": "main.tscn"})
_REFUSED = ("project_file_manager", {"action": "read", "path": "missing.txt"})
_SCENE = '[gd_scene format=3]\n\n[node name="Root" type="Node2D"]\n\n[node name="Child" type="Node2D" parent="."]\n'


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        project = Path(name) / "game"
        project.mkdir()
        (project / "project.godot").write_text("config_version=5\n", encoding="utf-8")
        (project / "a.txt").write_text("a\n", encoding="utf-8")
        (project / "main.tscn").write_text(_SCENE, encoding="utf-8")
        command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project)]
        with Server(command, project, SCENEWRIGHT_HOME=f"{name}/home", GODOT_PATH="") as server:
            _call(server, range(WARM))
            before = server.resident_bytes / 1e6
            yield Figure(f"after {WARM:,} calls", before, "MB")
            began = perf_counter()
            _call(server, range(WARM, CALLS))
            yield Figure("calls, one after the other", (CALLS - WARM) / (perf_counter() - began), "calls/s")
            after = server.resident_bytes / 1e6
            yield Figure(f"after {CALLS:,} calls", after, "MB")
            yield Figure("added by the calls", after - before, "MB", at_most=GOAL)


def _call(server: Server, numbers: range) -> None:
    for number in numbers:
        tool, arguments = _kind(number)
        server.request("tools/call", {"name": tool, "arguments": arguments})


def _kind(number: int) -> tuple[str, dict[str, Any]]:
    """Mostly reads; a write in a hundred, and some that are refused."""
    if number % 100 == 0:
        content = f"{number}\n"
        return "project_file_manager", {"action": "write", "path": "b.txt", "content": content, "overwrite": True}
    return {0: _READ, 1: _TREE, 2: _SEARCH, 3: _REFUSED}.get(number % 10, ("core_ping", {}))
