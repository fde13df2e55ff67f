"""Installing the editor addon: losslessly, undoable, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Caller

from scenewright.core.projects.user_folder import user_token_file
from scenewright.godot.editor.addon_files import PLUGIN

pytestmark = pytest.mark.anyio
SETTINGS = '; kept as it is\nconfig_version=5\n\n[application]\n\nconfig/name="X"   ; odd spacing\n'


@pytest.fixture
def game(project: Path) -> Path:
    (project / "project.godot").write_text(SETTINGS)
    return project


async def test_the_addon_is_installed_and_enabled_and_nothing_else_changes(game: Path, caller: Caller) -> None:
    result = (await caller.reply("godot_sync_addon")).structured
    assert result is not None
    assert result["result"]["enabled"] is True
    assert (game / "addons/scenewright_bridge/plugin.cfg").exists()
    assert (game / "project.godot").read_text() == (
        SETTINGS + f'\n[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}")\n'
    )


async def test_the_reply_does_not_show_the_addons_own_source(game: Path, caller: Caller) -> None:
    reply = await caller.reply("godot_sync_addon")
    assert (game / "addons/scenewright_bridge/plugin.gd").read_text() not in str(reply.structured)
    assert len(str(reply.structured)) < 1000
    assert len(reply.text or "") < 1000


async def test_other_plugins_stay_enabled(game: Path, caller: Caller) -> None:
    (game / "project.godot").write_text(
        SETTINGS + '\n[editor_plugins]\n\nenabled=PackedStringArray("res://a/plugin.cfg")\n'
    )
    await caller.reply("godot_sync_addon")
    assert f'PackedStringArray("res://a/plugin.cfg", "{PLUGIN}")' in (game / "project.godot").read_text()


async def test_a_second_time_changes_nothing(game: Path, caller: Caller) -> None:
    await caller.reply("godot_sync_addon")
    again = (await caller.reply("godot_sync_addon")).structured
    assert again is not None
    assert (again["result"].get("installed", 0), again["result"].get("renewed", 0)) == (0, 0)
    assert "is up to date." in again["summary"]
    assert "execution" not in again


async def test_what_an_older_addon_left_is_gone_and_comes_back_with_undo(game: Path, caller: Caller) -> None:
    old = game / "addons/scenewright_bridge/old.gd"
    old.parent.mkdir(parents=True)
    old.write_text("extends Node\n")
    await caller.reply("godot_sync_addon")
    assert not old.exists()
    await caller.reply("history", {"action": "undo"})
    assert old.read_text() == "extends Node\n"
    assert (game / "project.godot").read_text() == SETTINGS
    assert not (game / "addons/scenewright_bridge/plugin.cfg").exists()


async def test_the_uids_that_the_engine_gave_the_scripts_stay(game: Path, caller: Caller) -> None:
    await caller.reply("godot_sync_addon")
    uid = game / "addons/scenewright_bridge/plugin.gd.uid"
    uid.write_text("uid://made0by0the0engine\n")
    again = (await caller.reply("godot_sync_addon")).structured
    assert again is not None
    assert "removed" not in again["result"]
    assert uid.exists()


async def test_it_can_be_installed_without_being_enabled(game: Path, caller: Caller) -> None:
    reply = (await caller.reply("godot_sync_addon", {"enablePlugin": False})).structured
    assert reply is not None
    assert reply["result"]["enabled"] is False
    assert (game / "project.godot").read_text() == SETTINGS


async def test_the_token_is_only_for_the_user(game: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(game.parent / "home"))
    await caller.reply("godot_sync_addon")
    assert user_token_file().stat().st_mode & 0o777 == 0o600


async def test_a_dry_run_installs_nothing(game: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(game.parent / "home"))
    await caller.reply("godot_sync_addon", {"dryRun": True})
    assert not (game / "addons").exists()
    assert not user_token_file().exists()


async def test_a_folder_without_a_project_is_refused(project: Path, caller: Caller) -> None:
    reply = (await caller.reply("godot_sync_addon")).structured
    assert reply is not None
    assert "project.godot" in reply["error"]["message"]


async def test_the_token_is_made_only_where_it_is_asked_for(
    game: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCENEWRIGHT_HOME", str(game.parent / "home"))
    made = user_token_file()
    await caller.reply("godot_sync_addon", {"ensureToken": False})
    assert not made.exists()
    await caller.reply("godot_sync_addon", {"ensureToken": True})
    assert made.exists()


async def test_the_reply_tells_what_was_done_and_not_the_source_of_the_addon(game: Path, caller: Caller) -> None:
    reply = await caller.reply("godot_sync_addon")
    assert reply.structured is not None
    assert len(str(reply.text)) < 2000
    result = reply.structured["result"]
    assert result["installed"] > 50
    assert result["version"] in reply.structured["summary"]
    assert "Open the project in Godot" in result["nextStep"]
    added = sum(file.read_bytes().count(b"\n") for file in (game / "addons").rglob("*") if file.is_file())
    diff = reply.structured["execution"]["diff"]
    assert f"+{added + 4} −0 lines" in diff["summary"]
    assert f"created {result['installed']} files in addons/scenewright_bridge" in diff["entries"]
    shown = await caller.reply("history", {"action": "show", "entry": 1})
    undone = await caller.reply("history", {"action": "undo"})
    assert "extends" not in f"{shown.text}{undone.text}"


async def test_what_was_renewed_removed_and_left_is_counted(game: Path, caller: Caller) -> None:
    first = await caller.result("godot_sync_addon")
    (game / "addons/scenewright_bridge/plugin.gd").write_text("extends Node\n")
    (game / "addons/scenewright_bridge/old.gd").write_text("extends Node\n")
    result = await caller.result("godot_sync_addon")
    assert (result["renewed"], result["removed"], result["unchanged"]) == (1, 1, first["installed"] - 1)
