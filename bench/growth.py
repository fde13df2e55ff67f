"""What each call costs as a project grows to 100,000 files, with the exponent: 0 where its size does not matter, 1
where twice the files take twice the time. Takes some minutes, so that it is measured only when it is named.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any

from bench.figures import Figure
from bench.wire import Server

__all__ = ["run"]

SIZES = tuple(int(size) for size in os.environ.get("BENCH_GROWTH_FILES", "1000 10000 100000").split())
LEAST, MOST, ENOUGH_SECONDS = 3, 25, 0.5  # rounds of each call
FOLDER_FILES = 100
_PLAYER = "extends Node2D\n\nsignal hit\n\n@export var speed: float = 3.0\n\n\nfunc move_{0}() -> void:\n\thit.emit()\n"
_SCENE = (
    '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="Script" path="res://{0}.gd" id="1"]\n\n'
    '[node name="Root" type="Node2D"]\nscript = ExtResource("1")\n\n[node name="Child" type="Node2D" parent="."]\n'
)
_FIRST = "part0/file0"
Call = tuple[str, dict[str, Any]]
_CALLS: dict[str, Call | Callable[[int], Call]] = {
    "ping": ("core_ping", {}),
    "stats": ("project_workspace_stats", {}),
    "read a file": ("project_file_manager", {"action": "read", "path": f"{_FIRST}.gd"}),
    "write a file": lambda number: (
        "project_file_manager",
        {"action": "write", "path": "new.txt", "content": f"{number}", "overwrite": True},
    ),
    "search texts": ("search_files", {"query": "move_17(", "limit": 5, "seconds": 60}),
    "list scenes": ("godot_scene_manager", {"action": "list", "limit": 20}),
    "a scene's tree": ("godot_inspector_manager", {"action": "scene_tree.get", "scenePath": f"{_FIRST}.tscn"}),
    "edit a node": lambda number: (
        "edit_node",
        {"scenePath": f"{_FIRST}.tscn", "nodePath": "Child", "properties": {"position": [number, 2]}},
    ),
    "references": ("find_references", {"scriptPath": f"{_FIRST}.gd", "symbol": "move_0"}),
    "validate": ("validate_project", {"limit": 5, "timeBudget": 60}),
    "history": ("history", {"action": "list", "limit": 5}),
}


def run() -> Iterator[Figure]:
    times = {size: _measure(size) for size in SIZES}
    for what in _CALLS:
        for size in SIZES:
            yield Figure(f"{what}, {size:,} files", times[size][what] * 1000, "ms", note="median")
        yield Figure(f"{what}, exponent", _exponent([(size, times[size][what]) for size in SIZES]), "")


def _exponent(points: list[tuple[int, float]]) -> float:
    """Return the slope of the line through the logarithms."""
    sizes, times = ([math.log(value) for value in values] for values in zip(*points, strict=True))
    middle = fmean(sizes)
    spread = sum((size - middle) ** 2 for size in sizes)
    return sum((size - middle) * time for size, time in zip(sizes, times, strict=True)) / spread


def _measure(size: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="scenewright-growth-") as name:
        project = Path(name) / "game"
        _fill(project, size)
        settings = {"SCENEWRIGHT_HOME": f"{name}/home", "GODOT_PATH": "", "SCENEWRIGHT_ACTION_TIMEOUT": "300"}
        command = [sys.executable, "-m", "scenewright", "serve", "--project", str(project)]
        with Server(command, project, **settings) as server:
            return {what: _timed(server, call) for what, call in _CALLS.items()}


def _fill(project: Path, size: int) -> None:
    for number in range(size // 2):
        name = f"part{number // FOLDER_FILES}/file{number}"
        if number % FOLDER_FILES == 0:
            (project / name).parent.mkdir(parents=True)
        (project / f"{name}.gd").write_text(_PLAYER.format(number), encoding="utf-8")
        (project / f"{name}.tscn").write_text(_SCENE.format(name), encoding="utf-8")
    (project / "project.godot").write_text("config_version=5\n", encoding="utf-8")


def _timed(server: Server, call: Call | Callable[[int], Call]) -> float:
    seconds: list[float] = []
    while len(seconds) < LEAST or (len(seconds) < MOST and sum(seconds) < ENOUGH_SECONDS):
        number = len(seconds)
        tool, arguments = call(number) if callable(call) else call
        began = perf_counter()
        reply = server.request("tools/call", {"name": tool, "arguments": arguments})
        seconds.append(perf_counter() - began)
        assert not reply["result"].get("isError"), reply
    return median(seconds)
