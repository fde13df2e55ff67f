"""The class index: opening the shipped one, searching it, looking properties up."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from bench.figures import Figure

__all__ = ["run"]

GOALS = {"load": 50.0, "search p50": 5.0}
STARTS = 9
ROUNDS = 5
QUERIES = """
    collision layer, move_and_slide, CharacterBody, play animation, jump, gravity scale, Node.add_child, set_text,
    font color, tween property, camera smooth follow, input action pressed, load scene, instantiate, shader parameter,
    random number, quit game, Vector2, lerp, save file, json parse, export range, HTTP request, AnimationPlayer,
    body_entered, KEY_ESCAPE, signal emitted when button pressed, tile map set cell, ui_accept, window size, raycast,
    viewport texture, particles emitting, rotate towards, pathfinding, z index, audio bus volume, node, set
"""
LOOKUPS = (("Label", "text"), ("Sprite2D", "position"), ("Button", "theme_override_colors/font_color"))
LOAD = """
import time
import scenewright.core.runtime
start = time.perf_counter()
from scenewright.godot.classes.library import shipped
shipped().property("Label", "mouse_filter")
print((time.perf_counter() - start) * 1000)
"""


def run() -> Iterator[Figure]:
    from scenewright.godot.classes.docs import Docs
    from scenewright.godot.classes.library import SHIPPED, shipped

    index, docs = shipped(), Docs(shipped())
    about = f"the index of Godot {index.version}, {len(index.class_names)} classes"
    yield Figure("class index", SHIPPED.stat().st_size / 1e6, "MB", note=about)
    searches = [partial(docs.search, query.strip()) for query in QUERIES.split(",")]
    lookups = [partial(index.property, *names) for names in LOOKUPS]
    load = median(float(_output(LOAD)) for _ in range(STARTS))
    first = median(map(_milliseconds, searches))
    again = [_milliseconds(search) for _ in range(ROUNDS) for search in searches]
    lookup = median(_milliseconds(look) for _ in range(200) for look in lookups)
    note = "imports and a first look-up included, in a fresh process"
    yield Figure("load", load, "ms", GOALS["load"], note=note)
    note = f"{len(searches)} queries, each asked for the first time"
    yield Figure("search p50", first, "ms", GOALS["search p50"], note=note)
    yield Figure("search again p50", median(again), "ms")
    yield Figure("search again, slowest", max(again), "ms")
    yield Figure("look-up", lookup * 1000, "µs", note="a property with the default it has in the class asked")


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _output(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
