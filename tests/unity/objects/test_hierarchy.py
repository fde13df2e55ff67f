"""Hierarchies: own objects, prefab instances with their changes, nested prefabs and variants, each object once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unity.corpus import PROJECTS, needs_corpus

from scenewright.core.projects.project import Project
from scenewright.core.writes.changeset import Changeset
from scenewright.unity.objects.nodes import ObjectNode, ObjectTree
from scenewright.unity.workspace import Workspace
from scenewright.unity.yaml.source import UnityFile

Open = Callable[[str], ObjectTree]


@pytest.fixture
def opened(project: Path) -> Open:
    return Workspace(Changeset(Project.at(project))).tree


def outline(tree: ObjectTree) -> list[str]:
    return [node.path for node in tree]


def at(tree: ObjectTree, path: str) -> ObjectNode:
    return next(node for node in tree if node.path == path)


def classes(node: ObjectNode) -> list[int]:
    return [part.class_id for part in node.parts]


def test_a_scene_with_all_that_its_prefabs_bring(opened: Open) -> None:
    assert outline(opened("Assets/Scenes/Main.unity")) == [
        "Main Camera",
        "Player",
        "Player/Health: Bar",
        "Enemies",
        "Enemies/Grunt",
        "Enemies/Grunt/Sword",
        "Enemies/Grunt/Sword/Tip",
        "Enemies/Grunt/Hat",
        "Enemies/Enemy",
        "Boss",
        "Boss/Sword",
        "Boss/Sword/Tip",
        "Boss/Aura",
    ]


def test_an_instance_changes_what_its_prefab_says(opened: Open) -> None:
    tree = opened("Assets/Scenes/Main.unity")
    assert not at(tree, "Player/Health: Bar").active
    assert at(tree, "Enemies/Grunt").tag == "Enemy"
    assert at(tree, "Enemies/Grunt").layer == 8
    assert at(tree, "Enemies/Grunt/Sword").layer == 9
    assert not at(tree, "Boss/Sword").active


def test_removed_and_added_components(opened: Open) -> None:
    tree = opened("Assets/Scenes/Main.unity")
    assert classes(at(tree, "Enemies/Grunt")) == [4, 114, 65, 54]
    assert classes(at(tree, "Enemies/Enemy")) == [4, 114]
    assert classes(at(tree, "Boss")) == [4, 114]


def test_a_root_list_decides_the_order(opened: Open) -> None:
    tree = opened("Assets/Scenes/Menu.unity")
    assert outline(tree) == ["Music", "Canvas", "Canvas/Button", "Canvas/Button[1]", "Broken"]


def test_ids_of_nested_objects_are_those_that_the_engine_gives_them(opened: Open) -> None:
    tree = opened("Assets/Prefabs/Enemy.prefab")
    written = {document.file_id for document in tree.file.documents if document.stripped}
    sword = at(tree, "Enemy/Sword")
    assert written == {sword.parts[0].file_id}


SCENE = """\
%YAML 1.1
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  - component: {fileID: 99}
  m_Layer: 0
  m_Name: A
  m_TagString: Untagged
  m_IsActive: 1
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_Children:
  - {fileID: 4}
  m_Father: {fileID: 4}
--- !u!1 &3
GameObject:
  m_IsActive: 0
  m_Name: "B \\u00e9"
  m_Component:
  - 4: {fileID: 4}
--- !u!4 &4
Transform:
  m_Father: {fileID: 2}
  m_Children:
  - {fileID: 2}
  m_GameObject: {fileID: 3}
--- !u!1 &5
GameObject:
  m_Component: []
  m_Name: No transform
--- !u!1 &6
GameObject:
  m_Component:
  - component: {fileID: 7}
  m_Name: Orphan
--- !u!4 &7
Transform:
  m_GameObject: {fileID: 6}
  m_Father: {fileID: 1234}
--- !u!1001 &8
PrefabInstance:
  m_Modification:
    m_TransformParent: {fileID: 77}
    m_Modifications:
    - target: {fileID: 1, guid: ff}
      propertyPath: m_Name
      value: Gone
  m_SourcePrefab: {fileID: 1, guid: ff}
"""


def test_what_nothing_leads_to_is_still_reached_once(project: Path, opened: Open) -> None:
    (project / "Assets/Scenes/Odd.unity").write_text(SCENE)
    tree = opened("Assets/Scenes/Odd.unity")
    assert sorted(outline(tree)) == ["A", "A/B é", "Gone", "No transform", "Orphan"]
    assert len(tree.diagnostics) == 4
    assert classes(at(tree, "A")) == [4, 0]


def test_a_prefab_inside_itself_ends(project: Path, opened: Open) -> None:
    enemy = project / "Assets/Prefabs/Enemy.prefab"
    weapon = project / "Assets/Prefabs/Weapon.prefab"
    inner = (
        "--- !u!1001 &77\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 6210000000000000002}\n"
    )
    source = "  m_SourcePrefab: {fileID: 100100000, guid: f0000000000000000000000000000001, type: 3}\n"
    weapon.write_text(weapon.read_text() + inner + source)
    assert enemy.exists()
    tree = opened("Assets/Prefabs/Enemy.prefab")
    assert [node.opaque for node in tree] == [False, False, False, True]


def _own(file: UnityFile, class_id: int) -> list[int]:
    return sorted(doc.file_id for doc in file.documents if doc.class_id == class_id and not doc.stripped)


@needs_corpus
def test_every_object_of_every_real_scene_is_reached_exactly_once() -> None:
    for project in PROJECTS:
        workspace = Workspace(Changeset(Project.at(project)))
        for path in [*project.rglob("*.unity"), *project.rglob("*.prefab")]:
            tree = workspace.tree(path.relative_to(project).as_posix())
            nodes = list(tree)
            assert len({id(node) for node in nodes}) == len(nodes)
            assert sorted(node.file_id for node in nodes if node.instance is None) == _own(tree.file, 1), path
            brought = {node.instance.file_id for node in nodes if node.instance is not None}
            assert sorted(brought) == _own(tree.file, 1001), path
            assert len({node.path for node in nodes}) == len(nodes)
            assert tree.diagnostics == [], path
