"""The check of the arena, over the files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from evals.checks.unity import Document, component, documents, game_object, guid, of_type, whole

SCENE = "Assets/Scenes/Main.unity"
ENEMY = "Assets/Prefabs/Enemy.prefab"


def vector(value: Any) -> tuple[float, float, float]:
    assert isinstance(value, dict), f"{value} is no vector"
    return (value["x"], value["y"], value["z"])


def sentence_1(project: Path) -> None:
    whole(project / SCENE)
    fields = component(project / SCENE, "Player", "Rigidbody").fields
    assert fields["m_Mass"] == 2, f"the mass is {fields['m_Mass']}"
    assert fields["m_Constraints"] == 112, f"the constraints are {fields['m_Constraints']}"
    assert fields.get("m_UseGravity", 1) == 1, "it uses no gravity"


def _tags(project: Path) -> dict[str, Any]:
    (manager,) = documents(project / "ProjectSettings/TagManager.asset")
    return manager.fields


def sentence_2(project: Path) -> None:
    tags = _tags(project)
    assert tags["tags"] == ["Enemy", "Pickup", "Hazard"], f"the tags are {tags['tags']}"
    assert tags["layers"][10] == "Hazards", f"layer 10 is {tags['layers'][10]}"
    assert len(tags["layers"]) == 32, f"there are {len(tags['layers'])} layers"
    assert tags["layers"][8:10] == ["Enemies", "Weapons"], "other layers were changed"


def sentence_3(project: Path) -> None:
    spawner = game_object(project / SCENE, "Spawner").fields
    place = component(project / SCENE, "Spawner", "Transform").fields
    assert place["m_Father"]["fileID"] == 0, "it is no root"
    assert vector(place["m_LocalPosition"]) == (0, 0, 12), f"it stands at {place['m_LocalPosition']}"
    assert spawner["m_TagString"] == "Hazard", f"its tag is {spawner['m_TagString']}"
    assert spawner["m_Layer"] == 10, f"its layer is {spawner['m_Layer']}"


def sentence_4(project: Path) -> None:
    fields = component(project / SCENE, "Spawner", "BoxCollider").fields
    assert fields["m_IsTrigger"] == 1, "it is no trigger"
    assert vector(fields["m_Size"]) == (6, 3, 6), f"its size is {fields['m_Size']}"


def sentence_5(project: Path) -> None:
    script = project / "Assets/Scripts/Spawner.cs"
    text = script.read_text(encoding="utf-8")
    assert re.search(r"class\s+Spawner\s*:\s*MonoBehaviour", text), "it declares no MonoBehaviour 'Spawner'"
    assert re.search(r"public\s+float\s+interval\b", text), "it has no public float interval"
    assert re.search(r"public\s+GameObject\s+enemy\b", text), "it has no public GameObject enemy"
    own = guid(script)
    others = [guid(meta.with_suffix("")) for meta in project.rglob("*.cs.meta")]
    assert others.count(own) == 1, "its guid is another script's too"
    fields = component(project / SCENE, "Spawner", "MonoBehaviour", own).fields
    assert fields["interval"] == 1.5, f"the interval is {fields['interval']}"
    enemy = {"fileID": _root(project).id, "guid": guid(project / ENEMY), "type": 3}
    assert fields["enemy"] == enemy, f"the enemy is {fields['enemy']}, expected {enemy}"


def _root(project: Path) -> Document:
    return game_object(project / ENEMY, "Enemy")


def _grunt(project: Path) -> dict[tuple[int, str], Any]:
    for one in of_type(project / SCENE, "PrefabInstance"):
        changes = one.fields["m_Modification"]["m_Modifications"]
        if any(change["propertyPath"] == "m_Name" and change["value"] == "Grunt" for change in changes):
            return {(change["target"]["fileID"], change["propertyPath"]): change["value"] for change in changes}
    raise AssertionError("there is no instance 'Grunt'")


def sentence_6(project: Path) -> None:
    speed = component(project / ENEMY, "Enemy", "MonoBehaviour").fields["speed"]
    assert speed == 4.5, f"the prefab's speed is {speed}"
    expected = {
        (7310000000000000001, "m_Name"): "Grunt",
        (7310000000000000002, "m_LocalPosition.x"): 3,
        (7310000000000000002, "m_RootOrder"): 0,
        (7310000000000000003, "speed"): 6,
        (7310000000000000003, "settings"): None,
        (3700846583256317963, "m_Layer"): 9,
    }
    found = _grunt(project)
    assert found == expected, f"Grunt overrides {found}"


def sentence_7(project: Path) -> None:
    (material,) = of_type(project / "Assets/Materials/Red.mat", "Material")
    saved = material.fields["m_SavedProperties"]
    (color,) = [entry["_Color"] for entry in saved["m_Colors"] if "_Color" in entry]
    (glossiness,) = [entry["_Glossiness"] for entry in saved["m_Floats"] if "_Glossiness" in entry]
    assert color == {"r": 1, "g": 0.5, "b": 0, "a": 1}, f"the colour is {color}"
    assert glossiness == 0.8, f"the glossiness is {glossiness}"
    (settings,) = of_type(project / "Assets/Data/Settings.asset", "MonoBehaviour")
    assert settings.fields["difficulty"] == 3, f"the difficulty is {settings.fields['difficulty']}"
    assert settings.fields["levels"] == ["Main", "Menu", "Arena"], f"the levels are {settings.fields['levels']}"


def sentence_8(project: Path) -> None:
    (build,) = documents(project / "ProjectSettings/EditorBuildSettings.asset")
    scenes = [(scene["enabled"], scene["path"], scene["guid"]) for scene in build.fields["m_Scenes"]]
    paths = ["Assets/Scenes/Main.unity", "Assets/Scenes/Menu.unity"]
    assert scenes == [(1, path, guid(project / path)) for path in paths], f"the build has {scenes}"
