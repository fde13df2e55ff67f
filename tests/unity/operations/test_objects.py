"""Objects of scenes and prefabs: added, removed, moved, edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import BOSS, ENEMY, MAIN, MENU, changed, done, paths, refused, tree_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "parent", [None, "Player", "Enemies/Grunt/Hat", "Enemies/Grunt", "Boss/Sword", "Enemies/Enemy"]
)
async def test_objects_are_added_anywhere_and_taken_away_again(
    parent: str | None, caller: Caller, project: Path
) -> None:
    before, outline = (project / MAIN).read_bytes(), paths(project, MAIN)
    arguments = {"scenePath": MAIN, "name": "New: é", "layer": "Enemies", "tag": "Pickup", "active": False}
    result = await done(caller, "scene.object.add", **arguments, **({"parentPath": parent} if parent else {}))
    path = f"{parent}/New: é" if parent else "New: é"
    assert result["gameObjectPath"] == path
    node = next(node for node in tree_of(project, MAIN) if node.path == path)
    assert (node.tag, node.layer, node.active) == ("Pickup", 8, False)
    assert sorted(paths(project, MAIN)) == sorted([*outline, path])
    assert changed(before, (project / MAIN).read_bytes())[1] == []
    await done(caller, "scene.object.remove", scenePath=MAIN, gameObjectPath=path)
    assert paths(project, MAIN) == outline
    assert (await caller.reply("project.references.missing", {"scope": "scenes"})).structured == (
        await _missing(caller, project, before)
    )


async def _missing(caller: Caller, project: Path, original: bytes) -> Any:
    (project / MAIN).write_bytes(original)
    return (await caller.reply("project.references.missing", {"scope": "scenes"})).structured


async def test_a_root_list_gets_the_new_root(caller: Caller, project: Path) -> None:
    await done(caller, "scene.object.add", scenePath=MENU, name="Last", components=["AudioListener", "Image"])
    assert paths(project, MENU)[-1] == "Last"
    found = await caller.reply("component.list", {"scenePath": MENU, "hierarchyPath": "Last"})
    assert [row["type"] for row in (found.structured or {})["components"]] == [
        "RectTransform",
        "AudioListener",
        "CanvasRenderer",
        "Image",
    ]
    await done(caller, "scene.object.add", scenePath=MENU, name="Label", parentPath="Canvas")
    found = await caller.reply("component.list", {"scenePath": MENU, "hierarchyPath": "Canvas/Label"})
    assert [row["type"] for row in (found.structured or {})["components"]] == ["RectTransform"]


async def test_removing_an_object_empties_references_to_it(caller: Caller, project: Path) -> None:
    before = (project / MAIN).read_bytes()
    result = await done(caller, "scene.object.remove", scenePath=MAIN, gameObjectPath="Main Camera")
    assert result["clearedReferences"] == 1
    added, removed, touched = changed(before, (project / MAIN).read_bytes())
    assert (added, removed, touched) == ([], [100, 101, 102, 103], [202])
    assert b"target: {fileID: 0}" in (project / MAIN).read_bytes()


async def test_removing_an_instance_takes_all_that_hangs_on_it(caller: Caller, project: Path) -> None:
    before = (project / MAIN).read_bytes()
    await done(caller, "scene.object.remove", scenePath=MAIN, gameObjectPath="Enemies/Grunt")
    added, removed, touched = changed(before, (project / MAIN).read_bytes())
    assert (added, removed, touched) == ([], [400, 401, 402, 410, 411, 420], [301])
    assert "Enemies/Grunt" not in paths(project, MAIN)


async def test_removing_a_part_of_an_instance_is_an_override(caller: Caller, project: Path) -> None:
    result = await done(caller, "scene.object.remove", scenePath=MAIN, gameObjectPath="Boss/Sword")
    assert result["isOverride"] is True
    assert "Boss/Sword" not in paths(project, MAIN)
    assert "Boss/Sword" in paths(project, BOSS)


async def test_what_was_added_to_a_part_goes_with_it(caller: Caller, project: Path) -> None:
    where = {"scenePath": MAIN, "gameObjectPath": "Enemies/Grunt/Sword/Tip"}
    await done(caller, "scene.object.add", scenePath=MAIN, name="Gem", parentPath="Enemies/Grunt/Sword/Tip")
    await done(caller, "scene.component.add", **where, componentType="Light")
    await done(caller, "scene.object.remove", scenePath=MAIN, gameObjectPath="Enemies/Grunt/Sword")
    tree = tree_of(project, MAIN)
    assert [node.path for node in tree if "Gem" in node.path or "Sword" in node.path] == [
        "Boss/Sword",
        "Boss/Sword/Tip",
    ]
    assert tree.diagnostics == []
    assert b"Light:" not in (project / MAIN).read_bytes()


@pytest.mark.parametrize(
    ("path", "parent", "index", "expected"),
    [
        ("Player/Health: Bar", None, None, "Health: Bar"),
        ("Player/Health: Bar", "Enemies", 0, "Enemies/Health: Bar"),
        ("Enemies/Grunt", "Player", 0, "Player/Grunt"),
        ("Enemies/Grunt", None, None, "Grunt"),
        ("Boss", "Enemies", None, "Enemies/Boss"),
        ("Player", "Enemies/Grunt", None, "Enemies/Grunt/Player"),
        ("Player", "Boss/Sword", None, "Boss/Sword/Player"),
        ("Enemies/Enemy", "Enemies", 0, "Enemies/Enemy"),
    ],
)
async def test_objects_and_instances_move(
    path: str, parent: str | None, index: int | None, expected: str, caller: Caller, project: Path
) -> None:
    count = len(paths(project, MAIN))
    where = {"newParentPath": parent} if parent else {}
    place = {"index": index} if index is not None else {}
    result = await done(caller, "scene.object.reparent", scenePath=MAIN, gameObjectPath=path, **where, **place)
    assert result["gameObjectPath"] == expected
    tree = tree_of(project, MAIN)
    assert expected in [node.path for node in tree]
    assert len(list(tree)) == count
    assert tree.diagnostics == []
    if index == 0:
        above = next(node for node in tree if node.path == parent)
        assert above.children[0].path == expected


@pytest.mark.parametrize(
    ("path", "parent", "says"),
    [
        ("Player", "Player/Health: Bar", "is below"),
        ("Boss/Sword", "Player", "set by a prefab"),
        ("Player", "Nowhere", "no GameObject"),
    ],
)
async def test_a_move_that_makes_no_tree_is_refused(path: str, parent: str, says: str, caller: Caller) -> None:
    assert says in await refused(
        caller, "scene.object.reparent", scenePath=MAIN, gameObjectPath=path, newParentPath=parent
    )


async def test_a_new_root_comes_last_where_roots_have_numbers(caller: Caller, project: Path) -> None:
    await done(caller, "scene.object.add", scenePath=MAIN, name="Last")
    await done(caller, "scene.object.reparent", scenePath=MAIN, gameObjectPath="Main Camera", newParentPath="Player")
    await done(caller, "scene.object.reparent", scenePath=MAIN, gameObjectPath="Player/Main Camera")
    roots = [node.name for node in tree_of(project, MAIN).roots]
    assert roots == ["Player", "Enemies", "Boss", "Last", "Main Camera"]
    assert "m_RootOrder" in await refused(
        caller, "scene.object.reparent", scenePath=MAIN, gameObjectPath="Enemies/Grunt", index=0
    )


async def test_a_prefab_keeps_its_one_root(caller: Caller) -> None:
    assert "one root" in await refused(caller, "scene.object.add", scenePath=ENEMY, name="X")
    assert "needs its root" in await refused(caller, "scene.object.remove", scenePath=ENEMY, gameObjectPath="Enemy")
    await done(caller, "scene.object.add", scenePath=ENEMY, name="X", parentPath="Enemy/Sword/Tip")


@pytest.mark.parametrize("arguments", [{"tag": "Nope"}, {"layer": "Nope"}, {}])
async def test_an_edit_with_what_the_project_does_not_have_is_refused(
    arguments: dict[str, Any], caller: Caller
) -> None:
    assert "E_SCHEMA_VALIDATION" in await refused(
        caller, "scene.object.edit", scenePath=MAIN, gameObjectPath="Player", **arguments
    )


# Components
