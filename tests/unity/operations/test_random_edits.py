"""Edits without a plan: each leaves a sound hierarchy, or is refused and leaves the bytes; undoing gives them back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.corpus import PROJECTS, needs_corpus
from tests.unity.raw_check import problems_of, unordered_fields

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.class_types.versions import Version
from scenewright.unity.editing.object_types import ObjectTypes
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
ROUNDS = int(os.environ.get("UNITY_EDITS") or 16)  # as many as asked for, on request
SEEDS = [int(os.environ.get("UNITY_EDITS_SEED") or 1), 2][: 1 if "UNITY_EDITS" in os.environ else 2]
MOST_BYTES, MOST_OBJECTS = 300_000, 300
KINDS = ["Empty", "Cube", "PointLight", "Button", "Slider", "Canvas"]


def random_change(dice: Random, node: ObjectNode, other: ObjectNode, prefabs: list[str]) -> tuple[str, dict[str, Any]]:
    path, name = node.path, dice.choice(NAMES)
    parent = {"newParentPath": other.path} if dice.random() < 0.8 else {}
    made = f"Assets/Made {dice.randrange(10**9)}.prefab"
    changes: list[tuple[str, dict[str, Any]]] = [
        ("scene.object.add", {"name": name, "parentPath": other.path}),
        ("scene.object.add", {"kind": dice.choice(KINDS), "parentPath": other.path}),
        ("scene.object.duplicate", {"gameObjectPath": path}),
        ("asset.prefab.instantiate", {"assetPath": dice.choice(prefabs), "parentPath": other.path}),
        ("asset.prefab.create", {"gameObjectPath": path, "assetPath": made}),
        ("scene.object.rename", {"gameObjectPath": path, "newName": name}),
        ("scene.object.reparent", {"gameObjectPath": path, **parent}),
        ("scene.object.remove", {"gameObjectPath": path}),
        (
            "scene.component.add",
            {"gameObjectPath": path, "componentType": "Light", "properties": {"m_Color": [1, 0.5, 0]}},
        ),
        ("scene.component.remove", {"gameObjectPath": path, "componentType": "BoxCollider"}),
        ("scene.transform.set", {"gameObjectPath": path, "position": [dice.random(), 2, 3]}),
        ("scene.object.edit", {"gameObjectPath": path, "active": dice.random() < 0.5, "layer": "UI"}),
    ]
    return dice.choice(changes)


def tree_of(project: Path, path: str) -> ObjectTree:
    return Workspace(Changeset(Project.at(project))).tree(path)


@pytest.mark.parametrize("seed", SEEDS)
async def test_random_edits(seed: int, caller: Caller, project: Path) -> None:
    assert await _edit_at_random(Random(seed), FILES, caller, project) > ROUNDS // 3


@needs_corpus
@pytest.mark.parametrize("seed", SEEDS[:1])
async def test_random_edits_of_a_real_project(seed: int, caller: Caller, project: Path) -> None:
    shutil.rmtree(project)
    shutil.copytree(PROJECTS[0], project)
    for path in project.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    texts = [path for path in sorted(project.rglob("*.*")) if path.suffix in (".unity", ".prefab")]
    small = [path.relative_to(project).as_posix() for path in texts if 0 < path.stat().st_size < MOST_BYTES]
    assert await _edit_at_random(Random(seed), small, caller, project) > ROUNDS // 3


async def _edit_at_random(dice: Random, files: list[str], caller: Caller, project: Path) -> int:
    """Make changes, each of which must leave a sound file; return how many were made."""
    made, prefabs = 0, [file for file in files if file.endswith(".prefab")]
    originals = {file: (project / file).read_bytes() for file in files}
    for _ in range(ROUNDS):
        file = dice.choice(files)
        before, tree = (project / file).read_bytes(), tree_of(project, file)
        nodes = list(tree)
        if not 0 < len(nodes) <= MOST_OBJECTS:  # duplicates of duplicates, or all removed: begin anew
            (project / file).write_bytes(originals[file])
            continue
        node, other = dice.choice(nodes), dice.choice(nodes)
        tool, arguments = random_change(dice, node, other, prefabs)
        outcome = await caller.run(tool, {"scenePath": file, **arguments})
        after = (project / file).read_bytes()
        if not outcome.ok:
            assert type(outcome.fault).__name__ in ("Invalid", "NotFound", "Unsupported", "Conflict"), (tool, arguments)
            assert after == before
            continue
        made += 1
        assert set(problems_of(after)) <= set(problems_of(before)), (tool, file, arguments)
        if tool != "scene.object.duplicate":  # whose copies have the fields of what was copied
            assert unordered_fields(before, after, _version(project, file)) == [], (tool, file, arguments)
        now = tree_of(project, file)
        more = _more_objects(tool, arguments, node, project)
        assert more is None or len(list(now)) == len(nodes) + more, (tool, file, arguments)
        copies = 2 if tool == "scene.object.duplicate" else 1  # of what a prefab that changed has lost
        assert len(now.diagnostics) <= copies * len(tree.diagnostics), (tool, file, arguments)
        if "assetPath" in arguments and tool == "asset.prefab.create":
            assert problems_of((project / arguments["assetPath"]).read_bytes()) == [], (tool, file, arguments)
        if after != before and dice.random() < 0.5:
            assert (await caller.run("history", {"action": "undo"})).ok
            assert (project / file).read_bytes() == before
    return made


def _more_objects(tool: str, arguments: dict[str, Any], node: ObjectNode, project: Path) -> int | None:
    """Return how many objects there are more; None where the kind says it."""
    if tool == "scene.object.add":
        return 1 if arguments.get("kind", "Empty") == "Empty" else None
    if tool == "asset.prefab.instantiate":
        return len(list(tree_of(project, arguments["assetPath"])))
    return {"scene.object.remove": -1, "scene.object.duplicate": 1}.get(tool, 0) * len(list(node.walk()))


def _version(project: Path, file: str) -> Version:
    workspace = Workspace(Changeset(Project.at(project)))
    return ObjectTypes(workspace, workspace.file(file)).version
