"""The tools of the open editor, in three versions of its package."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.unity.live.conftest import MakeEditor, come_back_when_waited_for, pipeline_of
from tests.unity.live.pipeline_double import UnityDouble
from tests.unity.operations.changed_copies import MAIN, done, refused

from scenewright.core.calls.call import SilentClient

pytestmark = pytest.mark.anyio
VERSIONS = ["0.3", "0.8", "0.9"]
APPROVED = {"approved": True}


@pytest.fixture(params=VERSIONS)
def editor(request: pytest.FixtureRequest, make_editor: MakeEditor) -> UnityDouble:
    return make_editor(request.param)


async def test_the_selection_is_what_the_editor_says(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN)
    reply = await caller.reply("editor.selection.info")
    assert reply.structured == {
        "activeScene": MAIN,
        "activeGameObject": "Player/Sword",
        "selectedObjects": [
            {"name": "Sword", "path": "Player/Sword", "instanceId": 1234, "type": "GameObject"},
            {"name": "Red.mat", "path": "Assets/Red.mat", "instanceId": 0, "type": "Material"},
        ],
    }


async def test_the_state_tells_what_is_open_and_that_nothing_is_missing(caller: Caller, editor: UnityDouble) -> None:
    editor.open(MAIN).unsaved = True
    state = (await caller.reply("unity.editor.status")).structured or {}
    assert state["connected"]
    assert state["openScenes"] == [{"path": MAIN, "unsaved": True, "active": True}]
    assert (state["status"], state["playMode"], state["port"]) == ("ready", "stopped", editor.port)
    missing = state.get("missing", [])
    assert missing == ["import changed files"]  # of two ways to import, it has the other


async def test_the_console_is_read_on_from_its_cursor(caller: Caller, editor: UnityDouble) -> None:
    editor.log("log", "Hello")
    editor.log("error", "NullReferenceException")
    first = (await caller.reply("unity.editor.console", {"level": "error"})).structured or {}
    assert [entry["message"] for entry in first["entries"]] == ["NullReferenceException"]
    editor.log("warn", "Later")
    more = (await caller.reply("unity.editor.console", {"since": first["cursor"]})).structured or {}
    assert [entry["message"] for entry in more["entries"]] == ["Later"]


@pytest.mark.parametrize("view", ["game", "scene"])
async def test_a_picture_comes_beside_the_reply(view: str, caller: Caller, editor: UnityDouble) -> None:
    outcome = await caller.run("unity.editor.capture", {"view": view, "width": 64, "height": 32})
    assert outcome.ok
    assert (outcome.call.output.width, outcome.call.output.height) == (64, 32)
    [attachment] = outcome.call.attachments
    assert attachment.mime_type == "image/png"
    assert isinstance(attachment.data, bytes)
    assert attachment.data.startswith(b"\x89PNG")


async def test_the_game_is_started_paused_and_stopped(caller: Caller, editor: UnityDouble) -> None:
    assert (await done(caller, "unity.editor.play"))["playMode"] == "playing"
    assert (await done(caller, "unity.editor.play", pause=True))["playMode"] == "paused"
    assert (await done(caller, "unity.editor.stop"))["playMode"] == "stopped"
    assert editor.playing == "stopped"


async def test_starting_waits_until_the_scripts_are_loaded(caller: Caller, editor: UnityDouble) -> None:
    editor.reloads_on.add("editor_play")
    waits = come_back_when_waited_for(pipeline_of(caller), editor)
    assert (await done(caller, "unity.editor.play"))["playMode"] == "playing"
    assert waits
    assert editor.asked.count("exec editor_play") == 1


async def test_a_running_game_is_not_started_again(caller: Caller, editor: UnityDouble) -> None:
    editor.playing = "playing"
    assert (await done(caller, "unity.editor.play"))["playMode"] == "playing"
    assert "exec editor_play" not in editor.asked


class Listener(SilentClient):
    """Hears of progress."""

    def __init__(self) -> None:
        self.heard: list[tuple[float, str | None]] = []

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self.heard.append((done, message))


async def test_tests_run_as_a_job_and_their_failures_are_told(caller: Caller, editor: UnityDouble) -> None:
    come_back_when_waited_for(pipeline_of(caller), editor)
    client = Listener()
    outcome = await caller.run("unity.editor.tests", {"mode": "editor"}, client=client)
    assert outcome.ok, outcome.fault
    output = outcome.call.output
    assert (output.passed, output.total, output.failed) == (False, 2, 1)
    assert [(row.name, row.message) for row in output.failures] == [("Game.PlayerTests.Falls", "Expected: 1")]
    if editor.version != "0.3":  # which knows no jobs
        assert client.heard == [(0.25, "step 1"), (0.5, "step 2")]


async def test_only_tests_that_ran_can_pass(caller: Caller, editor: UnityDouble) -> None:
    come_back_when_waited_for(pipeline_of(caller), editor)
    assert (await done(caller, "unity.editor.tests", filter="Jumps"))["passed"]
    assert not (await done(caller, "unity.editor.tests", filter="Nothing"))["passed"]


async def test_code_runs_only_when_a_person_says_so(
    caller: Caller, editor: UnityDouble, make_caller: MakeCaller
) -> None:
    assert "approv" in (await refused(caller, "unity.editor.eval", code="return 1;")).lower()
    assert "exec eval" not in editor.asked
    trusted = make_caller(allow_dangerous=True)
    result = await done(trusted, "unity.editor.eval", code="return Application.unityVersion;")
    assert result == {"result": "6000.3.2f1", "output": "printed\n"}


async def test_a_failure_inside_a_success_is_a_failure(make_caller: MakeCaller, editor: UnityDouble) -> None:
    text = await refused(make_caller(allow_dangerous=True), "unity.editor.eval", code="throw 1;")
    assert "Runtime Error: It was thrown." in text


async def test_an_import_waits_and_tells_compile_errors(caller: Caller, editor: UnityDouble) -> None:
    come_back_when_waited_for(pipeline_of(caller), editor)
    assert await done(caller, "unity.editor.refresh") == {"status": "completed", "errors": []}
    editor.compile_errors = ["Assets/A.cs(1,1): error CS1002"]
    editor.reloads_on.add("recompile")
    assert await done(caller, "unity.editor.refresh") == {"status": "failed", "errors": editor.compile_errors}


async def test_unsaved_scenes_are_saved(caller: Caller, editor: UnityDouble) -> None:
    assert await done(caller, "unity.editor.save") == {"saved": []}
    editor.open(MAIN).unsaved = True
    assert await done(caller, "unity.editor.save") == {"saved": [MAIN]}
    assert not editor.scenes[MAIN].unsaved


async def test_a_command_of_the_editor_is_found_and_confirmed(make_caller: MakeCaller, editor: UnityDouble) -> None:
    caller = make_caller(allow_dangerous=True)
    come_back_when_waited_for(pipeline_of(caller), editor)
    listing: dict[str, Any] = (await caller.reply("unity.command.list", {"query": "delete asset"})).structured or {}
    [row] = listing["commands"]
    assert row["parameters"] == ["path: String", "confirm?: Boolean", "dry_run?: Boolean"]
    result = await done(caller, "unity.command.run", command=row["name"], parameters={"path": "Assets/A.mat"})
    assert result["result"]["applied"]
    text = await refused(caller, "unity.command.run", command=row["name"], parameters={"pth": "x"})
    assert "no parameter 'pth'" in text
    assert "path" in text
    assert "no command 'delete_assets_x'" in await refused(caller, "unity.command.run", command="delete_assets_x")


async def test_a_dry_run_of_a_command_is_its_own(make_caller: MakeCaller, editor: UnityDouble) -> None:
    caller = make_caller(allow_dangerous=True)
    listing: dict[str, Any] = (await caller.reply("unity.command.list", {"query": "delete asset"})).structured or {}
    asked = {"command": listing["commands"][0]["name"], "parameters": {"path": "Assets/A.mat", "confirm": True}}
    outcome = await caller.run("unity.command.run", asked, meta={"dryRun": True})
    assert outcome.ok, outcome.fault
    assert outcome.call.output.result["applied"] is False
    assert editor.sent[-1]["parameters"] == {"path": "Assets/A.mat", "dry_run": True}
    sent = len(editor.sent)
    name = "editor.playmode enter" if editor.version == "0.9" else "editor_play"
    outcome = await caller.run("unity.command.run", {"command": name}, meta={"dryRun": True})
    assert "cannot show what it would do" in str(outcome.fault)
    assert len(editor.sent) == sent


async def test_a_list_of_commands_has_pages(caller: Caller, editor: UnityDouble) -> None:
    first: dict[str, Any] = (await caller.reply("unity.command.list", {"limit": 30})).structured or {}
    offset = first["nextOffset"]
    rest: dict[str, Any] = (await caller.reply("unity.command.list", {"limit": 200, "offset": offset})).structured or {}
    names = [row["name"] for row in first["commands"] + rest["commands"]]
    assert names == sorted(set(names))
    assert len(names) == first["total"] == 56


async def test_a_dry_run_tells_the_editor_nothing(make_caller: MakeCaller, editor: UnityDouble) -> None:
    caller = make_caller(allow_dangerous=True)
    for tool, arguments in (
        ("unity.editor.play", {}),
        ("unity.editor.eval", {"code": "1"}),
        ("unity.editor.tests", {}),
    ):
        await caller.run(tool, arguments, meta={"dryRun": True})
    assert [asked for asked in editor.asked if asked.startswith("exec")] == []


async def test_a_read_only_server_offers_only_looks(make_caller: MakeCaller, editor: UnityDouble) -> None:
    caller = make_caller(read_only=True)
    assert (await caller.reply("unity.editor.status")).structured
    for tool in ("unity.editor.play", "unity.editor.save", "unity.editor.refresh"):
        assert (await caller.reply(tool)).is_error
    assert [asked for asked in editor.asked if asked.startswith("exec editor_play")] == []
