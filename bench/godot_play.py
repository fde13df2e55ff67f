"""Games that are played in lock step: a step beside a probe, a digest beside a picture, frames beside a bare engine."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from bench.engines import godot
from bench.figures import Figure
from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.core.operations.model import to_wire
from scenewright.core.runtime import Runtime

__all__ = ["run"]

BODIES = 40
CALLS = 40
LONG = 6000
# times a probe for each step, milliseconds, times a digest for a picture's bytes, share of the bare engine's frames
GOALS = {"step": 50.0, "digest": 30.0, "bytes": 30.0, "rate": 0.8}
BARE = """extends SceneTree

var _frames: int = -60
var _begun: int = 0


func _initialize() -> void:
	OS.low_processor_usage_mode = false
	root.add_child((load("res://level.tscn") as PackedScene).instantiate())


func _process(_delta: float) -> bool:
	_frames += 1
	if _frames == 0:
		_begun = Time.get_ticks_usec()
	if _frames == {frames}:
		print("took ", Time.get_ticks_usec() - _begun)
	return _frames == {frames}
"""
SCRIPT = """extends CharacterBody2D


func _physics_process(delta: float) -> void:
	velocity += get_gravity() * delta
	move_and_slide()
"""
SHAPE = '\n[node name="Shape{at}" type="CollisionShape2D" parent="Body{at}"]\nshape = SubResource("1")\n'


def run() -> Iterator[Figure]:
    godot()
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measured(_generated(Path(folder))))


def _generated(project: Path) -> Path:
    (project / "project.godot").write_text('config_version=5\n\n[application]\n\nconfig/name="Bench"\n')
    (project / "body.gd").write_text(SCRIPT)
    nodes = "".join(
        f'\n[node name="Body{at}" type="CharacterBody2D" parent="."]\nposition = Vector2({at * 30}, 0)\n'
        f'script = ExtResource("1")\n{SHAPE.format(at=at)}'
        for at in range(BODIES)
    )
    (project / "level.tscn").write_text(
        '[gd_scene format=3]\n\n[ext_resource type="Script" path="res://body.gd" id="1"]\n\n'
        f'[sub_resource type="RectangleShape2D" id="1"]\n\n[node name="Level" type="Node2D"]\n{nodes}'
    )
    return project


async def _measured(project: Path) -> list[Figure]:
    runtime = make_runtime(Config(project=project, rate_limit=None))
    try:
        begun = time.perf_counter()
        await _call(runtime, "play_begin", scenePath="level.tscn")
        begin = time.perf_counter() - begun
        took = {frames: await _median(runtime, "play_step", frames=frames) for frames in (1, 10, 60)}
        digested = await _median(runtime, "play_step", frames=60, digest=True)
        probed = await _median(runtime, "probe_scene", 5, scenePath="level.tscn", steps=1, include=[])
        rates = [(await _rate(runtime), _bare_rate(project)) for _ in range(5)]
        share = await _share_of_picture()
    finally:
        runtime.close()
    ours, bare = (max(each[side] for each in rates) for side in (0, 1))
    return [
        Figure("begin", begin * 1000, "ms"),
        *(
            Figure(f"step of {frames}", seconds * 1000, "ms", note=f"median of {CALLS}")
            for frames, seconds in took.items()
        ),
        Figure("60 frames with a digest", digested * 1000, "ms", GOALS["digest"]),
        Figure("probe of one step", probed * 1000, "ms"),
        Figure("probe / step", probed / took[1], "×", at_least=GOALS["step"]),
        Figure("one long step", ours, "frames/s"),
        Figure("bare engine", bare, "frames/s"),
        Figure("long step / bare engine", ours / bare, "×", at_least=GOALS["rate"]),
        Figure("picture / digest", 1 / share, "×", at_least=GOALS["bytes"], note="in bytes"),
    ]


async def _rate(runtime: Runtime) -> float:
    """Frames a second of a long step."""
    started = time.perf_counter()
    await _call(runtime, "play_step", frames=LONG)
    return LONG / (time.perf_counter() - started)


def _bare_rate(project: Path) -> float:
    """Frames a second of the same scene in an engine that nobody asks anything."""
    (project / "bare.gd").write_text(BARE.replace("{frames}", str(LONG)))
    command = [os.environ["GODOT_PATH"], "--headless", "--fixed-fps", "60", "--audio-driver", "Dummy"]
    command += ["--path", str(project), "--script", "res://bare.gd"]
    said = subprocess.run(["nice", "-n", "5", *command], capture_output=True, text=True, check=True).stdout
    return LONG / (int(said.partition("took ")[2].split()[0]) / 1_000_000)


async def _share_of_picture() -> float:
    """The bytes of a digest of the demo's game, as a model gets them, in those of a picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "game"
        command = [sys.executable, "-m", "scenewright", "demo", "--keep", str(game)]
        subprocess.run(command, capture_output=True, check=True)
        demo = make_runtime(Config(project=game, rate_limit=None))
        try:
            await _call(demo, "play_begin", screen=True)
            await _call(demo, "play_step", frames=60)
            digest = len(msgspec.json.encode(await _call(demo, "play_digest")))
            outcome = await demo.run(Request(tool="play_picture", arguments={}))
            return digest / (len(outcome.call.attachments[0].data) * 4 / 3)  # as base64, which is how it is sent
        finally:
            demo.close()


async def _median(runtime: Runtime, tool: str, calls: int = CALLS, **arguments: Any) -> float:
    times = []
    for _ in range(calls):
        started = time.perf_counter()
        await _call(runtime, tool, **arguments)
        times.append(time.perf_counter() - started)
    return median(times)


async def _call(runtime: Runtime, tool: str, **arguments: Any) -> Any:
    outcome = await runtime.run(Request(tool=tool, arguments=arguments))
    assert outcome.ok, outcome.fault
    return to_wire(outcome.call.output)
