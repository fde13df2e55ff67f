"""Each new asset gets a `.meta` with a guid of its own, which goes with it; what was there is left as it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import files_of

pytestmark = pytest.mark.anyio


async def call(caller: Caller, tool: str, **arguments: Any) -> None:
    outcome = await caller.run(tool, arguments)
    assert outcome.ok, outcome.fault


async def test_a_new_script_gets_a_meta_and_undo_takes_both(caller: Caller, project: Path) -> None:
    before = files_of(project)
    await call(caller, "write_file", path="Assets/Tools/Deep/New.cs", content="class New {}\n")
    new = {path: text for path, text in files_of(project).items() if path not in before}
    metas = ["Assets/Tools.meta", "Assets/Tools/Deep.meta", "Assets/Tools/Deep/New.cs.meta"]
    assert sorted(new) == sorted(["Assets/Tools/Deep/New.cs", *metas])
    guids = [re.findall(rb"^guid: ([0-9a-f]{32})$", new[meta], re.MULTILINE) for meta in metas]
    assert len({one for (one,) in guids}) == 3
    assert b"\nMonoImporter:\n" in new["Assets/Tools/Deep/New.cs.meta"]
    assert b"\nfolderAsset: yes\n" in new["Assets/Tools.meta"]
    await call(caller, "history", action="undo")
    assert files_of(project) == before


async def test_a_changed_file_keeps_its_meta_and_a_deleted_one_takes_it_along(caller: Caller, project: Path) -> None:
    before = files_of(project)
    script = "Assets/Scripts/EnemyAI.cs"
    await call(caller, "write_file", path=script, content="class EnemyAI {}\n", overwrite=True)
    assert [path for path, text in files_of(project).items() if text != before.get(path)] == [script]
    await call(caller, "history", action="undo")
    await call(caller, "delete_file", path=script)
    assert before.keys() - files_of(project).keys() == {script, f"{script}.meta"}
    await call(caller, "history", action="undo")
    assert files_of(project) == before


@pytest.mark.parametrize("path", ["notes.md", "Assets/.hidden/a.cs", "Assets/Docs~/a.md", "ProjectSettings/New.asset"])
async def test_what_the_editor_does_not_import_gets_none(path: str, caller: Caller, project: Path) -> None:
    before = files_of(project)
    await call(caller, "write_file", path=path, content="x\n")
    assert files_of(project).keys() - before.keys() == {path}


async def test_a_script_and_its_component_are_made_in_one_batch(caller: Caller, project: Path) -> None:
    script = {
        "path": "Assets/Hop.cs",
        "content": "class Hop : UnityEngine.MonoBehaviour { public float height = 2; }\n",
    }
    place = {"scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "componentType": "Hop"}
    calls = [
        {"tool": "write_file", "args": script},
        {"tool": "scene.component.add", "args": {**place, "properties": {"height": 3}}},
    ]
    await call(caller, "batch_operations", operations=calls, atomic=True)
    assert b"\n  height: 3\n" in (project / "Assets/Scenes/Main.unity").read_bytes()
