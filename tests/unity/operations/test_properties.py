"""Values of properties: in the shape that the file has, as overrides of instances, and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import MAIN, changed, done, files_of, refused

pytestmark = pytest.mark.anyio


async def test_a_property_changes_nothing_but_its_own_bytes(caller: Caller, project: Path) -> None:
    before = (project / MAIN).read_bytes()
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "PlayerController"}
    await done(caller, "scene.property.set", **arguments, propertyPath="inventory[1].count", value=13)
    assert (project / MAIN).read_bytes() == before.replace(b"count: 12", b"count: 13")


VALUES: list[tuple[str, str, Any, Any]] = [
    ("PlayerController", "title", "Zoë: the 1st", "Zoë: the 1st"),
    ("PlayerController", "skin", None, None),
    (
        "PlayerController",
        "skin",
        "Assets/Materials/Unused.mat",
        {"fileId": "2100000", "guid": "a7000000000000000000000000000002", "path": "Assets/Materials/Unused.mat"},
    ),
    ("PlayerController", "target", {"gameObject": "Main Camera"}, {"fileId": "102"}),
    ("PlayerController", "target", {"gameObject": "Main Camera", "component": "Camera"}, {"fileId": "102"}),
    ("PlayerController", "empty", ["a", "b: c"], ["a", "b: c"]),
    ("PlayerController", "inventory", [{"name": "axe", "count": 2}], [{"name": "axe", "count": 2}]),
    ("PlayerController", "inventory[2]", {"name": "bow", "count": 1}, {"name": "bow", "count": 1}),
    ("BoxCollider", "m_Size", [3, 2.5, 1], {"x": 3, "y": 2.5, "z": 1}),
    ("BoxCollider", "m_Size", {"y": 9}, {"x": 1, "y": 9, "z": 1}),
    ("BoxCollider", "m_Size.z", -1, -1),
    ("BoxCollider", "m_IsTrigger", True, 1),
]


@pytest.mark.parametrize(("component", "path", "value", "shown"), VALUES, ids=[f"{row[1]}={row[2]}" for row in VALUES])
async def test_values_arrive_in_the_shape_of_the_property(
    component: str, path: str, value: Any, shown: Any, caller: Caller, project: Path
) -> None:
    before = (project / MAIN).read_bytes()
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": component}
    result = await done(caller, "scene.property.set", **arguments, propertyPath=path, value=value)
    assert (result["property"], result.get("value")) == (path, shown)
    added, removed, touched = changed(before, (project / MAIN).read_bytes())
    assert (added, removed, len(touched)) == ([], [], 1)


@pytest.mark.parametrize(
    ("component", "path", "value", "says"),
    [
        ("BoxCollider", "m_Size", "large", "takes 3 numbers"),
        ("BoxCollider", "m_Size", [1, 2], "takes 3 numbers"),
        ("BoxCollider", "m_Size", {"w": 1}, "has no 'w'"),
        ("BoxCollider", "m_IsTrigger", "perhaps", "true or false"),
        ("BoxCollider", "m_Siez", [1, 2, 3], "'m_Size'"),
        ("PlayerController", "inventory", "sword", "array"),
        ("PlayerController", "inventory[5]", {"name": "x", "count": 1}, "the next one is [2]"),
        ("PlayerController", "skin", 5, "takes a reference"),
        ("PlayerController", "skin", "Assets/No.mat", "no asset"),
        ("PlayerController", "target", {"gameObject": "Nobody"}, "no GameObject"),
        ("PlayerController", "target", {"fileId": "77777"}, "no object with the file id"),
        ("Camera", "m_Enabled", 1, "PlayerController"),
    ],
)
async def test_what_does_not_fit_is_refused_and_nothing_is_written(
    component: str, path: str, value: Any, says: str, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": component}
    text = await refused(caller, "scene.property.set", **arguments, propertyPath=path, value=value)
    assert says in text
    assert files_of(project) == before


async def test_a_field_that_the_script_declares_is_added_in_its_place(caller: Caller, project: Path) -> None:
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "PlayerController"}
    await refused(caller, "scene.property.set", **arguments, propertyPath="armor", value=3, create=True)
    source = project / "Assets/Scripts/PlayerController.cs"
    source.write_text(source.read_text().replace("public Camera", "public int armor;\n    public Camera"))
    result = await done(caller, "scene.property.set", **arguments, propertyPath="armor", value=3)
    assert (result["value"], "previous" in result) == (3, False)
    assert b"\n  armor: 3\n  target:" in (project / MAIN).read_bytes()


# Prefab instances


async def test_a_property_of_an_instance_becomes_an_override(caller: Caller, project: Path) -> None:
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Enemies/Grunt", "componentType": "EnemyAI"}
    result = await done(caller, "scene.property.set", **arguments, propertyPath="speed", value=1.5)
    assert result["isOverride"] is True
    assert result["value"] == 1.5
    after = files_of(project)
    assert [path for path in before if before[path] != after[path]] == [MAIN]
    assert after[MAIN] == before[MAIN].replace(b"value: 4.25", b"value: 1.5")
    await done(caller, "scene.property.set", **arguments, propertyPath="waypoints", value=[[1, 2, 3]])
    listed = await caller.reply("asset.prefab.overrides.list", {"assetPath": MAIN, "gameObjectPath": "Enemies/Grunt"})
    rows = {row["property"]: row["value"] for row in (listed.structured or {})["overrides"] if "property" in row}
    assert rows["waypoints.Array.size"] == 1
    assert rows["waypoints.Array.data[0].x"] == 1


async def test_nested_objects_take_overrides_too(caller: Caller, project: Path) -> None:
    result = await done(caller, "scene.transform.set", scenePath=MAIN, gameObjectPath="Boss/Sword/Tip", scale=[2, 2, 2])
    assert result["isOverride"] is True
    assert result["properties"]["m_LocalScale"] == {"x": 2, "y": 2, "z": 2}
    assert "fileId" not in result


async def test_reverting_brings_the_prefabs_value_back(caller: Caller, project: Path) -> None:
    arguments = {"assetPath": MAIN, "gameObjectPath": "Enemies/Grunt"}
    result = await done(caller, "asset.prefab.override.revert", **arguments, wholeInstance=True)
    assert result == {
        "path": MAIN,
        "gameObjectPath": "Enemies/Enemy",
        "instanceFileId": "400",
        "overrides": 0,
        "reverted": 6,
    }
    assert b"m_Modifications: []" in (project / MAIN).read_bytes()
    assert "not part of a prefab instance" in await refused(
        caller, "asset.prefab.override.revert", assetPath=MAIN, gameObjectPath="Player"
    )
    assert "nothing to override" in await refused(
        caller, "asset.prefab.override.set", assetPath=MAIN, gameObjectPath="Player", propertyPath="m_Name", value="x"
    )


# Objects
