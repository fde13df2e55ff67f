"""References that lead nowhere: listed, cleared, replaced; and overrides of what is gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller
from tests.unity.operations.changed_copies import BOSS, ENEMY, MAIN, MENU, done, files_of, refused

pytestmark = pytest.mark.anyio


async def test_mending_lists_first_and_writes_on_request(caller: Caller, project: Path) -> None:
    before = files_of(project)
    arguments = {"clearReferences": True, "removeMissingScripts": True, "includeUnresolved": True}
    listed = await done(caller, "project.references.fix", **arguments)
    assert listed["applied"] is False
    assert files_of(project) == before
    assert listed["fixes"] == [
        {"path": MENU, "action": "clear-reference", "count": 2},
        {"path": MENU, "action": "remove-component", "count": 2},
    ]
    assert (await done(caller, "project.references.fix", **arguments, apply=True))["applied"] is True
    found = (await caller.reply("project.references.missing", {})).structured or {}
    assert (found["missingScripts"], found["brokenReferences"]) == ([], [])
    await caller.reply("history", {"action": "undo"})
    assert files_of(project) == before


async def test_another_asset_takes_the_place_of_one_that_is_gone(caller: Caller, project: Path) -> None:
    gone = "dead000000000000000000000000beef"
    result = await done(
        caller, "project.references.fix", replaceGuids={gone: "Assets/Scripts/PlayerController.cs"}, apply=True
    )
    assert result["fixes"] == [{"path": MENU, "action": "replace-guid", "count": 1}]
    found = await caller.reply("component.list", {"scenePath": MENU, "hierarchyPath": "Canvas"})
    assert [row["type"] for row in (found.structured or {})["components"]][-1] == "PlayerController"
    assert "is not a guid" in await refused(caller, "project.references.fix", replaceGuids={"x": MAIN})
    assert "Nothing to do" in await refused(caller, "project.references.fix")


async def test_stale_overrides_are_dropped(caller: Caller, project: Path) -> None:
    prefab = project / ENEMY
    prefab.write_text(prefab.read_text().replace("7310000000000000003", "7310000000000000099"))
    result = await done(caller, "project.references.fix", clearReferences=True, scope="prefabs", apply=True)
    assert result["fixes"] == [{"path": BOSS, "action": "remove-override", "count": 1}]
    assert "7310000000000000003" not in (project / BOSS).read_text()


async def test_what_holds_a_file_together_is_never_cleared(caller: Caller, project: Path) -> None:
    (project / ENEMY).unlink()
    before = files_of(project)
    found = (await caller.reply("project.references.missing", {"scope": "scenes"})).structured or {}
    lost = [row for row in found["brokenReferences"] if row["referenceGuid"] == "f0000000000000000000000000000001"]
    assert {row["status"] for row in lost} == {"missing"}
    result = await done(caller, "project.references.fix", clearReferences=True, apply=True)
    assert result["fixes"] == [{"path": MENU, "action": "clear-reference", "count": 1}]
    assert files_of(project)[MAIN] == before[MAIN]
