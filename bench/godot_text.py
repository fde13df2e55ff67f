"""Godot text files: indexing and full parsing beside `godot-parser`, and a scene of 50,000 nodes.

The files are a corpus of real projects: SCENEWRIGHT_CORPUS, or `../shared/corpus` beside the checkout. `godot-parser`
has only full parsing and fails on many files; its speed is measured on those it can read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random

import godot_parser

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


def run() -> list[str]:
    """Prints the figures; returns the goals that were missed."""
    return [*_corpus(), *_large_scene()]


def _corpus() -> list[str]:
    root = Path(os.environ.get("SCENEWRIGHT_CORPUS") or Path(__file__).parents[2] / "shared" / "corpus")
    files = [(path.name, path.read_bytes()) for path in sorted(root.rglob("*")) if path.suffix in KINDS]
    if not files:
        print(f"no corpus at {root}: set SCENEWRIGHT_CORPUS to a folder of Godot projects")
        return []
    before = [_fastest(partial(work, files)) for work in (_index, _parse)]
    peer, failed = _peer(files)
    after = [_fastest(partial(work, files)) for work in (_index, _parse)]
    indexing, parsing = map(min, before, after)
    size = sum(len(data) for _, data in files) / 1e6
    print(f"{len(files)} files, {size:.2f} MB; godot-parser {peer:.3f} MB/s and fails on {failed} of them")
    return [
        *_compare("indexing", size / indexing, peer),
        *_compare("full parsing", size / parsing, peer),
    ]


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


def _large_scene() -> list[str]:
    text = "".join(_generated(NODES))
    print(f"a generated scene of {NODES} nodes, {len(text) / 1e6:.1f} MB; from its text each time")
    return [
        *_limit("hierarchy", _fastest(lambda: _hierarchy(Scene.parse(text)), 5)),
        *_limit("expanded", _fastest(lambda: expand(Scene.parse(text), _nothing), 3)),
        *_limit("add a node", _fastest(lambda: _with_a_node(text), 5)),
    ]


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


def _compare(what: str, ours: float, peer: float) -> list[str]:
    ratio, goal = ours / peer, GOALS[what]
    print(f"{what:<12} {ours:8.1f} MB/s = {ratio:.0f}× (≥ {goal:.0f}×)")
    return [] if ratio >= goal else [f"{what}: {ratio:.0f}× is under {goal:.0f}×"]


def _limit(what: str, seconds: float) -> list[str]:
    goal = GOALS[what]
    print(f"{what:<12} {seconds:8.2f} s (≤ {goal} s)")
    return [] if seconds <= goal else [f"{what}: {seconds:.2f} s is over {goal} s"]
