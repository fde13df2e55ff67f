from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller
from tests.support.gdscript_runner import make_project

pytestmark = pytest.mark.anyio


async def call(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    structured = (await caller.reply(tool, arguments)).structured
    assert structured is not None
    found: dict[str, Any] = structured
    return found


async def test_presets_are_listed_in_their_order(project: Path, caller: Caller) -> None:
    make_project(project)
    assert (await call(caller, "list_export_presets"))["result"]["presets"] == []
    for platform in ("Linux", "linux/x11", "Web"):
        assert (await call(caller, "add_export_preset", platform=platform))["ok"]
    listed = (await call(caller, "list_export_presets"))["result"]
    assert [(row["name"], row["platform"], row["runnable"]) for row in listed["presets"]] == [
        ("Linux", "Linux", True),
        ("Linux 2", "Linux", False),
        ("Web", "Web", True),
    ]
    assert "Windows Desktop" in listed["platforms"]


async def test_of_a_platform_one_preset_is_runnable(project: Path, caller: Caller) -> None:
    make_project(project)
    for platform in ("Linux", "Linux", "Web"):
        await call(caller, "add_export_preset", platform=platform)
    assert (await call(caller, "edit_export_preset", preset="Linux 2", runnable=True))["ok"]
    listed = (await call(caller, "list_export_presets"))["result"]["presets"]
    assert [row["runnable"] for row in listed] == [False, True, True]


async def test_an_edit_changes_only_what_it_names(project: Path, caller: Caller) -> None:
    own = '[preset.0]\n\nname="Mine"\nplatform="Linux"\n; a remark\n\n[preset.0.options]\n\nof_a_plugin=3\n'
    make_project(project, {"export_presets.cfg": own})
    done = await call(caller, "edit_export_preset", preset="Mine", options={"of_a_plugin": 4})
    assert done["result"]["values"] == {"of_a_plugin": 4}
    assert (project / "export_presets.cfg").read_text() == own.replace("=3", "=4")


async def test_the_export_path_is_kept_from_the_projects_root(project: Path, caller: Caller) -> None:
    make_project(project)
    made = await call(caller, "add_export_preset", platform="Linux", exportPath="res://build/game.x86_64")
    assert made["result"]["exportPath"] == "build/game.x86_64"
    for given, kept in (("./other/../game.x86_64", "game.x86_64"), ("", "")):
        edited = await call(caller, "edit_export_preset", preset="Linux", exportPath=given)
        assert edited["result"]["exportPath"] == kept
    assert "res://build" not in (project / "export_presets.cfg").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        ({"preset": "Linus"}, "E_NOT_FOUND", "Linux"),
        ({"options": {"binary_format/embed": True}}, "E_NOT_FOUND", "binary_format/embed_pck"),
        ({"options": {"binary_format/architecture": "x86"}}, "E_SCHEMA_VALIDATION", "x86_64"),
        ({"options": {"binary_format/embed_pck": "perhaps"}}, "E_SCHEMA_VALIDATION", ""),
        ({"properties": {"export_filter": "some"}}, "E_SCHEMA_VALIDATION", "scenes"),
        ({"properties": {"export_files": ["res://none.tscn"]}}, "E_NOT_FOUND", ""),
        ({"properties": {"name": "Other"}}, "E_NOT_FOUND", ""),
        ({"exportPath": "../out/game"}, "E_PERMISSION_DENIED", ""),
        ({"newName": "Web"}, "E_PERMISSION_DENIED", "another name"),
    ],
)
async def test_a_bad_edit_changes_nothing(
    project: Path, caller: Caller, arguments: dict[str, Any], code: str, hint: str
) -> None:
    make_project(project)
    for platform in ("Linux", "Web"):
        await call(caller, "add_export_preset", platform=platform)
    before = (project / "export_presets.cfg").read_bytes()
    refused = await call(caller, "edit_export_preset", **{"preset": "Linux", **arguments})
    assert refused["error"]["code"] == code
    assert hint in refused["error"].get("suggestedFix", "")
    assert (project / "export_presets.cfg").read_bytes() == before


async def test_an_unknown_platform_is_refused(project: Path, caller: Caller) -> None:
    make_project(project)
    refused = await call(caller, "add_export_preset", platform="Windws Desktop")
    assert "Windows Desktop" in refused["error"]["suggestedFix"]
    assert not (project / "export_presets.cfg").exists()
