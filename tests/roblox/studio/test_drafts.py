"""What is staged for Studio, and what happens where Studio, or a person at it, does not play along."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.conftest import Caller, MakeCaller
from tests.roblox.studio.live import open_in_studio
from tests.roblox.studio.window import StudioWindow

from scenewright.app import make_runtime
from scenewright.core.config import Config
from scenewright.core.faults import TimedOut
from scenewright.roblox.relay.hub import Ask
from scenewright.roblox.relay.process import shared_relay

pytestmark = pytest.mark.anyio
MADE = {"parentPath": "Workspace", "className": "Part", "name": "New"}
CHILDREN = "local n = {} for _, c in workspace:GetChildren() do table.insert(n, c.Name) end return n"
BUILD = "Instance.new('Part', workspace).Name = 'Built' return 1"
MAIN = "ReplicatedStorage.Main"


@pytest.fixture
def window(project: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StudioWindow]:
    shutil.copy(place, project / "game.rbxl")
    with open_in_studio(monkeypatch, project / "game.rbxl", name="Lobby") as opened:
        yield opened


@pytest.fixture
def caller(window: StudioWindow, make_caller: MakeCaller) -> Caller:
    return make_caller(bridge_enabled=True, allow_dangerous=True)


async def body(caller: Caller, tool: str, arguments: dict[str, Any], **meta: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, arguments, meta=meta or None)
    assert reply.structured is not None, reply.text
    return reply.structured


async def batch(caller: Caller, *items: tuple[str, dict[str, Any]], **options: Any) -> dict[str, Any]:
    operations = [{"tool": f"roblox.{tool}", "args": arguments} for tool, arguments in items]
    return await body(caller, "batch_operations", {"operations": operations, "atomic": True} | options)


async def run(caller: Caller, *steps: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    named = [{"id": f"s{i}", "actionId": f"roblox.{tool}", "input": given} for i, (tool, given) in enumerate(steps)]
    definition = {"id": "w", "onFailure": "rollback", "steps": named}
    return await body(caller, "workflow.run", {"definition": definition, "waitMs": 60_000})


FAILS = ("instance_delete", {"instancePath": "Workspace.Nowhere"})


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Has something happen right before Studio is told to make what was staged."""

    def happen(what: Callable[[], None]) -> None:
        relay = shared_relay()
        call = relay.call

        def asked(ask: Ask) -> dict[str, Any]:
            if ask.operation == "place.edit":
                what()
            return call(ask)

        monkeypatch.setattr(relay, "call", asked)

    return happen


async def test_what_a_person_took_away_meanwhile_fails_the_whole_batch(
    caller: Caller, window: StudioWindow, meanwhile: Any
):
    meanwhile(lambda: window.do("workspace.House.Parent = nil"))
    into = MADE | {"parentPath": "Workspace.House"}
    reply = await batch(caller, ("instance_create", MADE), ("instance_create", into))
    assert reply["ok"] is False
    assert "'House'" in reply["error"]["message"]
    assert window.do(CHILDREN) == []
    assert window.do("return studio.history()") == []


async def test_a_value_that_a_person_changed_meanwhile_is_told(caller: Caller, window: StudioWindow, meanwhile: Any):
    meanwhile(lambda: window.do("workspace.House.Door.Transparency = 0.25"))
    given = {"instancePath": "Workspace.House.Door", "propertyName": "Transparency", "value": 0.5}
    reply = await body(caller, "roblox.instance_set_property", given)
    assert reply["output"]["value"] == 0.5
    assert "it was 0.25 before" in reply["warnings"][0]


async def test_a_step_that_was_followed_by_a_persons_stands_and_is_named(caller: Caller, window: StudioWindow):
    definition = {
        "id": "w",
        "onFailure": "rollback",
        "steps": [
            {"id": "make", "actionId": "roblox.instance_create", "input": MADE},
            {"id": "mine", "actionId": "roblox.selection_get", "input": {}},
            {"id": "fails", "actionId": f"roblox.{FAILS[0]}", "input": FAILS[1]},
        ],
    }
    window.do(
        "game:GetService('Selection').SelectionChanged:Once(function() end)"
        " workspace.ChildAdded:Once(function() task.defer(function()"
        " local h = game:GetService('ChangeHistoryService') local r = h:TryBeginRecording('by hand')"
        " workspace.House.Name = 'Hut' h:FinishRecording(r, Enum.FinishRecordingOperation.Commit) end) end)"
    )
    ended = await body(caller, "workflow.run", {"definition": definition, "waitMs": 60_000})
    assert ended["status"] == "failed"
    assert ended["rollback"] == {"undone": [], "standing": ["make"]}
    assert window.do(CHILDREN) == ["Hut", "New"]


async def test_what_studio_did_not_record_stands_and_is_said(caller: Caller, window: StudioWindow):
    window.do("studio.refuseRecordings = true")
    made = await body(caller, "roblox.instance_create", MADE)
    assert "did not record this change" in made["warnings"][0]
    undone = await body(caller, "history", {"action": "undo"})
    assert undone["ok"] is False
    assert "Studio did not record it" in undone["error"]["message"]
    ended = await run(caller, ("instance_create", MADE | {"name": "More"}), FAILS)
    assert ended["rollback"] == {"undone": [], "standing": ["s0"]}
    assert window.do(CHILDREN) == ["House", "New", "More"]


