"""New assets by the ending of their name: whole, in the words of the project's version, each with its .meta."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import done, files_of, refused
from tests.unity.raw_check import problems_of

from scenewright.unity.yaml.source import UnityFile

pytestmark = pytest.mark.anyio


async def create(caller: Caller, project: Path, path: str, **more: Any) -> UnityFile:
    made = await done(caller, "asset.create", assetPath=path, **more)
    meta = (project / f"{path}.meta").read_text()
    assert f"guid: {made['guid']}\n" in meta
    return UnityFile((project / path).read_bytes(), path)


async def test_a_scene_has_its_settings_a_camera_and_a_light(caller: Caller, project: Path) -> None:
    file = await create(caller, project, "Assets/Scenes/Cave.unity")
    kinds = [document.type_name for document in file.documents]
    assert kinds[:4] == ["OcclusionCullingSettings", "RenderSettings", "LightmapSettings", "NavMeshSettings"]
    assert kinds[-1] == "SceneRoots"
    assert file.documents[-1].file_id == 9223372036854775807
    assert problems_of(file.data) == []
    listed = await done(caller, "project.scenes.list")
    assert "Assets/Scenes/Cave.unity" in [row["path"] for row in listed["scenes"]]
    await done(caller, "project.build-scenes.set", scenes=[{"path": "Assets/Scenes/Cave.unity"}])


async def test_a_scriptable_object_has_the_fields_of_its_class(caller: Caller, project: Path) -> None:
    path = "Assets/Data/Hard.asset"
    file = await create(caller, project, path, script="GameSettings", properties={"difficulty": 3})
    data = file.documents[0].data
    assert (data["m_Name"], data["difficulty"]) == ("Hard", "3")
    info = await done(caller, "asset.info", assetPath=path)
    assert info["type"] == "GameSettings"
    before = files_of(project)
    for script in ("EnemyAI", "Nobody", None):
        arguments = {"assetPath": "Assets/Bad.asset"} | ({"script": script} if script else {})
        await refused(caller, "asset.create", **arguments)
    assert files_of(project) == before


async def test_a_material_has_the_shader_and_values_asked_for(caller: Caller, project: Path) -> None:
    values = {"_Color": "#aa0000", "_Glossiness": 0.2, "_MainTex": "Assets/Textures/red.png"}
    file = await create(caller, project, "Assets/Blood.mat", properties=values)
    saved = file.documents[0].data["m_SavedProperties"]
    assert saved["m_Colors"] == [{"_Color": {"r": "0.6666667", "g": "0", "b": "0", "a": "1"}}]
    assert saved["m_Floats"] == [{"_Glossiness": "0.2"}]
    assert file.documents[0].data["m_Shader"]["fileID"] == "46"
    read = await done(caller, "asset.material.read", assetPath="Assets/Blood.mat")
    assert read["shader"]
    assert "no shader" in await refused(caller, "asset.create", assetPath="Assets/Bad.mat", shader="Nope/Nothing")


@pytest.mark.parametrize(
    ("version", "name", "friction"),
    [("2022.3.10f1", "PhysicMaterial", "dynamicFriction"), ("6000.0.20f1", "PhysicsMaterial", "m_DynamicFriction")],
)
async def test_a_physic_material_is_called_as_its_version_does(
    version: str, name: str, friction: str, caller: Caller, project: Path
) -> None:
    (project / "ProjectSettings/ProjectVersion.txt").write_text(f"m_EditorVersion: {version}\n")
    file = await create(caller, project, "Assets/Ice.physicMaterial", properties={friction: 0})
    assert file.documents[0].type_name == name
    assert file.documents[0].data[friction] == "0"


async def test_a_script_can_be_put_on_an_object_at_once(caller: Caller, project: Path) -> None:
    await done(caller, "asset.create", assetPath="Assets/Scripts/Jumper.cs", namespace="Game.Actors")
    source = (project / "Assets/Scripts/Jumper.cs").read_text()
    assert "namespace Game.Actors\n{\n    public class Jumper : MonoBehaviour\n" in source
    at = {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player"}
    await done(caller, "scene.component.add", **at, componentType="Jumper")
    assert "no name of a class" in await refused(caller, "asset.create", assetPath="Assets/Scripts/two words.cs")


async def test_assemblies_and_documents_of_ui(caller: Caller, project: Path) -> None:
    references = {"references": ["Unity.TextMeshPro"]}
    await done(caller, "asset.create", assetPath="Assets/Scripts/Editor/Tools.asmdef", properties=references)
    content = json.loads((project / "Assets/Scripts/Editor/Tools.asmdef").read_text())
    assert (content["name"], content["includePlatforms"]) == ("Tools", ["Editor"])
    assert content["references"] == ["Unity.TextMeshPro"]
    assert "Did you mean" in await refused(
        caller, "asset.create", assetPath="Assets/Bad.asmdef", properties={"reference": []}
    )
    for name in ("Hud.uxml", "Hud.uss"):
        await done(caller, "asset.create", assetPath=f"Assets/UI/{name}")
    assert "UnityEngine.UIElements" in (project / "Assets/UI/Hud.uxml").read_text()
    assert "its ending" in await refused(caller, "asset.create", assetPath="Assets/thing.xyz")


async def test_input_actions_are_as_the_input_system_reads_them(caller: Caller, project: Path) -> None:
    move = {
        "name": "Move",
        "type": "Value",
        "controlType": "Vector2",
        "bindings": [
            {"composite": "2DVector", "parts": {"up": "<Keyboard>/w", "down": ["<Keyboard>/s", "<Keyboard>/x"]}}
        ],
    }
    maps = [{"name": "Player", "actions": [move, {"name": "Jump", "bindings": ["<Keyboard>/space"]}]}]
    await done(caller, "asset.create", assetPath="Assets/Player.inputactions", properties={"maps": maps})
    content = json.loads((project / "Assets/Player.inputactions").read_text())
    (player,) = content["maps"]
    assert [row["name"] for row in player["actions"]] == ["Move", "Jump"]
    assert [(row["name"], row["isComposite"], row["isPartOfComposite"]) for row in player["bindings"]] == [
        ("2DVector", True, False),
        ("up", False, True),
        ("down", False, True),
        ("down", False, True),
        ("", False, False),
    ]
    assert len({row["id"] for row in player["bindings"]}) == 5
    wrong = [{"name": "P", "actions": [{"name": "A", "bindings": [{"composite": "2DVector", "parts": {"upp": "x"}}]}]}]
    assert "no part 'upp'" in await refused(
        caller, "asset.create", assetPath="Assets/Bad.inputactions", properties={"maps": wrong}
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [("class Data {}", "no ScriptableObject"), ("abstract class Data : ScriptableObject {}", "abstract")],
)
async def test_an_asset_of_a_class_that_makes_none_is_refused(
    text: str, says: str, caller: Caller, project: Path
) -> None:
    await caller.reply("write_file", {"path": "Assets/Data.cs", "content": f"using UnityEngine;\npublic {text}\n"})
    assert says in await refused(caller, "asset.create", assetPath="Assets/D.asset", script="Data")
