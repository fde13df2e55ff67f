"""The real engine: a call on a warm worker beside one process per call, and 1,000 scenes loaded on all cores.

The process per call does what the warm worker is asked to do, by a script of its own, as other servers do it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import psutil

from bench.engines import godot
from bench.figures import Figure
from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.runtime import Runtime
from scenewright.godot.engine.binary import Binary

__all__ = ["run"]

SCENES = 1000
NODES = 20
CALLS = 50
GOALS = {"warm": 20.0, "scenes": 20.0, "cores": 0.8}
PROJECT = 'config_version=5\n\n[application]\n\nconfig/name="Bench"\n'
ALONE = """extends SceneTree


func _initialize() -> void:
	var root: Node = (load("res://scene1.tscn") as PackedScene).instantiate()
	print(JSON.stringify({"nodes": root.get_child_count()}))
	root.free()
	quit()
"""
SCRIPT = """class_name Mover
extends Node2D

@export var speed: float = 1.0


func _process(delta: float) -> void:
	position.x += speed * delta
"""


def run() -> Iterator[Figure]:
    binary = godot()
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measured(binary, _generated(Path(folder))))


async def _measured(binary: Binary, project: Path) -> list[Figure]:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    try:
        return [*await _warm(runtime, binary, project), *await _scenes(runtime)]
    finally:
        runtime.close()


async def _warm(runtime: Runtime, binary: Binary, project: Path) -> list[Figure]:
    arguments = {"scenePath": "scene1.tscn"}
    await _call(runtime, "validate_scene", arguments)  # starts the worker
    warm = median([(await _call(runtime, "validate_scene", arguments))[0] for _ in range(CALLS)])
    cold = median([_alone(binary, project) for _ in range(7)])
    return [
        Figure("scene loaded by a warm worker", warm * 1000, "ms", note="through the whole pipeline"),
        Figure("scene loaded by a process of its own", cold * 1000, "ms"),
        Figure("process of its own / warm worker", cold / warm, "×", at_least=GOALS["warm"]),
    ]


async def _scenes(runtime: Runtime) -> list[Figure]:
    own, idle = _processor_seconds(), psutil.cpu_times().idle
    seconds, result = await _call(runtime, "validate_project", {"loadScenes": True, "checkResources": False})
    cores = os.cpu_count() or 1
    busy = 1 - (psutil.cpu_times().idle - idle) / seconds / cores
    share = (_processor_seconds() - own) / seconds / cores
    assert result.errors == 0, result
    note = f"of {NODES} nodes, looked at and loaded"
    return [
        Figure(f"{SCENES:,} scenes", seconds, "s", GOALS["scenes"], note=note),
        Figure("cores busy meanwhile", busy * 100, "%", at_least=GOALS["cores"] * 100, note=f"of {cores}"),
        Figure("cores busy with this", share * 100, "%", note="less is less work or more waiting"),
    ]


async def _call(runtime: Runtime, tool: str, arguments: dict[str, Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    outcome = await runtime.run(Request(tool=tool, arguments=arguments))
    seconds = time.perf_counter() - began
    assert outcome.ok, outcome.summary
    return seconds, outcome.call.output


def _alone(binary: Binary, project: Path) -> float:
    began = time.perf_counter()
    command = [str(binary.path), "--headless", "--path", str(project), "--script", "res://alone.gd"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert b'{"nodes":' in done.stdout
    return time.perf_counter() - began


def _processor_seconds() -> float:
    """Of this process and all engines, those that have ended included."""
    own = psutil.Process()
    times = [own.cpu_times(), *(child.cpu_times() for child in own.children(recursive=True))]
    ended = own.cpu_times()
    return sum(each.user + each.system for each in times) + ended.children_user + ended.children_system


def _generated(folder: Path) -> Path:
    dice = Random(1)
    (folder / "project.godot").write_text(PROJECT)
    (folder / "alone.gd").write_text(ALONE)
    (folder / "mover.gd").write_text(SCRIPT)
    (folder / "part.tscn").write_text('[gd_scene format=3]\n\n[node name="Part" type="Sprite2D"]\n')
    for number in range(1, SCENES + 1):
        (folder / f"scene{number}.tscn").write_text(_scene(number, dice))
    return folder


def _scene(number: int, dice: Random) -> str:
    parts = [
        '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://mover.gd" id="1"]\n'
        '[ext_resource type="PackedScene" path="res://part.tscn" id="2"]\n\n'
        '[sub_resource type="RectangleShape2D" id="3"]\nsize = Vector2(8, 8)\n\n'
        f'[node name="Scene{number}" type="Node2D"]\nscript = ExtResource("1")\nspeed = {number}.0\n'
    ]
    for node in range(NODES):
        kind = dice.choice(("Sprite2D", "Node2D", "Timer", "Label", "Area2D"))
        parts.append(f'\n[node name="N{node}" type="{kind}" parent="."]\n')
    parts.append('\n[node name="Hit" type="CollisionShape2D" parent="."]\nshape = SubResource("3")\n')
    parts.append('\n[node name="Part" parent="." instance=ExtResource("2")]\nposition = Vector2(1, 2)\n')
    return "".join(parts)
