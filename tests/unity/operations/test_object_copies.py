"""Duplicates, instances of prefabs and models, and prefabs made of objects."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import BOSS, ENEMY, MAIN, changed, done, files_of, paths, refused, tree_of
from tests.unity.raw_check import problems_of

from scenewright.unity.objects.overrides import effective_data

pytestmark = pytest.mark.anyio

CRATE = "Assets/Prefabs/Crate.prefab"


async def test_a_copy_has_ids_of_its_own_and_refers_to_its_own_parts(caller: Caller, project: Path) -> None:
    source = project / "Assets/Scripts/PlayerController.cs"
    source.write_text(source.read_text().replace("public float speed", "public BoxCollider own; public float speed"))
    at = {"scenePath": MAIN, "gameObjectPath": "Player", "componentType": "PlayerController"}
    own = {"gameObject": "Player", "component": "BoxCollider"}
    await done(caller, "scene.property.set", **at, propertyPath="own", value=own)
    before = (project / MAIN).read_bytes()
    made = await done(caller, "scene.object.duplicate", scenePath=MAIN, gameObjectPath="Player")
    assert made["gameObjectPath"] == "Player (1)"
    assert {"Player (1)", "Player (1)/Health: Bar"} <= set(paths(project, MAIN))
    after = (project / MAIN).read_bytes()
    added, removed, other = changed(before, after)
    assert (len(added), removed, other) == (6, [], [])
    assert problems_of(after) == []
    tree = tree_of(project, MAIN)
    (copy,) = (node for node in tree if node.path == "Player (1)")
    fields = effective_data(copy.parts[1])
    assert int(fields["own"]["fileID"]) == copy.parts[2].file_id
    assert fields["target"] == {"fileID": "100"}  # the camera, which was not copied


async def test_a_copy_has_no_reference_that_leads_nowhere(caller: Caller, project: Path) -> None:
    text = (project / MAIN).read_text()
    (project / MAIN).write_text(text.replace("  target: {fileID: 100}\n", "  target: {fileID: 99}\n"))
    before = problems_of((project / MAIN).read_bytes())
    assert before
    await done(caller, "scene.object.duplicate", scenePath=MAIN, gameObjectPath="Player")
    assert problems_of((project / MAIN).read_bytes()) == before


async def test_a_copy_of_an_instance_has_its_changes(caller: Caller, project: Path) -> None:
    made = await done(caller, "scene.object.duplicate", scenePath=MAIN, gameObjectPath="Enemies/Grunt", newName="Twin")
    assert made["gameObjectPath"] == "Enemies/Twin"
    tree = tree_of(project, MAIN)
    grunt, twin = (next(node for node in tree if node.path == f"Enemies/{name}") for name in ("Grunt", "Twin"))
    assert [part.class_id for part in twin.parts] == [part.class_id for part in grunt.parts]
    assert [node.name for node in twin.walk()][1:] == [node.name for node in grunt.walk()][1:]
    assert effective_data(twin.parts[1])["speed"] == effective_data(grunt.parts[1])["speed"]
    assert problems_of((project / MAIN).read_bytes()) == []
    assert "comes from a prefab instance" in await refused(
        caller, "scene.object.duplicate", scenePath=MAIN, gameObjectPath="Enemies/Grunt/Sword"
    )


async def test_a_copy_inside_a_prefab_keeps_the_ids_of_its_instances_in_step(caller: Caller, project: Path) -> None:
    await done(
        caller, "asset.prefab.instantiate", scenePath=BOSS, assetPath="Assets/Prefabs/Weapon.prefab", parentPath="Boss"
    )
    made = await done(caller, "scene.object.duplicate", scenePath=BOSS, gameObjectPath="Boss/Weapon")
    assert made["gameObjectPath"] == "Boss/Weapon (1)"
    assert problems_of((project / BOSS).read_bytes()) == []
    assert not tree_of(project, BOSS).diagnostics
    assert "one root" in await refused(caller, "scene.object.duplicate", scenePath=BOSS, gameObjectPath="Boss")


async def test_an_instance_is_where_it_was_asked_for(caller: Caller, project: Path) -> None:
    at = {"scenePath": MAIN, "assetPath": ENEMY, "parentPath": "Enemies"}
    made = await done(caller, "asset.prefab.instantiate", **at, position=[2, 0, 1.5], rotation=[0, 90, 0])
    assert made["gameObjectPath"] == "Enemies/Enemy (1)"
    (node,) = (node for node in tree_of(project, MAIN) if node.path == "Enemies/Enemy (1)")
    assert effective_data(node.parts[0])["m_LocalPosition"] == {"x": "2", "y": "0", "z": "1.5"}
    assert effective_data(node.parts[0])["m_LocalRotation"]["y"] == "0.7071068"
    assert problems_of((project / MAIN).read_bytes()) == []
    text = (project / MAIN).read_text()
    assert "  m_SourcePrefab: {fileID: 100100000, guid: f0000000000000000000000000000001, type: 3}\n" in text
    assert "inside itself" in await refused(
        caller,
        "asset.prefab.instantiate",
        scenePath="Assets/Prefabs/Weapon.prefab",
        assetPath=ENEMY,
        parentPath="Weapon",
    )


@pytest.mark.parametrize(
    ("version", "has"),
    [
        ("2021.3.2f1", "    m_RemovedComponents: []\n  m_SourcePrefab:"),
        ("6000.0.20f1", "    serializedVersion: 3\n    m_TransformParent: {fileID: 0}\n"),
    ],
)
async def test_an_instance_has_the_lines_of_its_version(version: str, has: str, caller: Caller, project: Path) -> None:
    (project / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
    await done(caller, "asset.create", assetPath="Assets/New.unity", empty=True)
    await done(caller, "asset.prefab.instantiate", scenePath="Assets/New.unity", assetPath=ENEMY)
    text = (project / "Assets/New.unity").read_text()
    assert has in text
    assert problems_of(text.encode()) == []


async def test_a_model_is_put_into_a_scene_by_the_ids_of_its_importer(caller: Caller, project: Path) -> None:
    model = project / "Assets/Tree.fbx"
    model.write_bytes(b"Kaydara FBX Binary")
    meta = f"fileFormatVersion: 2\nguid: {'ab' * 16}\nModelImporter:\n  meshes:\n    fileIdsGeneration: 2\n"
    (project / "Assets/Tree.fbx.meta").write_text(meta)
    made = await done(caller, "asset.prefab.instantiate", scenePath=MAIN, assetPath="Assets/Tree.fbx")
    assert made["gameObjectPath"] == "Tree"
    assert "target: {fileID: -8679921383154817045" in (project / MAIN).read_text()
    await done(caller, "scene.transform.set", scenePath=MAIN, gameObjectPath="Tree", position=[1, 0, 0])
    (project / "Assets/Tree.fbx.meta").write_text(meta.replace("fileIdsGeneration: 2", "fileIdsGeneration: 1"))
    arguments = {"scenePath": MAIN, "assetPath": "Assets/Tree.fbx"}
    assert "is not known" in await refused(caller, "asset.prefab.instantiate", **arguments)


async def test_an_object_becomes_an_instance_of_its_prefab(caller: Caller, project: Path) -> None:
    camera = {"scenePath": MAIN, "gameObjectPath": "Main Camera", "componentType": "Camera"}
    source = project / "Assets/Scripts/EnemyAI.cs"
    source.write_text(source.read_text().replace("public float", "public BoxCollider prey;\n        public float", 1))
    await done(
        caller,
        "scene.property.set",
        scenePath=MAIN,
        gameObjectPath="Enemies/Grunt",
        componentType="EnemyAI",
        propertyPath="prey",
        value={"gameObject": "Player", "component": "BoxCollider"},
    )
    made = await done(caller, "asset.prefab.create", scenePath=MAIN, gameObjectPath="Player", assetPath=CRATE)
    assert made["gameObjectPath"] == "Player"
    tree = tree_of(project, MAIN)
    (player,) = (node for node in tree if node.path == "Player")
    assert tree.roots.index(player) == 1
    assert [part.class_id for part in player.parts] == [4, 114, 65]
    fields = effective_data(player.parts[1])
    assert fields["target"] == {"fileID": "100"}  # of the scene: an override
    assert tree_of(project, CRATE).file.by_id
    prefab = tree_of(project, CRATE)
    assert effective_data(prefab.roots[0].parts[1])["target"] == {"fileID": "0"}
    assert effective_data(prefab.roots[0].parts[1])["title"] == fields["title"]
    # What the enemy refers to has the id that it had.
    assert b"--- !u!65 &203 stripped\n" in (project / MAIN).read_bytes()
    for path in (MAIN, CRATE):
        assert problems_of((project / path).read_bytes()) == []
    found = await done(caller, "project.references.missing", pathPattern="Main.unity", status="missing")
    assert (found["missingScripts"], found["brokenReferences"]) == ([], [])
    assert (await done(caller, "scene.components.list", **camera))["components"]


async def test_an_instance_makes_a_variant(caller: Caller, project: Path) -> None:
    made = await done(caller, "asset.prefab.create", scenePath=MAIN, gameObjectPath="Enemies/Grunt", assetPath=CRATE)
    assert made["variant"] is True
    described = await done(caller, "asset.prefab.describe", assetPath=CRATE)
    assert described["variantOf"] == ENEMY
    (grunt,) = (node for node in tree_of(project, MAIN) if node.path == "Enemies/Grunt")
    assert effective_data(grunt.parts[1])["speed"] == "4.25"
    assert [child.name for child in grunt.children] == ["Sword", "Hat"]
    for path in (MAIN, CRATE):
        assert problems_of((project / path).read_bytes()) == []


async def test_what_a_prefab_refers_to_in_a_new_one_inside_it_is_found_there(caller: Caller, project: Path) -> None:
    source = project / "Assets/Scripts/EnemyAI.cs"
    source.write_text(source.read_text().replace("public float", "public Transform hand;\n        public float", 1))
    await done(caller, "scene.object.add", scenePath=ENEMY, name="Hand", parentPath="Enemy")
    at = {"scenePath": ENEMY, "gameObjectPath": "Enemy", "componentType": "EnemyAI"}
    await done(caller, "scene.property.set", **at, propertyPath="hand", value={"gameObject": "Enemy/Hand"})
    await done(caller, "asset.prefab.create", scenePath=ENEMY, gameObjectPath="Enemy/Hand", assetPath=CRATE)
    assert problems_of((project / ENEMY).read_bytes()) == []
    tree = tree_of(project, ENEMY)
    (hand,) = (node for node in tree if node.path == "Enemy/Hand")
    assert effective_data(tree.roots[0].parts[1])["hand"] == {"fileID": str(hand.parts[0].file_id)}
    assert hand.prefab


async def test_a_root_that_is_an_instance_leaves_no_stand_in_behind(caller: Caller, project: Path) -> None:
    await done(caller, "asset.prefab.instantiate", scenePath=MAIN, assetPath=ENEMY)
    await done(caller, "asset.prefab.create", scenePath=MAIN, gameObjectPath="Enemy", assetPath=CRATE)
    assert problems_of((project / MAIN).read_bytes()) == []


async def test_a_prefab_of_what_holds_instances_keeps_them(caller: Caller, project: Path) -> None:
    names = [path for path in paths(project, MAIN) if path.startswith("Enemies")]
    await done(caller, "asset.prefab.create", scenePath=MAIN, gameObjectPath="Enemies", assetPath=CRATE)
    assert [path for path in paths(project, MAIN) if path.startswith("Enemies")] == names
    assert paths(project, CRATE) == names
    before = files_of(project)
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player", "assetPath": CRATE}
    assert "already" in await refused(caller, "asset.prefab.create", **arguments)
    assert files_of(project) == before
