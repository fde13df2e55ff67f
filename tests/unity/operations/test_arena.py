"""The task that agents are tried on, done with the tools alone: no `.meta` is written by hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from evals.checks import check_task
from evals.task import all_tasks
from evals.trial import start_files
from tests.conftest import Caller
from tests.unity.operations.changed_copies import ENEMY, MAIN, MENU, done
from tests.unity.raw_check import problems_of

pytestmark = pytest.mark.anyio

SCRIPT = """using UnityEngine;

public class Spawner : MonoBehaviour
{
    public float interval = 1f;
    public GameObject enemy;
}
"""
RED, SETTINGS = "Assets/Materials/Red.mat", "Assets/Data/Settings.asset"


async def test_every_sentence_of_the_arena_holds(caller: Caller, project: Path) -> None:
    (task,) = (task for task in all_tasks() if task.name == "unity_arena")
    shutil.rmtree(project)
    project.mkdir()
    start_files(task, project)
    body = {"m_Mass": 2, "m_Constraints": "FreezeRotation", "m_UseGravity": True}
    player = {"scenePath": MAIN, "gameObjectPath": "Player"}
    await done(caller, "scene.component.add", **player, componentType="Rigidbody", properties=body)
    hazards = [{"name": "Hazards", "number": 10}]
    await done(caller, "project.tags-layers.edit", addTags=["Hazard"], layers=hazards)
    await done(caller, "scene.object.add", scenePath=MAIN, name="Spawner", tag="Hazard", layer="Hazards")
    spawner = {"scenePath": MAIN, "gameObjectPath": "Spawner"}
    await done(caller, "scene.transform.set", **spawner, position=[0, 0, 12])
    box = {"m_IsTrigger": True, "m_Size": [6, 3, 6]}
    await done(caller, "scene.component.add", **spawner, componentType="BoxCollider", properties=box)
    assert not (await caller.reply("write_file", {"path": "Assets/Scripts/Spawner.cs", "content": SCRIPT})).failed
    fields = {"interval": 1.5, "enemy": ENEMY}
    await done(caller, "scene.component.add", **spawner, componentType="Spawner", properties=fields)
    speed = {"componentType": "EnemyAI", "propertyPath": "speed"}
    await done(caller, "scene.property.set", scenePath=ENEMY, gameObjectPath="Enemy", **speed, value=4.5)
    grunt = {"assetPath": MAIN, "gameObjectPath": "Enemies/Grunt"}
    await done(caller, "asset.prefab.override.set", **grunt, **speed, value=6)
    orange = {"_Color": [1, 0.5, 0, 1], "_Glossiness": 0.8}
    await done(caller, "asset.object.set", assetPath=RED, properties=orange)
    settings = {"difficulty": 3, "levels": ["Main", "Menu", "Arena"]}
    await done(caller, "asset.object.set", assetPath=SETTINGS, properties=settings)
    await done(caller, "project.build-scenes.set", scenes=[{"path": MAIN}, {"path": MENU}])
    assert [verdict.line() for verdict in check_task(task, project) if not verdict.holds] == []
    assert problems_of((project / MAIN).read_bytes()) == []
