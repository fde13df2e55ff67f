"""What `overview` tells of a Unity project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

pytestmark = pytest.mark.anyio


async def sections(caller: Caller, **arguments: Any) -> dict[str, Any]:
    told: dict[str, Any] = (await caller.result("overview", **arguments))["sections"]
    return told


async def test_it_tells_settings_packages_tags_and_layers(caller: Caller) -> None:
    told = await sections(caller)
    assert told["project"] == "Tiny Game, Unity 2022.3.10f1, Built-in Render Pipeline"
    assert told["buildScenes"].splitlines() == ["Assets/Scenes/Old.unity (off)", "Assets/Scenes/Main.unity"]
    assert "com.unity.ugui 1.0.0" in told["packages"]
    assert told["tags"] == "Enemy, Pickup"
    assert told["layers"] == "8 Enemies, 9 Weapons"
    assert told["sortingLayers"] == "Default, Foreground"


async def test_scenes_and_prefabs_are_hierarchies_and_instances_are_not_repeated(caller: Caller) -> None:
    told = await sections(caller)
    assert told["scenes"]["Assets/Scenes/Main.unity"].splitlines() == [
        "Main Camera: Camera, AudioListener (tag MainCamera)",
        "Player: PlayerController, BoxCollider (tag Player)",
        "  Health: Bar: (inactive)",
        "Enemies",
        "  Grunt: Assets/Prefabs/Enemy.prefab (tag Enemy, layer Enemies)",
        "    Hat",
        "  Enemy: Assets/Prefabs/Enemy.prefab (tag Enemy, layer Enemies)",
        "Boss: Assets/Prefabs/Boss.prefab (tag Enemy, layer Enemies)",
    ]
    assert told["prefabs"]["Assets/Prefabs/Weapon.prefab"] == "Weapon: MeshFilter, MeshRenderer\n  Tip"


async def test_small_scripts_come_whole_and_meta_files_are_folded(caller: Caller, project: Path) -> None:
    told = await sections(caller)
    script = project / "Assets" / "Scripts" / "PlayerController.cs"
    assert told["scripts"]["Assets/Scripts/PlayerController.cs"] == script.read_text(encoding="utf-8")
    assert told["files"]["made by the engine"].endswith(".meta")
    assert not any(".meta" in text for name, text in told["files"].items() if name != "made by the engine")


async def test_since_shows_the_changed_scene_only(caller: Caller, project: Path) -> None:
    revision = (await caller.result("overview"))["revision"]
    scene = project / "Assets" / "Scenes" / "Menu.unity"
    scene.write_text(scene.read_text(encoding="utf-8").replace("m_Name: Music", "m_Name: Songs"), encoding="utf-8")
    result = await caller.result("overview", since=revision)
    assert result["changed"] == ["modified Assets/Scenes/Menu.unity"]
    assert result["sections"].keys() == {"values"}
    told = result["sections"]["values"]["Assets/Scenes/Menu.unity"]
    assert told.startswith("+ Songs: AudioSource, ")
    assert told.endswith("\n- Music")


async def test_since_tells_what_is_set_otherwise_and_what_a_prefab_passes_on(caller: Caller) -> None:
    revision = (await caller.result("overview"))["revision"]
    main, enemy = "Assets/Scenes/Main.unity", "Assets/Prefabs/Enemy.prefab"
    body = {"m_Mass": 2, "m_UseGravity": False}
    added = {"scenePath": main, "gameObjectPath": "Player", "componentType": "Rigidbody", "properties": body}
    await caller.result("scene_component_add", **added)
    speed = {"scenePath": enemy, "gameObjectPath": "Enemy", "componentType": "EnemyAI", "propertyPath": "speed"}
    await caller.result("scene_property_set", **speed, value=4.5)
    await caller.result("asset_object_set", assetPath="Assets/Materials/Red.mat", properties={"_Glossiness": 0.8})
    told = (await caller.result("overview", since=revision))["sections"]["values"]
    assert told["Assets/Materials/Red.mat"] == 'Material "Red": m_Floats._Glossiness=0.8 (was 0.5)'
    assert told[enemy] == "Enemy: EnemyAI.speed=4.5 (was 3.5)"
    player, *others = told[main].splitlines()
    assert player.startswith("Player: PlayerController, BoxCollider, Rigidbody (was PlayerController, BoxCollider), ")
    assert "Rigidbody.m_Mass=2" in player
    assert "m_UseGravity" not in player  # 0, as nothing said before
    assert others == ["Enemies:", "  Enemy: EnemyAI.speed=4.5 (was 3.5)"]  # the other one overrides it


async def test_since_tells_what_a_prefab_passes_on_to_scenes_that_did_not_change(caller: Caller) -> None:
    revision = (await caller.result("overview"))["revision"]
    speed = {"scenePath": "Assets/Prefabs/Enemy.prefab", "gameObjectPath": "Enemy", "componentType": "EnemyAI"}
    await caller.result("scene_property_set", **speed, propertyPath="speed", value=4.5)
    result = await caller.result("overview", since=revision)
    assert result["changed"] == ["modified Assets/Prefabs/Enemy.prefab"]
    told = result["sections"]["values"]
    assert told["Assets/Scenes/Main.unity"].splitlines() == ["Enemies:", "  Enemy: EnemyAI.speed=4.5 (was 3.5)"]
    assert "Boss: EnemyAI.speed=" not in told["Assets/Scenes/Main.unity"]  # the variant has a speed of its own


async def test_since_says_that_a_value_is_nothing_now(caller: Caller) -> None:
    main = {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "componentType": "BoxCollider"}
    await caller.result("scene_property_set", **main, propertyPath="m_IsTrigger", value=1)
    revision = (await caller.result("overview"))["revision"]
    await caller.result("scene_property_set", **main, propertyPath="m_IsTrigger", value=0)
    told = (await caller.result("overview", since=revision))["sections"]["values"]
    assert told["Assets/Scenes/Main.unity"] == "Player: BoxCollider.m_IsTrigger=0 (was 1)"


async def test_a_scene_that_cannot_be_read_hides_nothing(caller: Caller, project: Path) -> None:
    (project / "Assets" / "Scenes" / "Menu.unity").write_bytes(b"\x00\x01binary")
    told = await sections(caller)
    assert told["scenes"]["Assets/Scenes/Menu.unity"].startswith("cannot be read: ")
    assert "Assets/Scenes/Main.unity" in told["scenes"]
