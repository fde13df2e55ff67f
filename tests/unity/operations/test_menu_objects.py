"""Objects of the editor's menu: with their components, values and references, and the canvas that UI needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import BOSS, MAIN, MENU, done, paths, refused, tree_of
from tests.unity.raw_check import problems_of

from scenewright.unity.building.recipes import KINDS
from scenewright.unity.component_names import Naming
from scenewright.unity.operations.hierarchy_changes import Kind
from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio


def the(project: Path, path: str, place: str, component: str) -> dict[str, Any]:
    """Return what the file has of a component."""
    tree = tree_of(project, path)
    naming = _naming(project)
    (node,) = (node for node in tree if node.path == place)
    (part,) = (part for part in node.parts if naming.component(part) == component)
    return tree.file.by_id[part.file_id].data


def _naming(project: Path) -> Naming:
    from scenewright.core.projects.project import Project
    from scenewright.core.writes.changeset import Changeset
    from scenewright.unity.workspace import Workspace

    return Workspace(Changeset(Project.at(project))).naming


def test_the_kinds_of_the_tool_are_those_that_there_are() -> None:
    assert Kind.__args__ == ("Empty", *KINDS)  # type: ignore[attr-defined]


async def test_every_kind_makes_a_sound_scene(caller: Caller, project: Path) -> None:
    broken = problems_of((project / MENU).read_bytes())
    for kind in KINDS:
        await done(caller, "scene.object.add", scenePath=MENU, kind=kind)
    assert problems_of((project / MENU).read_bytes()) == broken
    tree = tree_of(project, MENU)
    assert [node.path for node in tree if node.path.endswith("[1]")] == ["Canvas/Button[1]"]  # which was there before
    assert sum(node.name.startswith("EventSystem") for node in tree) == 2  # the first came with the first UI


async def test_a_primitive_has_its_mesh_material_and_collider(caller: Caller, project: Path) -> None:
    added = await done(
        caller,
        "scene.object.add",
        scenePath=MAIN,
        kind="Cube",
        parentPath="Player",
        position=[1, 2, 3],
        scale=[2, 1, 1],
    )
    assert added["gameObjectPath"] == "Player/Cube"
    transform = the(project, MAIN, "Player/Cube", "Transform")
    assert transform["m_LocalPosition"] == {"x": "1", "y": "2", "z": "3"}
    assert transform["m_LocalScale"] == {"x": "2", "y": "1", "z": "1"}
    mesh = the(project, MAIN, "Player/Cube", "MeshFilter")["m_Mesh"]
    assert mesh == {"fileID": "10202", "guid": "0000000000000000e000000000000000", "type": "0"}
    (material,) = the(project, MAIN, "Player/Cube", "MeshRenderer")["m_Materials"]
    assert material == {"fileID": "10303", "guid": "0000000000000000f000000000000000", "type": "0"}
    assert the(project, MAIN, "Player/Cube", "BoxCollider")["m_Size"] == {"x": "1", "y": "1", "z": "1"}
    again = await done(caller, "scene.object.add", scenePath=MAIN, kind="Cube", parentPath="Player")
    assert again["gameObjectPath"] == "Player/Cube (1)"


def use_pipeline(project: Path, package: str) -> None:
    graphics = (
        "--- !u!30 &1\nGraphicsSettings:\n  m_CustomRenderPipeline: {fileID: 1, guid: " + "ab" * 16 + ", type: 2}\n"
    )
    (project / "ProjectSettings/GraphicsSettings.asset").write_text(f"%YAML 1.1\n{graphics}")
    wanted = {"dependencies": {f"com.unity.render-pipelines.{package}": "14"}}
    (project / "Packages/manifest.json").write_text(json.dumps(wanted))


async def test_particles_have_the_material_of_their_pipeline(caller: Caller, project: Path) -> None:
    arguments = {"scenePath": MAIN, "kind": "ParticleSystem"}
    await done(caller, "scene.object.add", **arguments, name="Smoke")
    (material,) = the(project, MAIN, "Smoke", "ParticleSystemRenderer")["m_Materials"]
    assert material == {"fileID": "10308", "guid": "0000000000000000f000000000000000", "type": "0"}
    use_pipeline(project, "universal")
    await done(caller, "scene.object.add", **arguments, name="Fire")
    (material,) = the(project, MAIN, "Fire", "ParticleSystemRenderer")["m_Materials"]
    assert material["guid"] == "e823cd5b5d27c0f4b8256e7c12ee3e6d"
    use_pipeline(project, "high-definition")
    assert "is not known" in await refused(caller, "scene.object.add", **arguments)


async def test_a_primitive_of_an_urp_project_has_its_material(caller: Caller, project: Path) -> None:
    use_pipeline(project, "universal")
    await done(caller, "scene.object.add", scenePath=MAIN, kind="Sphere")
    (material,) = the(project, MAIN, "Sphere", "MeshRenderer")["m_Materials"]
    assert material["guid"] == "31321ba15b8f8eb4c954353edc038b1d"


async def test_an_element_brings_a_canvas_and_what_takes_the_clicks(caller: Caller, project: Path) -> None:
    added = await done(caller, "scene.object.add", scenePath=MAIN, kind="Button", name="Start", position=[0, -40])
    assert added["gameObjectPath"] == "Canvas/Start"
    new = [path for path in paths(project, MAIN) if path.startswith(("Canvas", "EventSystem"))]
    assert new == ["Canvas", "Canvas/Start", "Canvas/Start/Text (TMP)", "EventSystem"]
    canvas = the(project, MAIN, "Canvas", "Canvas")
    assert (canvas["m_RenderMode"], canvas["serializedVersion"]) == ("0", "3")
    assert the(project, MAIN, "Canvas", "CanvasScaler")["m_ReferenceResolution"] == {"x": "800", "y": "600"}
    rect = the(project, MAIN, "Canvas/Start", "RectTransform")
    assert rect["m_AnchoredPosition"] == {"x": "0", "y": "-40"}
    assert rect["m_SizeDelta"] == {"x": "160", "y": "30"}
    button = the(project, MAIN, "Canvas/Start", "Button")
    tree = tree_of(project, MAIN)
    (image,) = (part for part in _node(tree, "Canvas/Start").parts if _naming(project).component(part) == "Image")
    assert button["m_TargetGraphic"] == {"fileID": str(image.file_id)}
    assert tree.file.by_id[int(_node(tree, "Canvas/Start").file_id)].data["m_Layer"] == "5"
    second = await done(caller, "scene.object.add", scenePath=MAIN, kind="Slider")
    assert second["gameObjectPath"] == "Canvas/Slider"
    assert paths(project, MAIN).count("Canvas") == 1
    slider = the(project, MAIN, "Canvas/Slider", "Slider")
    fill = the(project, MAIN, "Canvas/Slider/Fill Area/Fill", "RectTransform")
    assert tree_of(project, MAIN).file.by_id[int(slider["m_FillRect"]["fileID"])].data == fill


async def test_an_element_below_an_object_gets_a_canvas_there(caller: Caller, project: Path) -> None:
    added = await done(caller, "scene.object.add", scenePath=MAIN, kind="Image", parentPath="Player")
    assert added["gameObjectPath"] == "Player/Canvas/Image"
    added = await done(caller, "scene.object.add", scenePath=BOSS, kind="Panel", parentPath="Boss")
    assert added["gameObjectPath"] == "Boss/Panel"  # the editor shows a prefab of UI in a canvas of its own


async def test_text_is_of_the_kind_that_the_project_has(caller: Caller, project: Path) -> None:
    (project / "Packages/manifest.json").write_text('{"dependencies": {"com.unity.ugui": "1.0.0"}}')
    (project / "Packages/packages-lock.json").unlink()
    await done(caller, "scene.object.add", scenePath=MAIN, kind="Text")
    assert the(project, MAIN, "Canvas/Text (Legacy)", "Text")["m_FontData"]["m_FontSize"] == "14"


async def test_fields_of_ui_scripts_are_typed_without_their_sources(caller: Caller, project: Path) -> None:
    await done(caller, "scene.object.add", scenePath=MAIN, kind="Button", name="Quit")
    at = {"scenePath": MAIN, "gameObjectPath": "Canvas/Quit", "componentType": "Button"}
    call = {"m_Target": {"gameObject": "Player", "component": "PlayerController"}, "m_MethodName": "Quit"}
    await done(caller, "scene.property.set", **at, propertyPath="m_OnClick.m_PersistentCalls.m_Calls", value=[call])
    await done(caller, "scene.property.set", **at, propertyPath="m_Colors.m_NormalColor", value="#ff0000")
    button = the(project, MAIN, "Canvas/Quit", "Button")
    assert button["m_Colors"]["m_NormalColor"] == {"r": "1", "g": "0", "b": "0", "a": "1"}
    (row,) = button["m_OnClick"]["m_PersistentCalls"]["m_Calls"]
    assert (row["m_Target"], row["m_MethodName"], row["m_CallState"]) == ({"fileID": "202"}, "Quit", "2")


async def test_objects_of_the_menu_in_a_file_of_2021_have_their_places(caller: Caller, project: Path) -> None:
    (project / "ProjectSettings/ProjectVersion.txt").write_text("m_EditorVersion: 2021.3.2f1\n")
    await done(caller, "asset.create", assetPath="Assets/Old.unity")
    await done(caller, "scene.object.add", scenePath="Assets/Old.unity", kind="ScrollView")
    file = UnityFile((project / "Assets/Old.unity").read_bytes())
    assert problems_of(file.data) == []
    assert not list(file.of_class(1660057539))
    tree = tree_of(project, "Assets/Old.unity")
    assert [node.name for node in tree.roots] == ["Main Camera", "Directional Light", "Canvas", "EventSystem"]
    for node in tree:
        orders = [file.by_id[child.parts[0].file_id].data["m_RootOrder"] for child in node.children]
        assert orders == [str(number) for number in range(len(orders))], node.path


def _node(tree: Any, place: str) -> Any:
    return next(node for node in tree if node.path == place)
