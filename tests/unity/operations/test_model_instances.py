"""Instances of models, which no prefab describes: removed and moved without a trace of them staying behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import done, paths
from tests.unity.raw_check import problems_of

from scenewright.unity.objects.facts import read_facts
from scenewright.unity.objects.model_roots import root_of
from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio

SCENE = "Assets/Scenes/Models.unity"
MODEL = "b0" * 16
TEXT = f"""%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1100
GameObject:
  m_ObjectHideFlags: 0
  serializedVersion: 6
  m_Component:
  - component: {{fileID: 1101}}
  m_Layer: 0
  m_Name: Room
  m_TagString: Untagged
  m_IsActive: 1
--- !u!4 &1101
Transform:
  m_ObjectHideFlags: 0
  m_GameObject: {{fileID: 1100}}
  serializedVersion: 2
  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}
  m_Children:
  - {{fileID: 1201}}
  m_Father: {{fileID: 0}}
--- !u!1001 &1200
PrefabInstance:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {{fileID: 1101}}
    m_Modifications:
    - target: {{fileID: -8679921383154817045, guid: {MODEL}, type: 3}}
      propertyPath: m_LocalPosition.x
      value: 0
      objectReference: {{fileID: 0}}
    - target: {{fileID: 919132149155446097, guid: {MODEL}, type: 3}}
      propertyPath: m_Name
      value: Chair
      objectReference: {{fileID: 0}}
    m_RemovedComponents: []
    m_RemovedGameObjects: []
    m_AddedGameObjects: []
    m_AddedComponents: []
  m_SourcePrefab: {{fileID: 100100000, guid: {MODEL}, type: 3}}
--- !u!4 &1201 stripped
Transform:
  m_CorrespondingSourceObject: {{fileID: -8679921383154817045, guid: {MODEL}, type: 3}}
  m_PrefabInstance: {{fileID: 1200}}
  m_PrefabAsset: {{fileID: 0}}
--- !u!1660057539 &9223372036854775807
SceneRoots:
  m_ObjectHideFlags: 0
  m_Roots:
  - {{fileID: 1101}}
"""


@pytest.fixture
def scene(project: Path) -> Path:
    path = project / SCENE
    path.write_text(TEXT)
    return path


async def test_a_removed_model_leaves_no_child_behind(caller: Caller, scene: Path) -> None:
    assert problems_of(scene.read_bytes()) == []
    await done(caller, "scene.object.remove", scenePath=SCENE, gameObjectPath="Room/Chair")
    text = scene.read_text()
    assert "1201" not in text
    assert "1200" not in text
    assert "  m_Children: []\n" in text
    assert problems_of(scene.read_bytes()) == []


async def test_a_model_that_becomes_a_root_is_listed_by_its_instance(caller: Caller, scene: Path) -> None:
    await done(caller, "scene.object.reparent", scenePath=SCENE, gameObjectPath="Room/Chair")
    text = scene.read_text()
    assert text.endswith("  m_Roots:\n  - {fileID: 1101}\n  - {fileID: 1200}\n")
    assert "    m_TransformParent: {fileID: 0}\n" in text
    assert "  m_Children: []\n" in text
    assert problems_of(scene.read_bytes()) == []
    await done(caller, "scene.object.reparent", scenePath=SCENE, gameObjectPath="Chair", newParentPath="Room")
    assert scene.read_text() == TEXT


async def test_a_model_without_a_stand_in_gets_one_where_it_becomes_a_child(caller: Caller, scene: Path) -> None:
    start = TEXT.index("--- !u!4 &1201")
    root = TEXT[:start] + TEXT[TEXT.index("--- !u!1660057539") :]
    root = root.replace("  m_Children:\n  - {fileID: 1201}\n", "  m_Children: []\n")
    root = root.replace("m_TransformParent: {fileID: 1101}", "m_TransformParent: {fileID: 0}")
    scene.write_text(root + "  - {fileID: 1200}\n")
    await done(caller, "scene.object.reparent", scenePath=SCENE, gameObjectPath="Chair", newParentPath="Room")
    assert "m_CorrespondingSourceObject: {fileID: -8679921383154817045" in scene.read_text()
    assert scene.read_text().endswith("  m_Roots:\n  - {fileID: 1101}\n")
    assert problems_of(scene.read_bytes()) == []


async def test_a_model_can_be_placed_named_and_given_components_and_children(caller: Caller, scene: Path) -> None:
    at = {"scenePath": SCENE, "gameObjectPath": "Room/Chair"}
    moved = await done(caller, "scene.transform.set", **at, position=[1, 2, 3])
    assert moved["properties"]["m_LocalPosition"] == {"x": 1, "y": 2, "z": 3}
    await done(caller, "scene.object.rename", **at, newName="Seat")
    at["gameObjectPath"] = "Room/Seat"
    await done(caller, "scene.component.add", **at, componentType="BoxCollider")
    await done(caller, "scene.object.add", scenePath=SCENE, name="Cushion", parentPath="Room/Seat")
    shown = await done(caller, "scene.components.list", **at)
    assert [row["type"] for row in shown["components"]] == ["Transform", "BoxCollider"]
    assert paths(scene.parents[2], SCENE) == ["Room", "Room/Seat", "Room/Seat/Cushion"]
    assert problems_of(scene.read_bytes()) == []
    text = scene.read_text()
    assert "propertyPath: m_LocalPosition.y\n      value: 2\n" in text
    assert f"targetCorrespondingSourceObject: {{fileID: 919132149155446097, guid: {MODEL}, type: 3}}" in text


async def test_a_child_below_an_instance_in_a_file_of_2021_has_its_parent_alone(caller: Caller, scene: Path) -> None:
    text = TEXT.replace("    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n", "")
    scene.write_text(text)
    await done(caller, "scene.object.add", scenePath=SCENE, name="Cushion", parentPath="Room/Chair")
    await done(caller, "scene.object.reparent", scenePath=SCENE, gameObjectPath="Room/Chair/Cushion")
    assert paths(scene.parents[2], SCENE) == ["Room", "Room/Chair", "Cushion"]
    assert problems_of(scene.read_bytes()) == []


@pytest.mark.parametrize(
    ("rows", "root"),
    [
        ("m_LocalPosition.x 7, m_LocalPosition.x 9, m_RootOrder 9, m_Name 5", (5, 9)),
        ("m_LocalPosition.x 400006, m_LocalPosition.x 400000, m_Name 100006", (100000, 400000)),
        ("m_LocalPosition.x 7, m_LocalEulerAnglesHint.x 9, m_Name 5", (5, 9)),
        ("m_Name 5", None),
    ],
)
def test_the_root_of_a_model_is_told_by_what_the_instance_changes(rows: str, root: tuple[int, int] | None) -> None:
    changes = [row.split(" ") for row in rows.split(", ")]
    listed = "".join(
        f"    - target: {{fileID: {source}, guid: {MODEL}, type: 3}}\n      propertyPath: {path}\n      value: 1\n"
        for path, source in changes
    )
    text = f"--- !u!1001 &1\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n{listed}"
    (instance,) = read_facts(UnityFile(text.encode())).instances.values()
    found = root_of(instance, {})
    assert (None if found is None else (found.object_id, found.transform_id)) == root