async def test_a_script_that_studio_runs_is_no_part_of_an_atomic_batch(caller: Caller, window: StudioWindow):
    update = ("script_update", {"scriptPath": MAIN, "source": BUILD})
    reply = await batch(caller, ("instance_create", MADE), update, ("script_execute", {"scriptPath": MAIN}))
    assert reply["ok"] is False
    assert "cannot be part of an all-or-nothing batch" in reply["error"]["message"]
    assert window.do(CHILDREN) == ["House"]
    assert window.do("return studio.history()") == []


async def test_a_script_that_studio_ran_is_in_the_history_and_rolled_back(caller: Caller, window: StudioWindow):
    await body(caller, "roblox.script_update", {"scriptPath": MAIN, "source": BUILD})
    await body(caller, "roblox.script_execute", {"scriptPath": MAIN})
    assert window.do(CHILDREN) == ["House", "Built"]
    undone = await body(caller, "history", {"action": "undo"})
    assert undone["ok"], undone
    assert undone["execution"]["mode"] == "live"
    assert window.do(CHILDREN) == ["House"]
    await body(caller, "roblox.script_update", {"scriptPath": MAIN, "source": f"{BUILD} -- anew"})
    ended = await run(caller, ("script_execute", {"scriptPath": MAIN, "forceRequire": True}), FAILS)
    assert ended["rollback"] == {"undone": ["s0"], "standing": []}, ended
    assert window.do(CHILDREN) == ["House"]


async def test_what_no_copy_stands_for_is_staged_too(caller: Caller, window: StudioWindow):
    light = {"instancePath": "Lighting"}
    reply = await batch(
        caller,
        ("instance_set_property", light | {"propertyName": "Brightness", "value": 7}),
        ("instance_set_attributes", light | {"attributes": {"Mood": "dim"}}),
        ("instance_set_tags", light | {"add": ["sky"]}),
        (
            "instance_set_property",
            {"instancePath": "Workspace.House", "propertyName": "PrimaryPart", "value": "Workspace.House.Door"},
        ),
        ("instance_get", light | {"properties": ["Brightness"], "includeAttributes": True, "includeTags": True}),
        ("instance_get", {"instancePath": "Workspace.House", "properties": ["PrimaryPart"]}),
    )
    assert reply["ok"], reply
    *_, lighting, house = [each["result"] for each in reply["result"]["results"]]
    assert (lighting["properties"], lighting["attributes"]) == ({"Brightness": 7}, {"Mood": "dim"})
    assert lighting["tags"] == ["sky"]
    assert house["properties"]["PrimaryPart"]["path"] == "Workspace.House.Door"
    assert window.do("local l = game.Lighting return { l.Brightness, l:GetAttribute('Mood'), l:GetTags()[1] }") == [
        7,
        "dim",
        "sky",
    ]
    assert window.do("return { studio.unrecorded, #studio.history() }") == [0, 1]


async def test_of_what_is_only_staged_there_is_no_picture(caller: Caller, window: StudioWindow):
    window.do("studio.picture = 'bytes'")
    reply = await batch(caller, ("instance_create", MADE), ("scene_capture", {"rootPath": "Workspace"}))
    picture = reply["result"]["results"][1]["result"]
    assert picture["captured"] is False
    assert "without what is only staged" in picture["reason"]


async def test_an_undo_in_a_closed_studio_says_that_it_went_with_it(caller: Caller, window: StudioWindow):
    await body(caller, "roblox.instance_create", MADE)
    window.end()
    with anyio.fail_after(30):
        while shared_relay().studios():
            await anyio.sleep(0.01)
    undone = await body(caller, "history", {"action": "undo"})
    assert undone["ok"] is False
    assert "its undo went with it" in undone["error"]["message"]


async def test_a_change_whose_outcome_is_unknown_is_not_called_undone(
    caller: Caller, window: StudioWindow, monkeypatch: pytest.MonkeyPatch
):
    relay = shared_relay()
    call = relay.call

    def asked(ask: Ask) -> dict[str, Any]:
        answer = call(ask)
        if ask.operation == "place.edit":
            raise TimedOut("Studio did not answer.", details={"outcome": "unknown"})
        return answer

    monkeypatch.setattr(relay, "call", asked)
    ended = await run(caller, ("instance_create", MADE))
    assert ended["status"] == "interrupted"
    again = await caller.reply("roblox.instance_create", MADE)
    assert again.error is not None
    assert again.error.data["details"]["outcome"] == "unknown"


async def test_studio_without_a_project_is_changed_and_leaves_no_records(
    window: StudioWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    monkeypatch.chdir(nowhere)
    runtime = make_runtime(Config(rate_limit=None, bridge_enabled=True))
    caller = Caller(runtime)
    for _ in range(2):
        made = await body(caller, "roblox.instance_create", MADE, idempotencyKey="once")
        assert made["output"]["path"] == "Workspace.New"
    reply = await batch(caller, ("instance_create", MADE | {"name": "Other"}), FAILS)
    assert reply["ok"] is False
    assert window.do(CHILDREN) == ["House", "New"]
    assert list(nowhere.iterdir()) == []
    runtime.close()
