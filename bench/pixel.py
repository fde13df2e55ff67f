"""Pixel art: sixty-four frames of ten layers put together, a sheet of 256 frames, a world of 256 x 256 cells."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import anyio

from bench.figures import Figure
from scenewright.app import make_runtime
from scenewright.core.calls.call import Request
from scenewright.core.config import Config
from scenewright.pixel.aseprite_reader import read_sprite
from scenewright.pixel.aseprite_writer import pack_pixels, write_sprite
from scenewright.pixel.previews import png
from scenewright.pixel.rendering import Renderer
from scenewright.pixel.sheets import SheetStyle, make_sheet
from scenewright.pixel.sprite import Cel, Layer, Sprite

__all__ = ["run"]

SIDE, LAYERS = 64, 10
ROUNDS = 5
GOALS = {"64 frames of ten layers": 0.3, "a sheet of 256 frames": 1.0, "a world of 256 x 256": 2.0}


def run() -> Iterator[Figure]:
    few, many = write_sprite(_sprite(64)), write_sprite(_sprite(256))
    works: dict[str, Callable[[], object]] = {
        "64 frames of ten layers": partial(_frames, few),
        "a sheet of 256 frames": partial(_sheet, many),
        "a world of 256 x 256": _world,
    }
    for name, work in works.items():
        seconds = min(_timed(work) for _ in range(ROUNDS))
        yield Figure(name, seconds, "s", GOALS[name], clock="processor", note=f"best of {ROUNDS}")


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _sprite(frames: int) -> Sprite:
    """Layers of pixels that are mostly transparent, no two frames alike, some of them blended."""
    chance = Random(1)
    layers = [Layer(f"Layer {at}", blend="multiply" if at == 9 else "normal") for at in range(LAYERS)]
    cels = []
    for _ in range(frames):
        row = {}
        for at in range(LAYERS):
            pixels = bytearray(SIDE * SIDE * 4)
            for _ in range(200):
                place = chance.randrange(SIDE * SIDE) * 4
                pixels[place : place + 4] = bytes((*chance.randbytes(3), 255))
            row[at] = Cel(0, 0, SIDE, SIDE, pack_pixels(bytes(pixels)))
        cels.append(row)
    return Sprite(SIDE, SIDE, durations=[100] * frames, layers=layers, cels=cels)


def _frames(content: bytes) -> None:
    renderer = Renderer(sprite := read_sprite(content))
    for frame in range(len(sprite.durations)):
        renderer.frame(frame)


def _sheet(content: bytes) -> None:
    renderer = Renderer(sprite := read_sprite(content), [0])
    frames = (renderer.frame(frame) for frame in range(len(sprite.durations)))
    png(make_sheet(frames, SheetStyle("rows", 16)).picture)


def _world() -> None:
    """The whole call, from arguments to files on the disk."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "project.godot").write_text("config_version=5\n")
        runtime = make_runtime(Config(project=folder, rate_limit=None))
        size = {"width": 256, "height": 256}
        rules = {"riverCarve": True, "noiseFrequency": 0.02}
        spec = {"scenePath": "w.tscn", "mapSize": size, "placementRules": rules}
        outcome = anyio.run(runtime.run, Request(tool="pixel_world_generate", arguments={"spec": spec, "seed": 7}))
        assert outcome.ok, outcome.summary
        runtime.close()
