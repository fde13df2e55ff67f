"""Godot text files: indexing and full parsing beside `godot-parser`, and a scene of 50,000 nodes.

The files are a corpus of real projects: SCENEWRIGHT_CORPUS, or `../shared/corpus` beside the checkout. `godot-parser`
has only full parsing and fails on many files; its speed is measured on those it can read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import godot_parser

from bench.figures import Figure, Unmeasured
from scenewright.godot.documents.document import Document
from scenewright.godot.documents.nodes import NewNode, add_node
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import expand

__all__ = ["run"]

KINDS = {".tscn", ".tres", ".godot", ".import", ".cfg"}
NODES = 50_000
ROUNDS = 15
GOALS = {"indexing": 200.0, "full parsing": 100.0, "hierarchy": 1.0, "expanded": 1.5, "add a node": 1.5}
Files = list[tuple[str, bytes]]


def run() -> Iterator[Figure]:
    yield from _large_scene()
    yield from _corpus()


def _corpus() -> Iterator[Figure]:
    root = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[2] / "shared" / "corpus")
    files = [(path.name, path.read_bytes()) for path in sorted(root.rglob("*")) if path.suffix in KINDS]
    if not files:
        raise Unmeasured("there is no corpus: set SCENEWRIGHT_CORPUS to a folder of Godot projects")
    before = [_fastest(partial(work, files)) for work in (_index, _parse)]
    peer, failed = _peer(files)
    after = [_fastest(partial(work, files)) for work in (_index, _parse)]
    indexing, parsing = map(min, before, after)
    size = sum(len(data) for _, data in files) / 1e6
    note = f"{len(files)} files of real projects, {size:.2f} MB; it fails on {failed} of them"
    yield Figure("godot-parser", peer, "MB/s", clock="processor", note=note)
    for what, seconds in (("indexing", indexing), ("full parsing", parsing)):
        yield Figure(what, size / seconds, "MB/s", clock="processor")
        yield Figure(f"{what} / godot-parser", size / seconds / peer, "×", at_least=GOALS[what])


def _index(files: Files) -> None:
    """Every section and every property found, no value read."""
    for name, data in files:
        for section in Document.parse(data, name).sections:
            _ = section.properties


def _parse(files: Files) -> None:
    """Every attribute and every value read."""
    for name, data in files:
        for section in Document.parse(data, name).sections:
            section.header()
            section.values()


def _peer(files: Files) -> tuple[float, int]:
    """Its speed on what it can read, and how many files it cannot."""
    size, seconds, failed = 0, 0.0, 0
    for _, data in files:
        text = data.decode()
        try:
            seconds += _fastest(partial(godot_parser.parse, text), 2)
        except Exception:  # noqa: BLE001 - it raises whatever its grammar does
            failed += 1
        else:
            size += len(data)
    return size / 1e6 / seconds, failed


def _large_scene() -> Iterator[Figure]:
    text = "".join(_generated(NODES))
    works: dict[str, Callable[[], object]] = {
        "hierarchy": lambda: _hierarchy(Scene.parse(text)),
        "expanded": lambda: expand(Scene.parse(text), _nothing),
        "add a node": lambda: _with_a_node(text),
    }
    note = f"a generated scene of {NODES:,} nodes, {len(text) / 1e6:.1f} MB, from its text"
    for what, work in works.items():
        yield Figure(what, _fastest(work, 5), "s", GOALS[what], clock="processor", note=note)


def _hierarchy(scene: Scene) -> dict[str, list[str]]:
    """The children of every node."""
    children: dict[str, list[str]] = {node.path: [] for node in scene.nodes}
    for node in scene.nodes[1:]:
        children[node.parent or "."].append(node.name)
    return children


def _with_a_node(text: str) -> bytes:
    scene = Scene.parse(text)
    return add_node(scene, NewNode("New", "Node2D"), scene.nodes[NODES // 2].path).document.to_bytes()


def _generated(count: int) -> Iterable[str]:
    dice, branch = Random(1), ["."]
    yield '[gd_scene format=3]\n\n[node name="Root" type="Node2D" unique_id=1]\n'
    for number in range(2, count + 1):
        while len(branch) > 1 and dice.random() < 0.4:
            branch.pop()
        parent, name = branch[-1], f"Node{number}"
        yield f'\n[node name="{name}" type="Sprite2D" parent="{parent}" unique_id={number}]\n'
        yield f"position = Vector2({number}, {number / 4})\nz_index = {number % 7}\n"
        if len(branch) < 7:
            branch.append(name if parent == "." else f"{parent}/{name}")


def _nothing(path: str) -> Document:
    raise FileNotFoundError(path)


def _fastest(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor seconds of the best round."""
    best = 1e9
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best
