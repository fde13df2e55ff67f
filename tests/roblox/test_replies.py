"""What a model, or a person on a terminal, reads of a reply: that it was a dry run, and what was not checked."""

from __future__ import annotations

import json

import pytest
from tests.conftest import Caller
from tests.roblox.conftest import Game

from scenewright.app import make_runtime
from scenewright.cli.terminal import print_reply
from scenewright.contracts import render
from scenewright.core.calls.call import DRY_RUN
from scenewright.core.config import Config
from scenewright.roblox import syntax

pytestmark = pytest.mark.anyio
MADE = {"parentPath": "Workspace", "className": "Part", "name": "A"}
SCRIPT = {"parentPath": "ServerScriptService", "name": "Run", "scriptType": "Script", "source": "print(1)"}


async def test_a_terminal_shows_that_it_was_a_dry_run(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    dry = await game.caller.reply("roblox.instance_create", MADE, meta={"dryRun": True})
    print_reply(dry, as_json=False)
    tried = capsys.readouterr().out.splitlines()
    print_reply(await game.caller.reply("roblox.instance_create", MADE), as_json=False)
    done = capsys.readouterr().out.splitlines()
    assert tried[0].startswith(f"✓ {DRY_RUN} created 1 instance in ")
    assert done[0] == tried[0].replace(f"{DRY_RUN} ", "")
    assert done[1:] == [*tried[1:], "Take it back: scenewright call history undo entry=1"]
    assert tried[1:] == ["created Workspace.A (Part)"]


async def test_source_that_nobody_checked_is_said_where_a_model_reads(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syntax, "_compiler", lambda: None)
    reply = await game.caller.reply("roblox.script_create", SCRIPT)
    assert reply.structured is not None
    assert "The source was not checked" in reply.structured["warnings"][0]
    assert "The source was not checked" in (reply.text or "")
    assert reply.meta["warnings"] == reply.structured["warnings"]


async def test_a_reply_without_warnings_has_the_three_fields_of_the_contract(game: Game) -> None:
    assert set(await game.reply("instance_create", MADE)) == {"runId", "output", "diff"}


async def test_our_own_records_are_not_taken_for_a_strangers(game: Game) -> None:
    await game.reply("instance_create", MADE)
    again = make_runtime(Config(project=game.project, rate_limit=None))
    reply = await Caller(again).reply("core.ping", {})
    again.close()
    assert reply.structured is not None
    assert "warnings" not in reply.structured


async def test_a_model_reads_of_a_snapshot_what_the_classes_do_not_say(game: Game) -> None:
    whole = (await game.reply("scene_snapshot", {"rootPath": "Workspace"}))["output"]
    outcome = await game.caller.run("roblox.scene_snapshot", {"rootPath": "Workspace"})
    brief = render(outcome, brief=True).structured
    assert brief is not None
    told = brief["output"]
    assert len(json.dumps(told["snapshot"])) < 0.6 * len(json.dumps(whole["snapshot"]))
    assert told["nodeCount"] == whole["nodeCount"]
    names = [child["name"] for child in told["snapshot"]["children"]]
    assert names == [child["name"] for child in whole["snapshot"]["children"]]
    assert not {"instanceId", "path", "parentPath", "childCount"} & told["snapshot"]["children"][0].keys()


async def test_a_script_is_created_and_read_by_the_names_that_instances_go_by(game: Game) -> None:
    made = {"parentPath": "ServerScriptService", "name": "Also", "className": "Script", "source": "print(2)"}
    await game.ask("script_create", **made)
    read = await game.ask("script_get_source", instancePath="ServerScriptService.Also")
    assert read["source"] == "print(2)"
