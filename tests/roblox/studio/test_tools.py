"""The tools about Studio and about running scripts, through the whole pipeline."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.studio.live import open_in_studio, use_free_bridge
from tests.roblox.studio.window import StudioWindow

pytestmark = pytest.mark.anyio
MAIN = "ReplicatedStorage.Main"
BUILD = """
return { build = function(n)
    for index = 1, n do
        local part = Instance.new("Part", workspace)
        part.Name = "P" .. index
    end
    print("built")
    return { count = n, at = workspace.P1.Position }
end, none = function() end, fail = function() workspace.House:Destroy() error("no") end }
"""


@pytest.fixture
def placed(project: Path, place: Path) -> Path:
    shutil.copy(place, project / "game.rbxl")
    return project / "game.rbxl"


@pytest.fixture
def window(placed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StudioWindow]:
    with open_in_studio(monkeypatch, placed, name="Lobby", placeId=7) as opened:
        yield opened


@pytest.fixture(params=["place", "studio"])
def on(request: pytest.FixtureRequest, placed: Path, make_caller: MakeCaller) -> Caller:
    if request.param == "studio":
        request.getfixturevalue("window")
        return make_caller(bridge_enabled=True, allow_dangerous=True)
    return make_caller(allow_dangerous=True)


async def _call(caller: Caller, tool: str, arguments: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments or {}, **options)
    assert reply.error is None, reply.error
    structured = reply.structured
    assert isinstance(structured, dict)
    return structured


async def _refusal(caller: Caller, tool: str, arguments: dict[str, Any]) -> Any:
    reply = await caller.reply(tool, arguments)
    assert reply.error is not None, reply.structured
    return reply.error


async def test_a_script_runs_and_what_it_made_is_there(on: Caller):
    await _call(on, "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    ran = await _call(on, "roblox.script_execute", {"scriptPath": MAIN, "functionName": "build", "args": [2]})
    output = ran["output"]
    assert (output["executed"], output["called"], output["path"]) == (True, True, MAIN)
    assert output["output"] == ["output: built"]
    assert output["returnValue"] == {"count": 2, "at": {"_type": "Vector3", "x": 0, "y": 0, "z": 0}}
    listed = await _call(on, "roblox.instance_list_children", {"parentPath": "Workspace"})
    assert [child["name"] for child in listed["output"]["children"]] == ["House", "P1", "P2"]


async def test_a_dry_run_on_files_runs_the_script_and_writes_nothing(placed: Path, make_caller: MakeCaller):
    await _call(make_caller(), "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    before = placed.read_bytes()
    build = {"scriptPath": MAIN, "functionName": "build", "args": [1]}
    ran = await _call(make_caller(), "roblox.script_execute", build, meta={"dryRun": True})
    output = ran["output"]
    assert (output["dryRun"], output["executed"], output["called"]) == (True, True, True)
    assert output["returnValue"]["count"] == 1
    assert output["output"] == ["output: built"]
    assert "P1" in str(ran["diff"]["entries"])
    calls = [{"tool": "roblox.script_execute", "args": build}]
    batch = await _call(make_caller(), "batch_operations", {"operations": calls, "dryRun": True})
    assert '"count": 1' in json.dumps(batch)
    assert placed.read_bytes() == before


async def test_a_dry_run_runs_no_script_where_the_policy_lets_none_be_run(placed: Path, make_caller: MakeCaller):
    del placed
    await _call(make_caller(), "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    caller = make_caller(policy_rules="local-dev")
    ran = await _call(caller, "roblox.script_execute", {"scriptPath": MAIN}, meta={"dryRun": True})
    assert "executed" not in ran["output"]
    assert "policy" in str(ran)


async def test_a_dry_run_in_studio_runs_nothing(window: StudioWindow, make_caller: MakeCaller):
    del window
    on = make_caller(bridge_enabled=True, allow_dangerous=True)
    await _call(on, "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    ran = await _call(
        on, "roblox.script_execute", {"scriptPath": MAIN, "functionName": "build", "args": [1]}, meta={"dryRun": True}
    )
    assert set(ran["output"]) == {"dryRun", "path", "instanceId"}
    listed = await _call(on, "roblox.instance_list_children", {"parentPath": "Workspace"})
    assert listed["output"]["total"] == 1


async def test_what_the_gox_contract_refuses_is_refused_alike(on: Caller):
    await _call(on, "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    execute = "roblox.script_execute"
    nil = await _refusal(on, execute, {"scriptPath": MAIN, "functionName": "none", "expectReturn": True})
    assert (nil.code, nil.data["code"]) == (-32602, "VALIDATION_ERROR")
    missing = await _refusal(on, execute, {"scriptPath": MAIN, "functionName": "nothing"})
    assert (missing.code, missing.data["code"]) == (-32044, "NOT_FOUND")
    nowhere = await _refusal(on, execute, {"scriptPath": "ReplicatedStorage.Mian"})
    assert nowhere.code == -32044
    assert nowhere.data["details"]["hint"] == "Did you mean 'Main'?"
    part = await _refusal(on, execute, {"scriptPath": "Workspace.House.Door"})
    assert part.code == -32602
    assert "is a Part, not a script" in part.message
    args = await _refusal(on, execute, {"scriptPath": MAIN, "args": [1]})
    assert args.data["validation_path"] == "input.args"


async def test_a_script_that_fails_leaves_nothing_behind(on: Caller):
    await _call(on, "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    failed = await _refusal(on, "roblox.script_execute", {"scriptPath": MAIN, "functionName": "fail"})
    assert failed.data["code"] == "INTERNAL_ERROR"
    assert f"{MAIN}:9: no" in failed.message
    assert await _call(on, "roblox.instance_get", {"instancePath": "Workspace.House.Door"})


async def test_what_a_script_changed_in_a_file_is_told_and_undone(placed: Path, make_caller: MakeCaller):
    caller = make_caller(allow_dangerous=True)
    before = placed.read_bytes()
    source = "workspace.House.Name = 'Hut' return 1"
    await _call(caller, "roblox.script_update", {"scriptPath": MAIN, "source": source})
    changed = placed.read_bytes()
    ran = await _call(caller, "roblox.script_execute", {"scriptPath": MAIN})
    assert ran["output"]["diffSummary"] == ran["diff"]["summary"]
    assert any("Hut" in entry for entry in ran["diff"]["entries"])
    assert placed.read_bytes() not in (before, changed)
    await caller.run("history", {"action": "undo", "entry": 2})
    assert placed.read_bytes() == changed


async def test_bridge_ping_asks_studio(window: StudioWindow, make_caller: MakeCaller):
    caller = make_caller(bridge_enabled=True)
    output = (await _call(caller, "roblox.bridge_ping"))["output"]
    assert (output["ok"], output["placeId"], output["studio"]) == (True, 7, True)
    (listed,) = (await _call(caller, "roblox.studio_list"))["output"]["studios"]
    assert (listed["placeName"], listed["placeId"], listed["transport"]) == ("Lobby", 7, "websocket")
    named = await _call(caller, "roblox.bridge_ping", {"studio": "Lobby"})
    assert named["output"]["placeId"] == 7
    wrong = await _refusal(caller, "roblox.bridge_ping", {"studio": "Loby"})
    assert "Did you mean 'Lobby'?" in wrong.message


async def test_without_the_bridge_the_tools_say_how_to_switch_it_on(placed: Path, make_caller: MakeCaller):
    refused = await _refusal(make_caller(), "roblox.bridge_ping", {})
    assert "GOX_BRIDGE_ENABLED" in refused.message


async def test_without_a_studio_calls_go_to_the_files_and_say_so(
    placed: Path, make_caller: MakeCaller, monkeypatch: pytest.MonkeyPatch
):
    with use_free_bridge(monkeypatch):
        caller = make_caller(bridge_enabled=True)
        made = {"parentPath": "Workspace", "className": "Part", "name": "New"}
        assert (await _call(caller, "roblox.instance_create", made))["output"]["backend"] == "place"
        assert "No Roblox Studio is connected" in (await _refusal(caller, "roblox.bridge_ping", {})).message


async def test_a_named_place_is_edited_in_its_file_though_studio_is_there(
    window: StudioWindow, make_caller: MakeCaller, placed: Path
):
    caller = make_caller(bridge_enabled=True)
    made = {"parentPath": "Workspace", "className": "Part", "name": "New"}
    live = await _call(caller, "roblox.instance_create", made)
    assert live["output"]["backend"] == "studio"
    filed = await _call(caller, "roblox.instance_create", made | {"placePath": "game.rbxl"})
    assert filed["output"]["backend"] == "place"
    assert window.do("return #workspace:GetChildren()") == 2
    both = await _refusal(caller, "roblox.instance_create", made | {"placePath": "game.rbxl", "studio": "Lobby"})
    assert both.data["validation_path"] == "input.studio"


async def test_a_repeated_key_changes_studio_once(window: StudioWindow, make_caller: MakeCaller):
    caller = make_caller(bridge_enabled=True)
    made = {"parentPath": "Workspace", "className": "Part", "name": "New"}
    for _ in range(2):
        await _call(caller, "roblox.instance_create", made, meta={"idempotencyKey": "mine"})
    assert window.do("return { #workspace:GetChildren(), studio.unrecorded }") == [2, 0]


async def test_a_change_in_studio_is_undone_and_made_again(window: StudioWindow, make_caller: MakeCaller):
    caller = make_caller(bridge_enabled=True)
    made = {"parentPath": "Workspace", "className": "Part", "name": "New"}
    await _call(caller, "roblox.instance_create", made)
    await _call(caller, "roblox.studio_undo")
    assert window.do("return workspace:FindFirstChild('New') == nil") is True
    await _call(caller, "roblox.studio_undo", {"redo": True})
    assert window.do("return workspace:FindFirstChild('New') ~= nil") is True
    window.do("studio.refuseRecordings = true")
    reply = await caller.reply("roblox.instance_delete", {"instancePath": "Workspace.New"}, meta={"approved": True})
    assert "did not record this change" in reply.meta["warnings"][0]


async def test_selection_console_and_playtest_are_tools(window: StudioWindow, make_caller: MakeCaller):
    caller = make_caller(bridge_enabled=True)
    chosen = await _call(caller, "roblox.selection_set", {"paths": ["Workspace.House"]})
    assert [each["path"] for each in chosen["output"]["selected"]] == ["Workspace.House"]
    assert (await _call(caller, "roblox.selection_get"))["output"] == chosen["output"]
    window.do("warn('careful')")
    console = await _call(caller, "roblox.console_output", {"level": "warning"})
    assert [each["message"] for each in console["output"]["messages"]] == ["careful"]
    none = await _refusal(caller, "roblox.play_stop", {})
    assert "No playtest is connected" in none.message
    started = await _call(caller, "roblox.play_start", {"mode": "run"})
    assert started["output"] == {"started": True, "mode": "run"}
