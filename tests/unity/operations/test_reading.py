"""What the reading operations answer beyond their examples, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller

from scenewright.core.projects.ownership import state_folder
from scenewright.unity.operations import project_reports, scenes

pytestmark = pytest.mark.anyio

MAIN, MENU = "Assets/Scenes/Main.unity", "Assets/Scenes/Menu.unity"


async def said(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments)
    assert not reply.failed, reply.text
    assert reply.structured is not None
    return reply.structured


async def refused(caller: Caller, tool: str, **arguments: Any) -> str:
    reply = await caller.reply(tool, arguments)
    assert reply.is_error
    return reply.text or ""


async def test_the_whole_hierarchy_with_prefabs_and_class_names(caller: Caller) -> None:
    dump = await said(caller, "scene.hierarchy.dump", scenePath=MAIN)
    camera, player, enemies, boss = dump["rootObjects"]
    assert dump["totalObjects"] == 13
    assert camera["components"] == ["Transform", "Camera", "AudioListener"]
    assert player["components"] == ["Transform", "PlayerController", "BoxCollider"]
    grunt, other = enemies["children"]
    assert grunt["prefab"] == "Assets/Prefabs/Enemy.prefab"
    assert [child["name"] for child in grunt["children"]] == ["Sword", "Hat"]
    assert grunt["children"][0]["layer"] == "Weapons"
    assert other["components"] == ["Transform", "EnemyAI"]
    assert boss["prefab"] == "Assets/Prefabs/Boss.prefab"
    assert "fileId" not in boss
    assert boss["instanceId"] > 0


async def test_a_large_hierarchy_is_cut_level_by_level_and_says_so(caller: Caller) -> None:
    dump = await said(caller, "scene.hierarchy.dump", scenePath=MAIN, limit=5)
    assert dump["truncated"] is True
    assert [root["name"] for root in dump["rootObjects"]] == ["Main Camera", "Player", "Enemies", "Boss"]
    assert dump["rootObjects"][2]["hiddenChildren"] == 2
    flat = await said(caller, "scene.hierarchy.dump", scenePath=MAIN, maxDepth=0)
    assert all(root["children"] == [] for root in flat["rootObjects"])
    part = await said(caller, "scene.hierarchy.dump", scenePath=MAIN, rootPath="Enemies/Grunt")
    assert "truncated" not in part


async def test_the_same_question_has_the_same_answer(caller: Caller) -> None:
    for tool, arguments in (("scene.hierarchy.dump", {"scenePath": MAIN}), ("project.references.missing", {})):
        assert await said(caller, tool, **arguments) == await said(caller, tool, **arguments)


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ({"namePattern": "s*"}, ["Enemies/Grunt/Sword", "Boss/Sword"]),
        ({"namePattern": "GRUNT"}, ["Enemies/Grunt"]),
        ({"componentType": "Game.Actors.EnemyAI"}, ["Enemies/Grunt", "Enemies/Enemy", "Boss"]),
        ({"tag": "Enemy", "namePattern": "Boss"}, ["Boss"]),
        ({"layer": "weapons"}, ["Enemies/Grunt/Sword"]),
        ({"layer": "8"}, ["Enemies/Grunt", "Enemies/Enemy", "Boss"]),
        ({"componentType": "Light"}, ["Boss/Aura"]),
    ],
)
async def test_objects_are_found(caller: Caller, query: dict[str, Any], paths: list[str]) -> None:
    found = await said(caller, "scene.objects.find", scenePath=MAIN, **query)
    assert [row["path"] for row in found["matches"]] == paths


async def test_pages_of_objects(caller: Caller) -> None:
    first = await said(caller, "scene.objects.find", scenePath=MAIN, limit=10)
    assert (len(first["matches"]), first["total"], first["nextOffset"]) == (10, 13, 10)
    last = await said(caller, "scene.objects.find", scenePath=MAIN, limit=10, offset=10)
    assert len(last["matches"]) == 3
    assert "nextOffset" not in last


async def test_a_search_for_what_no_object_has_says_what_there_is(caller: Caller) -> None:
    found = await said(caller, "scene.objects.find", scenePath=MAIN, componentType="PlayerControler", tag="Enemi")
    assert found["matches"] == []
    assert "'PlayerController'" in found["diagnostics"][0]
    assert "'Enemy'" in found["diagnostics"][1]
    assert "5 UI" in await refused(caller, "scene.objects.find", scenePath=MAIN, layer="Nowhere")


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("Enemies/**", 6), ("**/Sword", 2), ("Enemies/*/Hat", 1), ("*", 7), ("**", 18), ("Canvas/Button[1]", 1)],
)
async def test_paths_with_stars_over_all_scenes(caller: Caller, pattern: str, count: int) -> None:
    assert len((await said(caller, "go.find", hierarchyPath=pattern))["matches"]) == count


async def test_results_and_scenes_are_limited(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    found = await said(caller, "go.find", maxResults=3)
    assert len(found["matches"]) == 3
    assert found["truncated"] is True
    rest = await said(caller, "go.find", limit=3, offset=found["nextOffset"])
    everything = await said(caller, "go.find")
    assert [*found["matches"], *rest["matches"]] == everything["matches"][:6]
    assert "nextOffset" not in everything
    monkeypatch.setattr(scenes, "SECONDS", -1.0)
    late = await said(caller, "go.find", scenePath=MAIN)
    assert late["matches"] == []
    assert "1 scene not searched" in late["diagnostics"][0]


async def test_fields_are_those_in_effect(caller: Caller) -> None:
    listed = await said(
        caller, "scene.components.list", scenePath=MAIN, gameObjectPath="Enemies/Grunt", componentType="EnemyAI"
    )
    (component,) = listed["components"]
    fields = {row["name"]: row for row in component["serializedFields"]}
    assert fields["speed"] == {"name": "speed", "type": "number", "value": 4.25, "overridden": True}
    assert fields["taunt"]["value"] == "You shall not\npass!"
    assert fields["waypoints"]["value"] == [{"x": 0, "y": 0, "z": 0}, {"x": 4, "y": 0, "z": 0}]
    assert fields["settings"]["value"]["path"] == "Assets/Data/Settings.asset"
    assert component["scriptPath"] == "Assets/Scripts/EnemyAI.cs"
    boss = await said(caller, "component.list", hierarchyPath="Boss", includeProperties=True)
    speed = [row["value"] for row in boss["components"][1]["serializedFields"] if row["name"] == "speed"]
    assert speed == [1.25]


async def test_strings_stay_strings_and_long_lists_are_cut(caller: Caller) -> None:
    listed = await said(
        caller,
        "scene.components.list",
        scenePath=MAIN,
        gameObjectPath="200",
        componentType="PlayerController",
        maxItems=1,
    )
    fields = {row["name"]: row for row in listed["components"][0]["serializedFields"]}
    assert fields["title"]["value"] == 'The élan of "One"'
    assert fields["inventory"]["value"] == [{"name": "sword"}]
    assert fields["inventory"]["truncated"] is True
    assert fields["target"] == {"name": "target", "type": "reference", "value": {"fileId": "100"}}


async def test_an_object_or_component_that_is_not_there_names_what_is(caller: Caller) -> None:
    text = await refused(caller, "scene.components.list", scenePath=MAIN, gameObjectPath="Playr")
    assert "'Player'" in text
    arguments = {"scenePath": MAIN, "gameObjectPath": "Player"}
    text = await refused(caller, "scene.components.list", **arguments, componentType="Rigidbody2D")
    assert "PlayerController" in text
    assert "E_NOT_FOUND" in await refused(caller, "component.list", hierarchyPath="Nobody")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("Assets/Scenes/Mian.unity", "'Assets/Scenes/Main.unity'"),
        ("Assets/Data/Settings.asset", "not a scene or prefab"),
        ("../elsewhere.unity", "outside the project"),
    ],
)
async def test_a_scene_that_cannot_be_read_is_refused(caller: Caller, path: str, says: str) -> None:
    assert says in await refused(caller, "scene.hierarchy.dump", scenePath=path)


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"), (b"\x00\x01\x02", "Force Text")],
)
async def test_a_scene_that_is_not_text_says_what_it_is(
    caller: Caller, project: Path, content: bytes, says: str
) -> None:
    (project / "Assets/Scenes/Main.unity").write_bytes(content)
    assert says in await refused(caller, "scene.hierarchy.dump", scenePath=MAIN)


async def test_missing_scripts_and_broken_references(caller: Caller) -> None:
    found = await said(caller, "project.references.missing", scope="scenes")
    assert [(row["gameObjectPath"], row["componentIndex"], row["guid"]) for row in found["missingScripts"]] == [
        ("Broken", 1, ""),
        ("Canvas", 3, "dead000000000000000000000000beef"),
    ]
    assert [row["status"] for row in found["missingScripts"]] == ["missing", "unresolved-package"]
    broken = [(row["gameObjectPath"], row["referencePath"], row["status"]) for row in found["brokenReferences"]]
    assert broken == [
        ("Canvas/Button", "m_TargetGraphic", "missing"),
        ("Music", "m_audioClip", "unresolved-package"),
    ]
    assert found["filesChecked"] == 2


async def test_with_every_package_at_hand_what_is_missing_is_missing(caller: Caller, project: Path) -> None:
    (project / "Packages/manifest.json").write_text('{"dependencies": {}}')
    (project / "Packages/packages-lock.json").unlink()
    found = await said(caller, "project.references.missing")
    assert {row["status"] for row in found["missingScripts"]} == {"missing"}


async def test_overrides_of_what_a_prefab_lost_are_stale(caller: Caller, project: Path) -> None:
    prefab = project / "Assets/Prefabs/Enemy.prefab"
    prefab.write_text(prefab.read_text().replace("7310000000000000003", "7310000000000000099"))
    found = await said(caller, "project.references.missing", scope="prefabs")
    assert {row["status"] for row in found["brokenReferences"]} == {"stale-override"}
    listed = await said(caller, "asset.prefab.overrides.list", assetPath="Assets/Prefabs/Boss.prefab")
    assert [row["target"] for row in listed["overrides"] if row.get("stale")] == ["7310000000000000003"]


async def test_a_look_through_everything_stops_in_time_and_says_so(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REFERENCE_SECONDS", "SUMMARY_SECONDS"):
        monkeypatch.setattr(project_reports, name, -1.0)
    found = await said(caller, "project.references.missing")
    assert found["filesChecked"] == 0
    assert "Stopped after -1 s" in found["diagnostics"][0]
    assert "not looked at" in (await said(caller, "project.assets.summary"))["diagnostics"][0]


async def test_the_assets_in_numbers(caller: Caller) -> None:
    summary = await said(caller, "project.assets.summary", minSizeBytes=5000, listUnreferenced=True)
    assert summary["byType"]["Prefab"] == 3
    assert summary["byType"]["GameSettings"] == 1
    assert summary["largeAssets"][0]["path"] == MAIN
    assert "Assets/Materials/Unused.mat" in summary["unreferenced"]
    assert "Assets/Materials/Red.mat" not in summary["unreferenced"]
    assert "Assets/Resources/readme.txt" not in summary["unreferenced"]


async def test_dependencies_over_several_steps(caller: Caller) -> None:
    graph = await said(caller, "asset.dependencies.graph", assetPath=MAIN, depth=10, direction="dependencies")
    depths = {row["path"]: row["depth"] for row in graph["dependencies"]}
    assert depths["Assets/Prefabs/Enemy.prefab"] == 1
    assert depths["Assets/Textures/red.png"] == 2
    assert "dependents" not in graph
    up = await said(caller, "asset.dependencies.graph", guid="7e000000000000000000000000000001", direction="dependents")
    assert next(row["path"] for row in up["dependents"]) == "Assets/Materials/Red.mat"


async def test_assets_by_guid_or_path_but_not_both(caller: Caller) -> None:
    assert "either assetPath or a guid" in await refused(caller, "asset.info")
    assert "No asset" in await refused(caller, "asset.info", guid="0" * 32)
    info = await said(caller, "asset.info", assetPath="Assets/Baked/LightingData.asset")
    assert info["serialization"] == "binary"
    info = await said(caller, "asset.info", guid="7e000000000000000000000000000001")
    assert info["importer"] == "TextureImporter"
    assert info["importSettings"]["maxTextureSize"] == 2048


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"namePattern": "*.prefab"}, 3),
        ({"namePattern": "scripts"}, 3),
        ({"type": "Scene", "folder": "Assets/Scenes"}, 2),
        ({"type": "Material", "unreferenced": True}, 1),
    ],
)
async def test_assets_are_found(caller: Caller, query: dict[str, Any], count: int) -> None:
    assert (await said(caller, "asset.search", **query))["total"] == count


async def test_guids_of_every_kind_are_resolved(caller: Caller) -> None:
    asked = ["0000000000000000f000000000000000", "4e29b1a8efbd4b44bb3f3716e73f07ff", "d" * 32, "Assets/No.mat"]
    rows = (await said(caller, "asset.guid.resolve", guids=asked))["results"]
    assert [row["status"] for row in rows] == ["built-in", "package", "unresolved-package", "missing"]
    assert rows[1]["type"] == "Button"


async def test_a_variant_and_its_overrides(caller: Caller) -> None:
    boss = await said(caller, "asset.prefab.describe", assetPath="Assets/Prefabs/Boss.prefab")
    assert boss["variantOf"] == "Assets/Prefabs/Enemy.prefab"
    assert boss["nestedPrefabs"] == ["Assets/Prefabs/Weapon.prefab"]
    assert boss["componentCounts"]["EnemyAI"] == 1
    listed = await said(caller, "asset.prefab.overrides.list", assetPath=MAIN, gameObjectPath="Enemies/Enemy")
    kinds = [(row["kind"], row.get("component")) for row in listed["overrides"]]
    assert kinds == [("property", "Transform"), ("removed-component", "BoxCollider"), ("removed-object", None)]


async def test_what_a_snapshot_says_about_effects_that_are_gone(caller: Caller) -> None:
    read = await said(
        caller, "audio.mixer.snapshot.read", mixerGuid="3d000000000000000000000000000001", snapshotName="Snapshot"
    )
    rows = [(row["name"], row["group"], row["value"], row.get("exposedAs")) for row in read["parameters"]]
    assert rows == [
        ("Volume", "Master", 0.0, None),
        ("SFX Reverb: Room", "Master/Sfx", -1000.0, None),
        ("Volume", "Master/Sfx", -6.5, "SfxVolume"),
        ("unknown", "", 1.0, None),
    ]
    arguments = {"mixerPath": "Assets/Audio/Main.mixer", "snapshotName": "Mutd"}
    assert "'Muted'" in await refused(caller, "audio.mixer.snapshot.read", **arguments)


async def test_two_states_of_a_scene(caller: Caller, project: Path) -> None:
    text = (project / MAIN).read_text()
    changed = text.replace("  speed: 5\n", "  speed: 7\n").replace("  - name: potion\n    count: 12\n", "")
    start, end = text.index("--- !u!81 "), text.index("--- !u!1 &200")
    (project / "Assets/Scenes/New.unity").write_text(changed.replace(text[start:end], ""))
    diff = await said(caller, "scene.diff", scenePath=MAIN, otherPath="Assets/Scenes/New.unity")
    assert [(row["kind"], row["type"], row.get("path")) for row in diff["differences"]] == [
        ("changed", "PlayerController", "Player"),
        ("removed", "AudioListener", "Main Camera"),
    ]
    assert diff["differences"][0]["properties"] == [
        {"property": "speed", "before": 5, "after": 7},
        {"property": "inventory[1]", "before": {"name": "potion", "count": 12}},
    ]


async def test_settings_and_their_mistakes(caller: Caller) -> None:
    listed = await said(caller, "project.settings.read")
    assert "TagManager" in listed["files"]
    player = await said(caller, "project.settings.read", name="ProjectSettings")
    assert player["settings"]["scriptingDefineSymbols"][""] == "LEGACY_DEFINE"
    assert "TimeManager" in await refused(caller, "project.settings.read", name="TimeManger")
    arguments = {"name": "TimeManager", "propertyPath": "m_TimeScal"}
    assert "m_TimeScale" in await refused(caller, "project.settings.read", **arguments)


async def test_build_scenes_that_are_gone_are_told(caller: Caller) -> None:
    rows = (await said(caller, "project.scenes.list"))["scenes"]
    assert [(row["name"], row["buildIndex"], row.get("missing", False)) for row in rows] == [
        ("Main", 0, False),
        ("Menu", -1, False),
        ("Old", -1, True),
    ]


async def test_a_folder_that_is_no_unity_project_is_refused(caller: Caller, project: Path) -> None:
    (project / "Assets").rename(project / "Stuff")
    assert "has no Assets folder" in await refused(caller, "project.info")


async def test_the_server_knows_the_version_of_unity(caller: Caller) -> None:
    info = await said(caller, "mcp.server.info")
    assert info["engines"] == ["unity"]
    assert info["unityVersion"] == "2022.3.10f1"


async def test_the_index_of_assets_is_kept_in_the_state_folder(caller: Caller, project: Path) -> None:
    await said(caller, "project.assets.summary")
    assert (state_folder(project) / "unity-assets.msgpack").exists()


async def test_a_render_pipeline_is_told_by_its_asset(caller: Caller, project: Path) -> None:
    settings = project / "ProjectSettings/GraphicsSettings.asset"
    reference = "{fileID: 11400000, guid: eeee0000000000000000000000000001, type: 2}"
    text = settings.read_text().replace("m_CustomRenderPipeline: {fileID: 0}", f"m_CustomRenderPipeline: {reference}")
    settings.write_text(text)
    assert (await said(caller, "project.info"))["renderPipeline"].startswith("unknown")
    asset = project / "Assets/URP.asset"
    script = "{fileID: 11500000, guid: bf2edee5c58d82540a51f03df9d42094, type: 3}"
    asset.write_text(f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Script: {script}\n  m_Name: URP\n")
    (project / "Assets/URP.asset.meta").write_text("guid: eeee0000000000000000000000000001\n")
    assert (await said(caller, "project.info"))["renderPipeline"] == "Universal Render Pipeline"
