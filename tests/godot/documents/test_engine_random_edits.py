"""Random edits of random scenes: after each, the real engine loads the tree, values and connections that we see."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.godot.documents.described import ask, describe, nodes_of, wires_of
from tests.godot.documents.game import FILES, tree_of
from tests.godot.documents.random_edits import edited, start
from tests.support.gdscript_runner import make_project

from scenewright.godot.documents import paths
from scenewright.godot.documents.scene import Scene
from scenewright.godot.documents.tree import Tree, TreeNode
from scenewright.godot.documents.variant import Array, NodePath, Variant
from scenewright.godot.documents.variant_writer import write_variant

pytestmark = [pytest.mark.godot, pytest.mark.xdist_group("godot-text")]

SEQUENCES = 40
STEPS = 6
ASKED = ("position", "target", "friends", "way")


def test_the_engine_sees_what_we_see_after_every_edit(tmp_path: Path) -> None:
    scenes: dict[str, Scene] = {}
    for seed in range(SEQUENCES):
        dice = Random(seed)
        which = start(dice)
        for step in range(STEPS):
            which = edited(which, dice)
            scenes[f"scene_{seed}_{step}.tscn"] = which
    files = {name: _without_uid(which) for name, which in scenes.items()}
    project = make_project(tmp_path / "project", {**FILES, **files})
    trees = {name: tree_of(which) for name, which in scenes.items()}
    expected = {name: _values(tree) for name, tree in trees.items()}
    replies = describe(project, [ask(f"res://{name}", expected[name]) for name in scenes])
    for name, reply in zip(scenes, replies, strict=True):
        told = (name, scenes[name].document.text)
        assert reply.complaints == [], told
        assert reply.value["nodes"] == nodes_of(trees[name]), told
        assert sorted(tuple(wire[:5]) for wire in reply.value["connections"]) == wires_of(trees[name]), told
        assert reply.value["values"] == expected[name], told


def _without_uid(which: Scene) -> bytes:
    return which.document.remove_attribute(which.document.sections[0], "uid").to_bytes()


def _values(tree: Tree) -> dict[str, dict[str, Any]]:
    found = {
        node.path: {name: _shown(tree, node, name) for name in ASKED if node.find(name) is not None}
        for node in tree.root.walk()
        if node.type == "Node2D"
    }
    return {path: values for path, values in found.items() if values}


def _shown(tree: Tree, node: TreeNode, name: str) -> Any:
    known = node.find(name)
    assert known is not None
    if name in ("position", "way"):
        return write_variant(known.value)
    shown = _held(tree, node, known.value)
    return shown if name == "target" or any(item != "null" for item in shown) else f"Array[Node]([{', '.join(shown)}])"


def _held(tree: Tree, node: TreeNode, value: Variant) -> Any:
    if isinstance(value, Array):
        return [_held(tree, node, item) for item in value.items]
    if not isinstance(value, NodePath):
        return "null"
    target = paths.resolve(node.path, value.text, {})
    return f"-> {target}" if target is not None and tree.find(target) is not None else "null"
