"""Edits without a plan while the editor is open: it and the file stay the same and sound; an undo gives the bytes
back.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from tests.conftest import Caller
from tests.unity.live.pipeline_double import UnityDouble
from tests.unity.operations.changed_copies import MAIN
from tests.unity.operations.test_random_edits import random_change, tree_of
from tests.unity.raw_check import problems_of

pytestmark = pytest.mark.anyio
ROUNDS = int(os.environ.get("UNITY_EDITS") or 12)
SEED = int(os.environ.get("UNITY_EDITS_SEED") or 3)
PREFABS = ["Assets/Prefabs/Enemy.prefab", "Assets/Prefabs/Weapon.prefab"]


async def test_random_edits_of_an_open_scene(caller: Caller, editor: UnityDouble, project: Path) -> None:
    dice = Random(SEED)
    editor.open(MAIN)
    by_commands = 0
    for _ in range(ROUNDS):
        before, nodes = (
            (project / MAIN).read_bytes(),
            [node for node in tree_of(project, MAIN) if node.instance is None],
        )
        tool, arguments = random_change(dice, dice.choice(nodes), dice.choice(nodes), PREFABS)
        scene = editor.scenes[MAIN]
        reopened = len(editor.reopened)
        outcome = await caller.run(tool, {"scenePath": MAIN, **arguments})
        after = (project / MAIN).read_bytes()
        assert editor.scenes[MAIN].text.encode() == after, (tool, arguments)
        assert not editor.scenes[MAIN].unsaved
        assert set(problems_of(after)) <= set(problems_of(before)), (tool, arguments)
        if not outcome.ok:
            assert after == before, (tool, arguments, outcome.fault)
            continue
        by_commands += after != before and editor.scenes[MAIN] is scene and len(editor.reopened) == reopened
        if after != before and dice.random() < 0.4:
            assert (await caller.run("history", {"action": "undo"})).ok
            assert (project / MAIN).read_bytes() == before == editor.scenes[MAIN].text.encode(), (tool, arguments)
    assert by_commands > ROUNDS // 4
