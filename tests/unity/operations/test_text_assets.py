"""Outlines, packages, and Addressables groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import ENEMY, done, files_of, refused

pytestmark = pytest.mark.anyio

GROUP = "Assets/AddressableAssetsData/AssetGroups/Default Local Group.asset"
MANIFEST = "Packages/manifest.json"


async def outline(caller: Caller, project: Path, path: str, text: str) -> dict[str, Any]:
    (project / path).write_text(text)
    shown: dict[str, Any] = (await done(caller, "asset.outline", assetPath=path))["outline"]
    return shown


async def test_a_script_is_outlined_with_fields_and_methods(caller: Caller, project: Path) -> None:
    source = (
        "using UnityEngine;\npublic class Hit : MonoBehaviour\n{\n    [SerializeField] int power = 3;\n"
        "    int own;\n    public void Strike(int damage,\n        Vector3 at) { }\n"
        "    class Inner { void Deep() {} }\n}\n"
    )
    hit, inner = (await outline(caller, project, "Assets/Scripts/Hit.cs", source))["types"]
    assert hit == {
        "name": "Hit",
        "kind": "class",
        "line": 2,
        "bases": ["MonoBehaviour"],
        "serializedFields": ["int power = 3"],
        "methods": ["6: public void Strike(int damage, Vector3 at)"],
    }
    assert inner["methods"] == ["8: void Deep()"]


async def test_a_document_of_ui_is_outlined_and_what_is_broken_is_said(caller: Caller, project: Path) -> None:
    text = (
        '<ui:UXML xmlns:ui="UnityEngine.UIElements">\n  <Style src="Hud.uss" />\n  <!-- <ui:Old /> -->\n'
        '  <ui:VisualElement name="root" class="a b">\n    <ui:Button name="start" text="Start > now" />\n'
        "  </ui:VisualElement>\n</ui:UXML>\n"
    )
    shown = await outline(caller, project, "Assets/Hud.uxml", text)
    assert shown["elements"] == [
        {"element": "VisualElement", "depth": 0, "name": "root", "class": "a b"},
        {"element": "Button", "depth": 1, "name": "start", "text": "Start > now"},
    ]
    assert shown["styles"] == ["Hud.uss"]
    assert "problems" not in shown
    broken = await outline(caller, project, "Assets/Hud.uxml", text.replace("</ui:VisualElement>", "</ui:Box>"))
    assert "</ui:Box> closes nothing" in broken["problems"][0]
    style = await outline(caller, project, "Assets/Hud.uss", "/* .old {} */\n.a > Button { color: red; width: 2px }\n")
    assert style["rules"] == [{"selector": ".a > Button", "properties": ["color: red", "width: 2px"]}]


@pytest.mark.parametrize(
    ("ending", "text"), [("uxml", "<a '" * 50_000), ("uss", "a" * 200_000), ("uss", "/*" * 90_000)]
)
async def test_a_text_made_to_be_slow_is_not(ending: str, text: str, caller: Caller, project: Path) -> None:
    shown = await outline(caller, project, f"Assets/Slow.{ending}", text)
    assert len(str(shown)) < 500_000


async def test_input_actions_are_outlined_by_what_is_bound(caller: Caller, project: Path) -> None:
    maps = [{"name": "Player", "actions": [{"name": "Jump", "bindings": ["<Keyboard>/space", "<Gamepad>/a"]}]}]
    await done(caller, "asset.create", assetPath="Assets/P.inputactions", properties={"maps": maps})
    shown = (await done(caller, "asset.outline", assetPath="Assets/P.inputactions"))["outline"]
    (action,) = shown["maps"][0]["actions"]
    assert action == {"name": "Jump", "type": "Button", "bindings": ["<Keyboard>/space", "<Gamepad>/a"]}
    (project / "Assets/P.inputactions").write_text("{")
    assert "no JSON" in await refused(caller, "asset.outline", assetPath="Assets/P.inputactions")


async def test_what_is_in_json_assets_is_changed_by_its_names(caller: Caller, project: Path) -> None:
    await done(caller, "asset.create", assetPath="Assets/Scripts/Game.asmdef")
    await done(
        caller, "asset.object.set", assetPath="Assets/Scripts/Game.asmdef", properties={"references": ["Unity.UI"]}
    )
    assert json.loads((project / "Assets/Scripts/Game.asmdef").read_text())["references"] == ["Unity.UI"]
    assert "Did you mean" in await refused(
        caller, "asset.object.set", assetPath="Assets/Scripts/Game.asmdef", properties={"referenced": []}
    )
    maps = [{"name": "Player", "actions": [{"name": "Jump", "bindings": ["<Keyboard>/space"]}]}]
    await done(caller, "asset.create", assetPath="Assets/P.inputactions", properties={"maps": maps})
    maps[0]["actions"] = [{"name": "Fire", "bindings": ["<Mouse>/leftButton"]}]
    await done(caller, "asset.object.set", assetPath="Assets/P.inputactions", properties={"maps": maps})
    (player,) = json.loads((project / "Assets/P.inputactions").read_text())["maps"]
    assert [row["name"] for row in player["actions"]] == ["Jump", "Fire"]


async def test_packages_come_and_go_in_the_manifest(caller: Caller, project: Path) -> None:
    changed = await done(
        caller, "project.packages.edit", add={"com.unity.ai.navigation": "2.0.0"}, remove=["com.unity.ugui"]
    )
    manifest = json.loads((project / MANIFEST).read_text())
    assert changed["packages"] == manifest["dependencies"]
    assert list(manifest["dependencies"]) == sorted(manifest["dependencies"])
    before = files_of(project)
    for wrong in ({"add": {"Not A Name": "1.0.0"}}, {"add": {"com.a.b": "latest"}}, {"remove": ["com.unity.nope"]}, {}):
        await refused(caller, "project.packages.edit", **wrong)
    assert files_of(project) == before


async def test_an_asset_becomes_addressable_and_moves_between_groups(caller: Caller, project: Path) -> None:
    other = (project / GROUP).read_text().replace("Default Local Group", "Levels").replace("Enemy", "Foe")
    other = other.replace("f0000000000000000000000000000001", "5c000000000000000000000000000001")
    (project / "Assets/AddressableAssetsData/AssetGroups/Levels.asset").write_text(other)
    weapon = {"assetPath": "Assets/Prefabs/Weapon.prefab", "labels": ["arms"]}
    made = await done(caller, "project.addressables.edit", entries=[weapon])
    assert made["labels"] == ["default", "arms"]
    group = next(group for group in made["groups"] if group["name"] == "Default Local Group")
    assert group["entries"][1] == {
        "address": "Assets/Prefabs/Weapon.prefab",
        "path": "Assets/Prefabs/Weapon.prefab",
        "labels": ["arms"],
    }
    moved = await done(caller, "project.addressables.edit", entries=[{"assetPath": ENEMY, "group": "Levels"}])
    by_name = {group["name"]: [row["address"] for row in group["entries"]] for group in moved["groups"]}
    assert by_name == {"Default Local Group": ["Assets/Prefabs/Weapon.prefab"], "Levels": ["Foe", "Enemy"]}
    left = await done(caller, "project.addressables.edit", remove=[ENEMY])
    assert [row["address"] for row in left["groups"][1]["entries"]] == ["Foe"]
    before = files_of(project)
    assert "Levels" in await refused(
        caller, "project.addressables.edit", entries=[{"assetPath": ENEMY, "group": "Level"}]
    )
    assert "not addressable" in await refused(caller, "project.addressables.edit", remove=[ENEMY])
    assert files_of(project) == before
