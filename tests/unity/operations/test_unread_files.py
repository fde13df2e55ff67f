"""Fresh clones and package classes: what cannot be read is said where it matters, and what can be named is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import ENEMY, MAIN, done, refused

pytestmark = pytest.mark.anyio

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n"


async def test_a_prefab_that_is_a_pointer_is_said_where_its_instances_are_shown(caller: Caller, project: Path) -> None:
    (project / ENEMY).write_text(POINTER)
    shown = await done(caller, "scene.hierarchy.dump", scenePath=MAIN)
    notes = [note for note in shown["diagnostics"] if "git-LFS pointer" in note]
    assert len(notes) == 2
    assert "is shown alone" in notes[0]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("project.references.missing", {"scope": "scenes"}),
        ("project.assets.summary", {}),
        ("asset.dependencies.graph", {"assetPath": "Assets/Materials/Red.mat"}),
        ("asset.prefab.describe", {"assetPath": "Assets/Prefabs/Weapon.prefab"}),
        ("go.find", {"namePattern": "Player"}),
    ],
)
@pytest.mark.parametrize(("content", "says"), [(POINTER, "git-LFS pointer"), ("\x00\x01\x02 scene", "Force Text")])
async def test_every_answer_that_a_scene_spoils_says_so(
    tool: str, arguments: dict[str, str], content: str, says: str, caller: Caller, project: Path
) -> None:
    (project / "Assets/Scenes/Menu.unity").write_text(content)
    notes = (await done(caller, tool, **arguments))["diagnostics"]
    assert any("Menu.unity" in note for note in notes)
    assert any(says in note or "not text-serialized" in note for note in notes)


async def test_scripts_that_are_pointers_are_said_where_scripts_are_listed(caller: Caller, project: Path) -> None:
    assert "diagnostics" not in await done(caller, "project.scripts.list")
    (project / "Assets/Scripts/EnemyAI.cs").write_text(POINTER)
    listed = await done(caller, "project.scripts.list", baseClass="MonoBehaviour")
    assert [row["className"] for row in listed["scripts"]] == ["PlayerController"]
    (note,) = listed["diagnostics"]
    assert note.startswith("Not looked into: 1 git-LFS pointer ('Assets/Scripts/EnemyAI.cs').")
    assert "git-LFS pointer" in await refused(caller, "asset.outline", assetPath="Assets/Scripts/EnemyAI.cs")


async def test_what_is_missing_is_grouped_filtered_and_paged(caller: Caller, project: Path) -> None:
    found = await done(caller, "project.references.missing", groupsOnly=True)
    assert found["missingScripts"] == found["brokenReferences"] == []
    statuses = [row["status"] for row in found["groups"]]
    assert statuses == sorted(statuses, key=["missing", "stale-override", "unresolved-package"].index)
    only = await done(caller, "project.references.missing", status="unresolved-package")
    assert {row["status"] for row in (*only["missingScripts"], *only["brokenReferences"])} == {"unresolved-package"}
    first = await done(caller, "project.references.missing", limit=1)
    second = await done(caller, "project.references.missing", limit=1, offset=first["nextOffset"])
    assert first["missingScripts"] != second["missingScripts"]
    assert first["totalScripts"] == second["totalScripts"] == found["totalScripts"]
    one = await done(caller, "project.references.missing", guid="dead000000000000000000000000beef")
    assert (one["totalScripts"], one.get("totalReferences", 0)) == (1, 0)


async def test_a_class_of_a_package_is_called_as_the_editor_noted_it(caller: Caller, project: Path) -> None:
    text = (project / MAIN).read_text().replace("c5000000000000000000000000000001", "ab" * 16)
    noted = "m_EditorClassIdentifier: Unity.Cinemachine::Unity.Cinemachine.CinemachineCamera"
    assert "m_EditorClassIdentifier: \n" in text
    (project / MAIN).write_text(text.replace("m_EditorClassIdentifier: \n", f"{noted}\n"))
    listed = await done(caller, "component.list", hierarchyPath="Player", scenePath=MAIN)
    assert "CinemachineCamera" in [row["type"] for row in listed["components"]]


async def test_a_class_of_a_package_is_called_by_its_source_in_the_cache(caller: Caller, project: Path) -> None:
    text = (project / MAIN).read_text().replace("c5000000000000000000000000000001", "ab" * 16)
    (project / MAIN).write_text(text)
    folder = project / "Library/PackageCache/com.some.one@1.0.0/Runtime"
    folder.mkdir(parents=True)
    (folder / "Turret.cs").write_text("namespace Some { public class Turret : UnityEngine.MonoBehaviour {} }\n")
    (folder / "Turret.cs.meta").write_text(f"fileFormatVersion: 2\nguid: {'ab' * 16}\n")
    listed = await done(caller, "component.list", hierarchyPath="Player", scenePath=MAIN)
    assert "Turret" in [row["type"] for row in listed["components"]]


PIPELINE = "  m_CustomRenderPipeline: {fileID: 11400000, guid: abababababababababababababababab, type: 2}\n"
LEVELS = """%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!47 &1
QualitySettings:
  m_CurrentQuality: 1
  m_QualitySettings:
  - name: Low
    customRenderPipeline: {fileID: 0}
  - name: High
    customRenderPipeline: {fileID: 11400000, guid: cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd, type: 2}
"""


async def test_the_pipeline_is_the_one_in_use(caller: Caller, project: Path) -> None:
    graphics = project / "ProjectSettings/GraphicsSettings.asset"
    graphics.write_text(f"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!30 &1\nGraphicsSettings:\n{PIPELINE}")
    (project / "Packages/manifest.json").write_text('{"dependencies": {"com.unity.render-pipelines.universal": "14"}}')
    assert (await done(caller, "project.info"))["renderPipeline"] == "Universal Render Pipeline"
    asset = project / "Assets/HD.asset"
    script = "m_Script: {fileID: 11500000, guid: 0cf1dab834d4ec34195b920ea7bbf9ec, type: 3}"
    asset.write_text(f"%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  {script}\n")
    (project / "Assets/HD.asset.meta").write_text(f"fileFormatVersion: 2\nguid: {'cd' * 16}\n")
    (project / "ProjectSettings/QualitySettings.asset").write_text(LEVELS)
    assert (await done(caller, "project.info"))["renderPipeline"] == "High Definition Render Pipeline"


@pytest.mark.parametrize("tool", ["asset.outline", "asset.info"])
async def test_a_file_of_which_only_the_meta_is_there_is_said_to_be_missing(
    tool: str, caller: Caller, project: Path
) -> None:
    (project / "Assets/Scripts/EnemyAI.cs").unlink()
    text = await refused(caller, tool, assetPath="Assets/Scripts/EnemyAI.cs")
    assert "Its .meta is there" in text
    assert "Did you mean" not in text
