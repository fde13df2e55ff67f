"""Changes: only what was asked for, read back, undone to the byte; refused where they do not fit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.unity.corpus import PROJECTS, needs_corpus

from scenewright.core.changes import Changeset
from scenewright.core.operation import Example, Operation
from scenewright.core.project import Project
from scenewright.unity.catalogue import CATALOGUE
from scenewright.unity.objects.nodes import Tree
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio

MAIN, MENU = "Assets/Scenes/Main.unity", "Assets/Scenes/Menu.unity"
ENEMY, BOSS = "Assets/Prefabs/Enemy.prefab", "Assets/Prefabs/Boss.prefab"
WRITES = [op for op in CATALOGUE.operations if op.writes]


async def done(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert not reply.failed, reply.text
    assert reply.structured is not None
    result: dict[str, Any] = reply.structured["result"]
    return result


async def refused(caller: Caller, tool: str, **arguments: Any) -> str:
    reply = await caller.reply(tool, arguments)
    assert reply.is_error, reply.text
    return reply.text or ""


def files_of(project: Path) -> dict[str, bytes]:
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and ".scenewright" not in path.parts
    }


def tree_of(project: Path, path: str) -> Tree:
    return Workspace(Changeset(Project.at(project))).tree(path)


def paths(project: Path, path: str) -> list[str]:
    return [node.path for node in tree_of(project, path)]


def changed(before: bytes, after: bytes) -> tuple[list[int], list[int], list[int]]:
    """The ids of documents that are added, removed and changed; all others have the same bytes."""
    old, new = UnityFile(before), UnityFile(after)
    both = old.by_id.keys() & new.by_id.keys()
    return (
        sorted(new.by_id.keys() - old.by_id.keys()),
        sorted(old.by_id.keys() - new.by_id.keys()),
        sorted(number for number in both if _bytes(old, number) != _bytes(new, number)),
    )


def _bytes(file: UnityFile, number: int) -> bytes:
    document = file.by_id[number]
    return file.data[document.start : document.end]


EXAMPLES = [pytest.param(op, op.examples[0], id=op.id) for op in WRITES if op.id != "project.references.fix"]


@pytest.mark.parametrize(("op", "example"), EXAMPLES)
async def test_every_change_can_be_tried_made_and_undone_to_the_byte(
    op: Operation, example: Example, caller: Caller, project: Path
) -> None:
    before = files_of(project)
    tried = await caller.reply(op.id, example.input, meta={"dryRun": True})
    assert not tried.failed, tried.text
    assert files_of(project) == before
    made = await caller.reply(op.id, example.input)
    after = files_of(project)
    assert [path for path in before if before[path] != after[path]] != []
    assert (tried.structured or {})["result"] == (made.structured or {})["result"]
    assert not (await caller.reply("history", {"action": "undo"})).failed
    assert files_of(project) == before


async def test_a_property_changes_nothing_but_its_own_bytes(caller: Caller, project: Path) -> None:
    before = (project / MAIN).read_bytes()
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "PlayerController"}
    await done(caller, "scene.property.set", **arguments, propertyPath="inventory[1].count", value=13)
    assert (project / MAIN).read_bytes() == before.replace(b"count: 12", b"count: 13")


VALUES: list[tuple[str, str, Any, Any]] = [
    ("PlayerController", "title", "Zoë: the 1st", "Zoë: the 1st"),
    ("PlayerController", "skin", None, None),
    ("PlayerController", "skin", "Assets/Materials/Unused.mat",
     {"fileId": "2100000", "guid": "a7000000000000000000000000000002", "path": "Assets/Materials/Unused.mat"}),
    ("PlayerController", "target", {"gameObject": "Enemies"}, {"fileId": "300"}),
    ("PlayerController", "target", {"gameObject": "Main Camera", "component": "Camera"}, {"fileId": "102"}),
    ("PlayerController", "empty", ["a", "b: c"], ["a", "b: c"]),
    ("PlayerController", "inventory", [{"name": "axe", "count": 2}], [{"name": "axe", "count": 2}]),
    ("PlayerController", "inventory[2]", {"name": "bow", "count": 1}, {"name": "bow", "count": 1}),
    ("BoxCollider", "m_Size", [3, 2.5, 1], {"x": 3, "y": 2.5, "z": 1}),
    ("BoxCollider", "m_Size", {"y": 9}, {"x": 1, "y": 9, "z": 1}),
    ("BoxCollider", "m_Size.z", -1, -1),
    ("BoxCollider", "m_IsTrigger", True, 1),
]  # fmt: skip


@pytest.mark.parametrize(("component", "path", "value", "shown"), VALUES, ids=[f"{row[1]}={row[2]}" for row in VALUES])
async def test_values_arrive_in_the_shape_of_the_property(
    component: str, path: str, value: Any, shown: Any, caller: Caller, project: Path
) -> None:
    before = (project / MAIN).read_bytes()
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": component}
    result = await done(caller, "scene.property.set", **arguments, propertyPath=path, value=value)
    assert result["properties"] == {path: shown}
    added, removed, touched = changed(before, (project / MAIN).read_bytes())
    assert (added, removed, len(touched)) == ([], [], 1)


@pytest.mark.parametrize(
    ("component", "path", "value", "says"),
    [
        ("BoxCollider", "m_Size", "large", "vector3"),
        ("BoxCollider", "m_Size", [1, 2], "vector3"),
        ("BoxCollider", "m_Size", {"w": 1}, "has no 'w'"),
        ("BoxCollider", "m_IsTrigger", "perhaps", "integer"),
        ("BoxCollider", "m_Siez", [1, 2, 3], "'m_Size'"),
        ("PlayerController", "inventory", "sword", "array"),
        ("PlayerController", "inventory[5]", {"name": "x", "count": 1}, "the next one is [2]"),
        ("PlayerController", "skin", 5, "not a reference"),
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


async def test_a_field_that_is_not_written_yet_is_added_on_request(caller: Caller, project: Path) -> None:
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "PlayerController"}
    await refused(caller, "scene.property.set", **arguments, propertyPath="armor", value=3)
    result = await done(caller, "scene.property.set", **arguments, propertyPath="armor", value=3, create=True)
    assert result["properties"] == {"armor": 3}


# Prefab instances


async def test_a_property_of_an_instance_becomes_an_override(caller: Caller, project: Path) -> None:
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Enemies/Grunt", "componentType": "EnemyAI"}
    result = await done(caller, "scene.property.set", **arguments, propertyPath="speed", value=1.5)
    assert result["isOverride"] is True
    assert result["properties"] == {"speed": 1.5}
    after = files_of(project)
    assert [path for path in before if before[path] != after[path]] == [MAIN]
    assert after[MAIN] == before[MAIN].replace(b"value: 4.25", b"value: 1.5")
    await done(caller, "scene.property.set", **arguments, propertyPath="waypoints", value=[[1, 2, 3]])
    listed = await caller.reply("asset.prefab.overrides.list", {"assetPath": MAIN, "gameObjectPath": "Enemies/Grunt"})
    rows = {
        row["propertyPath"]: row["value"] for row in (listed.structured or {})["overrides"] if "propertyPath" in row
    }
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
    assert result == {"path": MAIN, "gameObjectPath": "Enemies/Enemy", "instanceFileId": "400", "overrides": 0,
                      "reverted": 6}  # fmt: skip
    assert b"m_Modifications: []" in (project / MAIN).read_bytes()
    assert "not part of a prefab instance" in await refused(
        caller, "asset.prefab.override.revert", assetPath=MAIN, gameObjectPath="Player"
    )
    assert "nothing to override" in await refused(
        caller, "asset.prefab.override.set", assetPath=MAIN, gameObjectPath="Player", propertyPath="m_Name", value="x"
    )


# Objects


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
    assert [row["type"] for row in (found.structured or {})["components"]] == ["Transform", "AudioListener", "Image"]
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
        ("Boss/Sword", "Player", "in a prefab"),
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
    assert "without its root" in await refused(caller, "scene.object.remove", scenePath=ENEMY, gameObjectPath="Enemy")
    await done(caller, "scene.object.add", scenePath=ENEMY, name="X", parentPath="Enemy/Sword/Tip")


@pytest.mark.parametrize("arguments", [{"tag": "Nope"}, {"layer": "Nope"}, {}])
async def test_an_edit_with_what_the_project_does_not_have_is_refused(
    arguments: dict[str, Any], caller: Caller
) -> None:
    assert "E_SCHEMA_VALIDATION" in await refused(
        caller, "scene.object.edit", scenePath=MAIN, gameObjectPath="Player", **arguments
    )


# Components


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
        ("scene.component.remove", "Transform", "without its transform"),
        ("scene.component.remove", "Camera", "It has: Transform, PlayerController, BoxCollider."),
    ],
)
async def test_components_that_cannot_be_are_refused(tool: str, component: str, says: str, caller: Caller) -> None:
    assert says in await refused(caller, tool, scenePath=MAIN, gameObjectPath="Player", componentType=component)


# Settings and mending


async def test_layers_and_tags_that_cannot_be_are_refused(caller: Caller, project: Path) -> None:
    assert "belongs to the engine" in await refused(
        caller, "project.tags-layers.edit", layers=[{"name": "X", "number": 4}]
    )
    assert "is called 'Enemies' already" in await refused(
        caller, "project.tags-layers.edit", layers=[{"name": "Enemies", "number": 20}]
    )
    assert "no tag 'Nope'" in await refused(caller, "project.tags-layers.edit", removeTags=["Nope"])
    result = await done(
        caller, "project.tags-layers.edit", removeTags=["Enemy", "Pickup"], layers=[{"name": "", "number": 8}]
    )
    assert result["tags"] == []
    assert "8" not in result["layers"]
    assert b"  tags: []\n" in (project / "ProjectSettings/TagManager.asset").read_bytes()


async def test_the_build_takes_scenes_and_nothing_else(caller: Caller) -> None:
    assert "not a scene" in await refused(caller, "project.build-scenes.set", scenes=[{"path": ENEMY}])
    assert "twice" in await refused(caller, "project.build-scenes.set", scenes=[{"path": MAIN}, {"path": MAIN}])
    assert "Main.unity" in await refused(
        caller, "project.build-scenes.set", scenes=[{"path": "Assets/Scenes/Man.unity"}]
    )
    assert (await done(caller, "project.build-scenes.set", scenes=[]))["scenes"] == []


async def test_mending_lists_first_and_writes_on_request(caller: Caller, project: Path) -> None:
    before = files_of(project)
    arguments = {"clearReferences": True, "removeMissingScripts": True, "includeUnresolved": True}
    listed = await done(caller, "project.references.fix", **arguments)
    assert listed["applied"] is False
    assert files_of(project) == before
    assert listed["fixes"] == [
        {"path": MENU, "action": "clear-reference", "count": 2},
        {"path": MENU, "action": "remove-component", "count": 2},
    ]
    assert (await done(caller, "project.references.fix", **arguments, apply=True))["applied"] is True
    found = (await caller.reply("project.references.missing", {})).structured or {}
    assert (found["missingScripts"], found["brokenReferences"]) == ([], [])
    await caller.reply("history", {"action": "undo"})
    assert files_of(project) == before


async def test_another_asset_takes_the_place_of_one_that_is_gone(caller: Caller, project: Path) -> None:
    gone = "dead000000000000000000000000beef"
    result = await done(
        caller, "project.references.fix", replaceGuids={gone: "Assets/Scripts/PlayerController.cs"}, apply=True
    )
    assert result["fixes"] == [{"path": MENU, "action": "replace-guid", "count": 1}]
    found = await caller.reply("component.list", {"scenePath": MENU, "hierarchyPath": "Canvas"})
    assert [row["type"] for row in (found.structured or {})["components"]][-1] == "PlayerController"
    assert "is not a guid" in await refused(caller, "project.references.fix", replaceGuids={"x": MAIN})
    assert "Nothing to do" in await refused(caller, "project.references.fix")


async def test_stale_overrides_are_dropped(caller: Caller, project: Path) -> None:
    prefab = project / ENEMY
    prefab.write_text(prefab.read_text().replace("7310000000000000003", "7310000000000000099"))
    result = await done(caller, "project.references.fix", clearReferences=True, scope="prefabs", apply=True)
    assert result["fixes"] == [{"path": BOSS, "action": "remove-override", "count": 1}]
    assert "7310000000000000003" not in (project / BOSS).read_text()


async def test_what_holds_a_file_together_is_never_cleared(caller: Caller, project: Path) -> None:
    (project / ENEMY).unlink()
    before = files_of(project)
    found = (await caller.reply("project.references.missing", {"scope": "scenes"})).structured or {}
    lost = [row for row in found["brokenReferences"] if row["referenceGuid"] == "f0000000000000000000000000000001"]
    assert {row["status"] for row in lost} == {"missing"}
    result = await done(caller, "project.references.fix", clearReferences=True, apply=True)
    assert result["fixes"] == [{"path": MENU, "action": "clear-reference", "count": 1}]
    assert files_of(project)[MAIN] == before[MAIN]


async def test_a_scriptable_object_keeps_what_is_not_changed(caller: Caller, project: Path) -> None:
    path = "Assets/Data/Settings.asset"
    before = (project / path).read_bytes()
    await done(caller, "asset.object.set", assetPath=path, properties={"difficulty": 5})
    assert (project / path).read_bytes() == before.replace(b"difficulty: 2", b"difficulty: 5")
    red = "Assets/Materials/Red.mat"
    color = {"m_SavedProperties.m_Colors[0]._Color": "#00ff0080"}
    result = await done(caller, "asset.object.set", assetPath=red, properties=color)
    assert result["properties"]["m_SavedProperties.m_Colors[0]._Color"]["g"] == 1
    assert "scene.property.set" in await refused(caller, "asset.object.set", assetPath=MAIN, properties={"a": 1})
    assert "git lfs pull" in await refused(
        caller, "asset.object.set", assetPath="Assets/Baked/Terrain.asset", properties={"a": 1}
    )


async def test_changes_of_one_batch_build_on_each_other(caller: Caller, project: Path) -> None:
    before = files_of(project)
    steps = [
        {"tool": "scene.object.add", "args": {"scenePath": MAIN, "name": "Door", "parentPath": "Player"}},
        {"tool": "scene.component.add", "args": {"scenePath": MAIN, "gameObjectPath": "Player/Door",
                                                 "componentType": "BoxCollider"}},
        {"tool": "scene.object.rename", "args": {"scenePath": MAIN, "gameObjectPath": "Player/Door",
                                                 "newName": "Gate"}},
    ]  # fmt: skip
    reply = await caller.reply("batch_operations", {"operations": steps, "atomic": True})
    assert not reply.failed, reply.text
    assert "Player/Gate" in paths(project, MAIN)
    await caller.reply("history", {"action": "undo"})
    assert files_of(project) == before


async def test_read_only_mode_offers_none_of_this(make_caller: MakeCaller) -> None:
    caller = make_caller(read_only=True)
    for op in WRITES:
        assert "E_PERMISSION_DENIED" in await refused(caller, op.id, **op.examples[0].input)


async def test_line_ends_of_windows_stay(caller: Caller, project: Path) -> None:
    place = project / MAIN
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))
    await done(caller, "scene.object.add", scenePath=MAIN, name="New", parentPath="Player", components=["Light"])
    data = place.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert "Player/New" in paths(project, MAIN)


# Real scenes


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(PROJECTS[0], tmp_path_factory.mktemp("real") / "game"))


@needs_corpus
async def test_every_change_of_a_real_scene_is_local_and_can_be_undone(make_caller: MakeCaller, real: Path) -> None:
    caller = make_caller(project=real)
    largest = max(real.rglob("*.unity"), key=lambda path: path.stat().st_size)
    scene = largest.relative_to(real).as_posix()
    before = largest.read_bytes()
    tree = tree_of(real, scene)
    nodes = list(tree)
    own = [node for node in nodes if node.instance is None and node.children and node.parts]
    instance = next(node for node in nodes if node.instance is not None and node.inner is not None and node.prefab)
    inside = next(node for node in instance.walk() if node is not instance)
    one, other = next(node for node in own[3:] if "/" in node.path), own[-1]
    names = {"scenePath": scene}
    changes: list[tuple[str, dict[str, Any], int, int]] = [
        ("scene.object.rename", {"gameObjectPath": one.path, "newName": "Renamed: é"}, 0, 0),
        ("scene.object.rename", {"gameObjectPath": inside.path, "newName": "Renamed"}, 0, 0),
        ("scene.transform.set", {"gameObjectPath": other.path, "position": [1, 2, 3]}, 0, 0),
        ("scene.transform.set", {"gameObjectPath": instance.path, "position": [1, 2, 3]}, 0, 0),
        ("scene.object.add", {"name": "Added", "parentPath": other.path}, 2, 0),
        ("scene.object.add", {"name": "Added"}, 2, 0),
        ("scene.component.add", {"gameObjectPath": one.path, "componentType": "Light"}, 1, 0),
        ("scene.object.edit", {"gameObjectPath": one.path, "active": False}, 0, 0),
        ("scene.object.reparent", {"gameObjectPath": one.path}, 0, 0),
    ]
    for tool, arguments, more, fewer in changes:
        await done(caller, tool, **names, **arguments)
        after = largest.read_bytes()
        added, removed, touched = changed(before, after)
        assert (len(added), len(removed)) == (more, fewer), tool
        assert len(touched) <= 3, tool
        assert len(list(tree_of(real, scene))) == len(nodes) + (1 if tool == "scene.object.add" else 0), tool
        assert not (await caller.reply("history", {"action": "undo"})).failed
        assert largest.read_bytes() == before, tool


@needs_corpus
async def test_removing_objects_of_a_real_scene_leaves_no_loose_ends(make_caller: MakeCaller, real: Path) -> None:
    caller = make_caller(project=real)
    largest = max(real.rglob("*.unity"), key=lambda path: path.stat().st_size)
    scene = largest.relative_to(real).as_posix()
    before = largest.read_bytes()
    tree = tree_of(real, scene)
    start = len((await caller.reply("project.references.missing", {"scope": "scenes"})).structured["brokenReferences"])  # type: ignore[index]
    for root in tree.roots[:3]:
        await done(caller, "scene.object.remove", scenePath=scene, gameObjectPath=root.path)
        left = tree_of(real, scene)
        assert left.diagnostics == []
        assert len(list(left)) == len(list(tree)) - len(list(root.walk()))
        found = (await caller.reply("project.references.missing", {"scope": "scenes"})).structured or {}
        assert len(found["brokenReferences"]) <= start
        await caller.reply("history", {"action": "undo"})
        assert largest.read_bytes() == before
