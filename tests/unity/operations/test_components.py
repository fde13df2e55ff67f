"""Components: added, removed, and refused where they cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import MAIN, done, refused

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("path", ["Player", "Enemies/Enemy", "Boss/Sword"])
@pytest.mark.parametrize("component", ["Rigidbody", "PlayerController", "Button"])
async def test_components_come_and_go(path: str, component: str, caller: Caller, project: Path) -> None:
    if (path, component) == ("Player", "PlayerController"):
        component = "EnemyAI"
    query = {"scenePath": MAIN, "hierarchyPath": path}
    before = (await caller.reply("component.list", query)).structured
    added = await done(caller, "scene.component.add", scenePath=MAIN, gameObjectPath=path, componentType=component)
    assert added["componentType"] == component
    now = (await caller.reply("component.list", query)).structured or {}
    assert [row["type"] for row in now["components"]][-1] == component
    await done(caller, "scene.component.remove", scenePath=MAIN, gameObjectPath=path, componentType=component)
    after = (await caller.reply("component.list", query)).structured
    assert [row["type"] for row in (after or {})["components"]] == [row["type"] for row in (before or {})["components"]]


async def test_a_component_of_a_prefab_is_removed_by_an_override(caller: Caller, project: Path) -> None:
    arguments = {"scenePath": MAIN, "gameObjectPath": "Enemies/Grunt", "componentType": "BoxCollider"}
    assert (await done(caller, "scene.component.remove", **arguments))["isOverride"] is True
    assert "has no component" in await refused(caller, "scene.component.remove", **arguments)


@pytest.mark.parametrize(
    ("tool", "component", "says"),
    [
        ("scene.component.add", "Rigidbdy", "'Rigidbody'"),
        ("scene.component.add", "PlayrController", "'PlayerController'"),
        ("scene.component.remove", "Transform", "needs its transform"),
        ("scene.component.remove", "Camera", "It has: Transform, PlayerController, BoxCollider."),
    ],
)
async def test_components_that_cannot_be_are_refused(tool: str, component: str, says: str, caller: Caller) -> None:
    assert says in await refused(caller, tool, scenePath=MAIN, gameObjectPath="Player", componentType=component)


# Settings and mending
