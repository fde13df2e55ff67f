"""Edits without a plan: each leaves a sound hierarchy, or is refused and leaves the bytes; undoing gives them back."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.conftest import Caller

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.objects.nodes import ObjectNode, ObjectTree
from scenewright.unity.workspace import Workspace

pytestmark = pytest.mark.anyio

FILES = [
    "Assets/Scenes/Main.unity",
    "Assets/Scenes/Menu.unity",
    "Assets/Prefabs/Enemy.prefab",
    "Assets/Prefabs/Boss.prefab",
]
NAMES = ["New", "é: x", "- a", "[b]", "it's", " #", '"q"', "a/b", "{x}", "two\nlines"]
ROUNDS = 30


def _change(dice: Random, node: ObjectNode, other: ObjectNode) -> tuple[str, dict[str, Any]]:
    path, name = node.path, dice.choice(NAMES)
    parent = {"newParentPath": other.path} if dice.random() < 0.8 else {}
    changes: list[tuple[str, dict[str, Any]]] = [
        ("scene.object.add", {"name": name, "parentPath": other.path}),
        ("scene.object.rename", {"gameObjectPath": path, "newName": name}),
        ("scene.object.reparent", {"gameObjectPath": path, **parent}),
        ("scene.object.remove", {"gameObjectPath": path}),
        ("scene.component.add", {"gameObjectPath": path, "componentType": "Light", "properties": {"new": [name]}}),
        ("scene.component.remove", {"gameObjectPath": path, "componentType": "BoxCollider"}),
        ("scene.transform.set", {"gameObjectPath": path, "position": [dice.random(), 2, 3]}),
        ("scene.object.edit", {"gameObjectPath": path, "active": dice.random() < 0.5, "layer": "UI"}),
    ]
    return dice.choice(changes)


def _tree(project: Path, path: str) -> ObjectTree:
    return Workspace(Changeset(Project.at(project))).tree(path)


@pytest.mark.parametrize("seed", [1, 2])
async def test_random_edits(seed: int, caller: Caller, project: Path) -> None:
    dice = Random(seed)
    made = 0
    for _ in range(ROUNDS):
        file = dice.choice(FILES)
        before, tree = (project / file).read_bytes(), _tree(project, file)
        nodes = list(tree)
        node, other = dice.choice(nodes), dice.choice(nodes)
        tool, arguments = _change(dice, node, other)
        outcome = await caller.run(tool, {"scenePath": file, **arguments})
        after = (project / file).read_bytes()
        if not outcome.ok:
            assert type(outcome.fault).__name__ in ("Invalid", "NotFound", "Unsupported"), (tool, arguments)
            assert after == before
            continue
        made += 1
        more = {"scene.object.add": 1, "scene.object.remove": -len(list(node.walk()))}.get(tool, 0)
        now = _tree(project, file)
        assert len(list(now)) == len(nodes) + more, (tool, arguments)
        assert len(now.diagnostics) == len(tree.diagnostics), (tool, arguments)
        if after != before and dice.random() < 0.5:
            assert (await caller.run("history", {"action": "undo"})).ok
            assert (project / file).read_bytes() == before
    assert made > ROUNDS // 3
