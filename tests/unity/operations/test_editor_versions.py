"""Files of older editors: what is new in them has the lines that those editors write."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import MAIN, done, files_of, refused
from tests.unity.raw_check import problems_of

from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio

OLD = "Assets/Scenes/Old.unity"
EMPTY = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!29 &1\nOcclusionCullingSettings:\n  m_ObjectHideFlags: 0\n"


def set_version(project: Path, version: str) -> None:
    (project / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
    (project / OLD).write_text(EMPTY)


async def new_lines(caller: Caller, project: Path, parent: bool = False) -> dict[str, list[str]]:
    """Add an object with a collider; return the fields of each document."""
    await done(caller, "scene.object.add", scenePath=OLD, name="Box", components=["BoxCollider"])
    if parent:
        for name in ("One", "Two"):
            await done(caller, "scene.object.add", scenePath=OLD, name=name, parentPath="Box")
    file = UnityFile((project / OLD).read_bytes(), OLD)
    assert problems_of(file.data) == []
    return {document.type_name: list(document.data) for document in file.documents}


async def test_a_file_of_5_4_gets_the_lines_of_5_4(caller: Caller, project: Path) -> None:
    set_version(project, "5.4.3f1")
    fields = await new_lines(caller, project)
    assert fields["GameObject"][:5] == [
        "m_ObjectHideFlags",
        "m_PrefabParentObject",
        "m_PrefabInternal",
        "serializedVersion",
        "m_Component",
    ]
    text = (project / OLD).read_text()
    assert "\n  - 4: {fileID: " in text
    assert "\n  - 65: {fileID: " in text
    assert "m_CorrespondingSourceObject" not in text
    assert "m_ConstrainProportionsScale" not in text


async def test_children_before_2022_2_have_a_place_among_their_siblings(caller: Caller, project: Path) -> None:
    set_version(project, "2021.3.2f1")
    fields = await new_lines(caller, project, parent=True)
    assert fields["Transform"][-3:] == ["m_Father", "m_RootOrder", "m_LocalEulerAnglesHint"]
    assert "serializedVersion" not in fields["Transform"]
    tree = (project / OLD).read_text()
    assert tree.count("  m_RootOrder: 0\n") == 2
    assert tree.count("  m_RootOrder: 1\n") == 1


async def test_unity_6_writes_versions_and_no_places(caller: Caller, project: Path) -> None:
    set_version(project, "6000.0.20f1")
    fields = await new_lines(caller, project, parent=True)
    assert "m_RootOrder" not in fields["Transform"]
    assert fields["Transform"][5] == "serializedVersion"
    assert "m_IncludeLayers" in fields["BoxCollider"]


async def test_a_version_that_is_not_known_is_refused(caller: Caller, project: Path) -> None:
    set_version(project, "seven")
    before = files_of(project)
    arguments = {"scenePath": OLD, "name": "Box"}
    assert "is not known" in await refused(caller, "scene.object.add", **arguments)
    assert files_of(project) == before


async def test_a_canvas_gets_a_rectangle(caller: Caller, project: Path) -> None:
    await done(caller, "scene.object.add", scenePath=MAIN, name="HUD", components=["Canvas"])
    await done(caller, "scene.component.add", scenePath=MAIN, gameObjectPath="Enemies", componentType="Canvas")
    file = UnityFile((project / MAIN).read_bytes(), MAIN)
    rectangles = [document for document in file.documents if document.type_name == "RectTransform"]
    assert [document.data["m_SizeDelta"] for document in rectangles] == [{"x": "100", "y": "100"}] * 2
    assert file.by_id[301].data["m_Children"] == [{"fileID": "401"}, {"fileID": "501"}]
    assert file.by_id[301].class_id == 224
    assert problems_of(file.data) == []


async def test_layers_below_the_eighth_belong_to_the_engine_of_2018(caller: Caller, project: Path) -> None:
    set_version(project, "2018.4.36f1")
    settings = {"layers": [{"name": "Doors", "number": 6}]}
    assert "belongs to the engine" in await refused(caller, "project.tags-layers.edit", **settings)
    changed = await done(caller, "project.tags-layers.edit", layers=[{"name": "Doors"}])
    assert {number for number, name in changed["layers"].items() if name == "Doors"} <= {str(n) for n in range(8, 32)}
    set_version(project, "2022.3.10f1")
    await done(caller, "project.tags-layers.edit", layers=[{"name": "Gates", "number": 6}])


async def test_scripts_of_the_editors_own_libraries_are_not_missing(caller: Caller, project: Path) -> None:
    text = (project / MAIN).read_text()
    for guid in ("f5f67c52d1564df4a8936ccd202a3bd8", "870353891bb340e2b2a9c8707e7419ba"):
        (project / MAIN).write_text(text.replace("c5000000000000000000000000000001", guid))
        (project / "Packages/manifest.json").write_text('{"dependencies": {}}')
        (project / "Packages/packages-lock.json").write_text('{"dependencies": {}}')
        fixed = await done(caller, "project.references.fix", removeMissingScripts=True)
        assert [row for row in fixed["fixes"] if row["path"] == MAIN] == []


async def test_ui_of_before_2019_2_is_refused_and_not_guessed(caller: Caller, project: Path) -> None:
    set_version(project, "2018.4.36f1")
    before = files_of(project)
    assert "library of the editor" in await refused(caller, "scene.object.add", scenePath=OLD, kind="Button")
    box = {"scenePath": OLD, "name": "Box", "components": ["Image"]}
    assert "library of the editor" in await refused(caller, "scene.object.add", **box)
    assert files_of(project) == before
